import { describe, expect, test } from "vitest";
import { DEMO_TOKEN, startDemo } from "../demo/demo-gateway.ts";
import { buildOnce } from "../support/build-once.ts";
import { ConsoleBrowser, findViolations } from "../support/console-browser.ts";
import { createMessageDispatcher, sendMessages } from "../support/mail-server.ts";
import { listenOnLoopback, openBrowser } from "../support/test-browser.ts";

await buildOnce();
const gateway = await startDemo();
const tabs = new ConsoleBrowser(await openBrowser(), await listenOnLoopback(gateway));

/** The number of the newest record of a list. */
const newest = async (selection: string): Promise<number> => {
  const data = await gateway.queryRawData(`{ list: ${selection} { nodes { databaseId } } }`, {}, { token: DEMO_TOKEN });
  return Number(data.list.nodes[0].databaseId);
};

describe("an action", () => {
  test("refunds a part of an order after its dialog said what is left", async () => {
    const page = await tabs.openDemo(
      `/orders/${await newest("orders(first: 1, filter: { status: PAID, type: RECURRING })")}`,
    );
    await page.getByRole("button", { name: "Refund", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Refund the order" });
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByLabel("Amount").fill("much");
    await dialog.getByRole("button", { name: "Refund the order" }).click();
    expect(await dialog.getByRole("listitem").allInnerTexts()).toEqual(["Enter the amount as a number, such as 1000."]);
    await dialog.getByLabel("Amount").fill("1");
    expect((await dialog.getByRole("listitem").allInnerTexts())[0]).toMatch(/1(?:[.]0+)? is paid back by the way/);
    await dialog.getByRole("button", { name: "Refund the order" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("region", { name: "Timeline" }).getByText("Refund started").first().waitFor();
  });

  test("shows the refusal and leaves the dialog open when the gateway refuses it", async () => {
    const page = await tabs.openDemo(
      `/orders/${await newest("orders(first: 1, filter: { status: PAID, type: ONE_TIME })")}`,
    );
    await page.getByRole("button", { name: "Refund", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Refund the order" });
    await dialog.getByLabel("Amount").fill("99999999");
    await dialog.getByRole("button", { name: "Refund the order" }).click();
    expect(await dialog.getByRole("alert").innerText()).toContain("REFUND_TOO_HIGH");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  test("cancels a subscription at the end of its period, and withdraws it", async () => {
    const id = await newest("subscriptions(first: 1, filter: { status: ACTIVE })");
    const page = await tabs.openDemo(`/subscriptions/${id}`);
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Cancel the subscription" });
    expect((await dialog.getByRole("listitem").allInnerTexts())[0]).toMatch(
      /^The subscription stays active until .* 2026/,
    );
    await dialog.getByLabel("Reason").fill("Moves abroad");
    await dialog.getByRole("button", { name: "Cancel the subscription" }).click();
    await page.getByText("Cancelling", { exact: true }).waitFor();
    await page.getByRole("region", { name: "Timeline" }).getByText("Moves abroad").waitFor();
    await page.getByRole("button", { name: "Keep the subscription" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Keep the subscription" }).click();
    await page.getByText("Active", { exact: true }).waitFor();
  });

  test("sends an invoice that was a draft", async () => {
    const page = await tabs.openDemo(`/invoices/${await newest("invoices(first: 1, filter: { status: TEMPORARY })")}`);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Send the invoice" });
    expect(await dialog.getByRole("listitem").count()).toBeGreaterThan(0);
    await dialog.getByRole("button", { name: "Send the invoice" }).click();
    await page
      .getByText(/^(?:Sent|Scheduled)$/)
      .first()
      .waitFor();
    expect(await page.getByRole("button", { name: "Send", exact: true }).count()).toBeLessThan(2);
  });

  test("deletes an invoice that is a draft, and only then", async () => {
    const input = {
      customerId: String(await newest("customers(first: 1)")),
      items: [{ productName: "Tasting", price: "1000" }],
      publishMethods: ["EMAIL"],
      temporary: true,
    };
    const { createInvoice } = await gateway.queryRawData(
      "mutation ($input: CreateInvoiceInput!) { createInvoice(input: $input) { invoice { databaseId } } }",
      { input },
      { token: DEMO_TOKEN },
    );
    const id = Number(createInvoice.invoice.databaseId);
    const page = await tabs.openDemo(`/invoices/${id}`);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Delete the draft" });
    expect((await dialog.getByRole("listitem").allInnerTexts()).at(-1)).toBe("It cannot be undone.");
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Delete the draft" }).click();
    const list = page.getByRole("table", { name: "Invoices" });
    await list.waitFor();
    await expect.poll(() => list.getByRole("link", { name: `Invoice ${id}`, exact: true }).count()).toBe(0);
    await page.goto(
      page.url().replace(/invoices.*/, `invoices/${await newest("invoices(first: 1, filter: { status: PAID })")}`),
    );
    await page.getByRole("region", { name: "Details" }).waitFor();
    expect(await page.getByRole("button", { name: "Delete", exact: true }).count()).toBe(0);
  });

  test("edits an invoice that is a draft after its dialog said what it comes to", async () => {
    const input = {
      customerId: String(await newest("customers(first: 1)")),
      items: [{ productName: "Tasting", price: "1000", minimumQuantity: 2 }],
      publishMethods: ["EMAIL"],
      temporary: true,
    };
    const { createInvoice } = await gateway.queryRawData(
      "mutation ($input: CreateInvoiceInput!) { createInvoice(input: $input) { invoice { databaseId } } }",
      { input },
      { token: DEMO_TOKEN },
    );
    const page = await tabs.openDemo(`/invoices/${createInvoice.invoice.databaseId}`);
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Edit the draft" });
    const save = dialog.getByRole("button", { name: "Save the draft" });
    await dialog.getByText("The invoice comes to ₩2,000, before").waitFor();
    expect(await save.isDisabled()).toBe(true);
    const tasting = dialog.getByRole("group", { name: "Tasting" });
    await tasting.getByLabel("Quantity").fill("none");
    await tasting.getByText("Enter a whole number of at least 1.").waitFor();
    expect(await save.isDisabled()).toBe(true);
    await tasting.getByLabel("Quantity").fill("3");
    await tasting.getByLabel("At most").fill("5");
    await dialog.getByRole("button", { name: "Add a line" }).click();
    await dialog.getByLabel("Name", { exact: true }).fill("Delivery by bike");
    await dialog.getByRole("group", { name: "Delivery by bike" }).getByLabel("Price in KRW").fill("2500");
    await dialog.getByLabel("Discount in KRW").fill("500");
    await dialog.getByLabel("To be paid until").fill("2026-04-01T18:00");
    await dialog.getByLabel("When it is sent").selectOption("At a set time");
    await dialog.getByLabel("Is sent on").fill("2026-03-20T09:00");
    await dialog.getByLabel("Note to the customer").fill("With our thanks");
    await dialog.getByText("The invoice comes to ₩5,000 at the smallest quantities").waitFor();
    await dialog.getByText(/it is then scheduled for Mar 20, 2026, 09:00.AM/).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await save.click();
    await dialog.waitFor({ state: "detached" });
    const details = page.getByRole("region", { name: "Details" });
    await details.getByText("With our thanks").waitFor();
    await details.getByText(/Apr 1, 2026, 06:00.PM/).waitFor();
    await details.getByText("₩500").waitFor();
    const items = page.getByRole("table", { name: "Items" });
    await items.getByRole("rowheader", { name: "Delivery by bike" }).waitFor();
    await items.getByText("3–5").waitFor();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await dialog.getByRole("button", { name: "Remove Delivery by bike" }).click();
    await dialog.getByLabel("To be paid until").fill("");
    await save.click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => items.getByRole("rowheader", { name: "Delivery by bike" }).count()).toBe(0);
    expect(await details.getByText("To be paid until").count()).toBe(0);
  });

  test("adds a price plan to a product, and takes it off sale and back", async () => {
    const page = await tabs.openDemo(`/products/${await newest("products(last: 1, filter: { status: SALE })")}`);
    await page.getByRole("button", { name: "Add a price plan" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a price plan" });
    expect(await dialog.getByRole("button", { name: "Add a price plan" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Name").fill("Every fortnight");
    await dialog.getByLabel("Price in KRW").fill("9900");
    await dialog.getByLabel("Charged every").selectOption("Weeks");
    await dialog.getByLabel("Number of them").fill("2");
    await dialog.getByText("₩9,900 is charged every 2 weeks.").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Add a price plan" }).click();
    await page.getByRole("table", { name: "Price plans" }).getByText("Every fortnight").waitFor();
    await page.getByRole("button", { name: "Take off sale" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Take off sale" }).click();
    await page.getByRole("button", { name: "Put on sale" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Put on sale" }).click();
    await page.getByRole("button", { name: "Take off sale" }).waitFor();
    const timeline = page.getByRole("region", { name: "Timeline" }).getByRole("listitem");
    await timeline.nth(2).waitFor();
    const steps = await timeline.allInnerTexts();
    expect(steps[0]).toMatch(/Product changed\s+.* · by the key demo/);
    expect(steps[1]).toMatch(/Product changed/);
    expect(steps[2]).toMatch(/Price plan created\s+Every fortnight · ₩9,900/);
  });

  test("maps a decline code that nobody knew", async () => {
    const { covers } = await gateway.queryData(
      "{ covers(filter: { states: [IN_PROGRESS] }) { nodes { order { databaseId subscription { databaseId } } } } }",
      {},
      { token: DEMO_TOKEN },
    );
    const { databaseId: orderId, subscription } = covers.nodes.find(({ order }) => order !== null)!.order!;
    const body = { subscriptionId: subscription!.databaseId, orderId, errorCode: "X-77", errorMessage: "a new code" };
    await gateway.sendRest("POST", "/cover/recovery", body, { token: DEMO_TOKEN });
    const page = await tabs.openDemo("/recovery");
    await page.getByRole("link", { name: "Unmapped decline codes" }).click();
    await page.getByRole("button", { name: "Map code X-77" }).click();
    const dialog = page.getByRole("dialog", { name: "Map code X-77" });
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByLabel("Meaning").selectOption("Limit exceeded");
    await dialog.getByRole("button", { name: "Map" }).click();
    await page.getByRole("button", { name: "Map code X-77" }).waitFor({ state: "detached" });
    // The demo has one of its own, with what it cost so far.
    await page.getByRole("button", { name: "Map code R77" }).waitFor();
  });
});

describe("the developers' page", () => {
  test("advances the clock of a sandbox and shows the new time", async () => {
    const page = await tabs.openDemo("/developers");
    const clock = page.getByRole("region", { name: "Test clock" });
    await clock.getByText("It is now Mar 1, 2026, 06:30 PM").waitFor();
    await clock.getByLabel("Advance by").selectOption("1 hour");
    await clock.getByRole("button", { name: "Advance the clock" }).click();
    await clock.getByText("The clock was advanced to Mar 1, 2026, 07:30 PM.").waitFor();
    await clock.getByText("It is now Mar 1, 2026, 07:30 PM").waitFor();
  });

  test.each(["Webhook deliveries", "Events", "Outbox"])("leads to a page of its own: %s", async (name) => {
    const page = await tabs.openDemo("/developers");
    await page.getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
    await page
      .getByText(/^Nothing was sent .* matches the filter[.]$|^No message matches this filter[.]$|^Created$|^Occurred$/)
      .waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "Back to the developers' page" }).click();
    await page.getByRole("heading", { level: 1, name: "Developers" }).waitFor();
  });

  test("adds a webhook endpoint whose secret is shown once, tests it, and deletes it", async () => {
    const page = await tabs.openDemo("/developers");
    await page.getByRole("link", { name: "Add a webhook endpoint" }).click();
    await page.getByLabel("Address").fill("https://127.0.0.1/hooks");
    await page.getByRole("button", { name: "Create the endpoint" }).click();
    await page.getByRole("alert").getByText("WEBHOOK_URL_REFUSED").waitFor();
    await page.getByLabel("Address").fill("https://shop.example.com/hooks");
    await page.getByLabel("Event types").fill("order.paid, cover.recovered");
    await page.getByRole("button", { name: "Create the endpoint" }).click();
    await page.getByText(/^whsec_/).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "Open the endpoint" }).click();
    const details = page.getByRole("region", { name: "Details" });
    await details.getByText("order.paid, cover.recovered").waitFor();
    expect(await page.getByText(/whsec_/).count()).toBe(0);
    expect(await findViolations(page)).toEqual([]);
    const act = async (button: string, title = button) => {
      await page.getByRole("button", { name: button, exact: true }).click();
      const dialog = page.getByRole("dialog", { name: title });
      await dialog.getByRole("button", { name: title }).click();
      await dialog.waitFor({ state: "detached" });
    };
    await act("Send a test");
    await act("Replace the secret");
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole("link", { name: "Webhook deliveries" }).click();
    const deliveries = page.getByRole("table", { name: "Webhook deliveries" });
    await page.getByRole("button", { name: "Deliver again: webhook.test" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Deliver again" }).click();
    await expect.poll(() => deliveries.getByRole("button", { name: "Deliver again: webhook.test" }).count()).toBe(2);
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "Back to the developers' page" }).click();
    await page.getByRole("link", { name: "https://shop.example.com/hooks" }).click();
    await act("Disable", "Disable the endpoint");
    await details.getByText("It was disabled here or by the API").waitFor();
    await act("Enable", "Enable the endpoint");
    await details.getByText("Enabled").waitFor();
    await act("Delete", "Delete the endpoint");
    await page.getByText("No server gets events yet.").waitFor();
  });

  test("shows a message of the outbox on a page of its own", async () => {
    const invoiceId = await newest("invoices(last: 1, filter: { status: TEMPORARY })");
    await gateway.queryRawData(
      "mutation ($invoiceId: ID!) { sendInvoice(input: { invoiceId: $invoiceId }) { invoice { id } } }",
      { invoiceId: String(invoiceId) },
      { token: DEMO_TOKEN },
    );
    await sendMessages(gateway, createMessageDispatcher(gateway));
    const page = await tabs.openDemo("/developers/outbox");
    await page.getByRole("table", { name: "Outbox" }).getByRole("rowheader").first().getByRole("link").click();
    await page.getByRole("heading", { level: 1, name: /^Message to / }).waitFor();
    await page.getByRole("region", { name: "Text" }).getByText(/http/).waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  test("shows the newest event first, with its data", async () => {
    const page = await tabs.openDemo("/developers/events");
    const rows = page.getByRole("table", { name: "Events" }).getByRole("row");
    await rows.nth(1).waitFor();
    const { events } = await gateway.queryData("{ events(last: 1) { nodes { name } } }", {}, { token: DEMO_TOKEN });
    expect(await rows.nth(1).getByRole("rowheader").innerText()).toBe(events.nodes[0]!.name);
    await rows.nth(1).getByText("Show the data").click();
    expect(await rows.nth(1).locator("pre").innerText()).toContain("{");
    await page.getByRole("button", { name: "Next page" }).click();
    await page.waitForURL(/after=/);
  });

  test("shows only the events of a type, by the address too", async () => {
    const { events } = await gateway.queryData("{ events(first: 1) { nodes { name } } }", {}, { token: DEMO_TOKEN });
    const { name } = events.nodes[0]!;
    const page = await tabs.openDemo("/developers/events");
    await page.getByLabel("Type").selectOption(name);
    await page.waitForURL(new RegExp(`type=${name}`));
    const names = page.getByRole("table", { name: "Events" }).getByRole("rowheader");
    await expect.poll(async () => new Set(await names.allInnerTexts())).toEqual(new Set([name]));
    await page.getByLabel("Type").selectOption("webhook_delivery.failed");
    await page.getByText("No event of this type was recorded yet.").waitFor();
    await page.reload();
    await page.getByText("No event of this type was recorded yet.").waitFor();
  });
});

describe("a page without a permission", () => {
  const createKey = async (...scopes: string[]): Promise<string> => {
    const data = await gateway.queryRawData(
      "mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { token } }",
      { input: { name: scopes.join(" "), scopes } },
      { token: DEMO_TOKEN },
    );
    return data.createApiKey.token as string;
  };

  test("shows the record without its actions to a key that only reads", async () => {
    const token = await createKey("READ");
    const order = await newest("orders(first: 1, filter: { status: PAID, type: RECURRING })");
    const paths = [
      `/orders/${order}`,
      `/subscriptions/${await newest("subscriptions(first: 1, filter: { status: ACTIVE })")}`,
      `/products/${await newest("products(first: 1)")}`,
      "/recovery/policies",
      "/recovery/experiments",
      "/developers/keys",
      "/developers/people",
    ];
    for (const path of paths) {
      const page = await tabs.openWithToken(token, path);
      const main = page.getByRole("main");
      await main.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
      expect([path, await main.getByRole("group", { name: "Actions" }).count()]).toEqual([path, 0]);
      expect([path, await main.getByRole("button", { name: /^(?:Start|Create|Send|Revoke|Remove)/ }).count()]).toEqual([
        path,
        0,
      ]);
      await page.close();
    }
  });

  test("keeps the actions of the areas that the caller has", async () => {
    const token = await createKey("READ", "WRITE");
    const order = await newest("orders(first: 1, filter: { status: PAID, type: RECURRING })");
    const page = await tabs.openWithToken(token, `/orders/${order}`);
    await page.getByRole("button", { name: "Refund", exact: true }).waitFor();
    await page.goto(new URL("/developers/keys", page.url()).href);
    await page.getByRole("table", { name: "API keys" }).waitFor();
    expect(await page.getByRole("region", { name: "New key" }).count()).toBe(0);
  });
});
