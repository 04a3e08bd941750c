import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { DEMO_TOKEN, startDemo } from "../demo/demo-gateway.ts";
import { buildOnce } from "../support/build-once.ts";
import { ConsoleBrowser, findContrastViolations, findViolations } from "../support/console-browser.ts";
import { listenOnLoopback, openBrowser, phoneViewport } from "../support/test-browser.ts";

/* A subscription is changed in the console: what a change costs is shown before, and is what the API says. */

await buildOnce();
const gateway = await startDemo();
const tabs = new ConsoleBrowser(await openBrowser(), await listenOnLoopback(gateway));

const query = (document: string, variables = {}) => gateway.queryRawData(document, variables, { token: DEMO_TOKEN });

interface Found {
  databaseId: number;
  items: { code: string; productName: string; priceType: string; quantity: number; product: { id: string } }[];
}

/** Prepaid, active subscriptions of one item. */
let prepaid: Found[];

const withItem = (priceType: string, place = 0): Found =>
  prepaid.filter(({ items: [item] }) => item!.priceType === priceType)[place]!;

beforeAll(async () => {
  const { subscriptions } = await query(
    "{ subscriptions(first: 100, filter: { status: ACTIVE }) { nodes { databaseId interval claimMethodType items { code productName priceType quantity product { id } } } } }",
  );
  prepaid = subscriptions.nodes.filter(
    ({ items, interval, claimMethodType }: Found & { interval: string; claimMethodType: string }) =>
      items.length === 1 && interval === "MONTH" && claimMethodType === "PRE",
  );
});

async function openChange(id: number): Promise<{ page: Page; dialog: Locator }> {
  const page = await tabs.openDemo(`/subscriptions/${id}`);
  await page.getByRole("button", { name: "Change", exact: true }).click();
  return { page, dialog: page.getByRole("dialog", { name: "Change the subscription" }) };
}

const confirm = async (dialog: Locator) => {
  await dialog.getByRole("button", { name: "Change the subscription" }).click();
  await dialog.waitFor({ state: "detached" });
};

const won = (amount: string) => `₩${Number(amount).toLocaleString("en-US")}`;

describe("a subscription", () => {
  test("gets another plan at the end of its period, after the next charge was shown", async () => {
    const { databaseId, items } = withItem("FLAT");
    const [item] = items;
    const { createPricePlan } = await query(
      `mutation ($productId: ID!) { createPricePlan(input: { productId: $productId, plan: { name: "Every month, large" }, price: "55000", type: FLAT, recurring: { interval: MONTH, intervalCount: 1 } }) { pricePlan { code } } }`,
      { productId: item!.product.id },
    );
    const { page, dialog } = await openChange(databaseId);
    await dialog.getByText("Choose a change, and its cost is shown here.").waitFor();
    expect(await dialog.getByRole("button", { name: "Change the subscription" }).isDisabled()).toBe(true);
    await dialog.getByLabel(/^Plan of /).selectOption(createPricePlan.pricePlan.code);
    await dialog.getByText(/is charged to the stored payment method at once[.]/).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await findContrastViolations(page)).toEqual([]);
    await dialog.getByLabel("When").selectOption("PERIOD_END");
    await dialog.getByText("Nothing is charged now.").waitFor();
    await dialog.getByText(/^The next charge is ₩[\d,]+ on .* 2026: \d × House blend ₩[\d,]+[.]/).waitFor();
    await dialog.getByLabel("Reason").fill("A larger café");
    await confirm(dialog);
    await page.getByRole("table", { name: "Items" }).getByText("then Every month, large").waitFor();
    await page.getByRole("region", { name: "Timeline" }).getByText("A larger café").waitFor();

    // The current plan withdraws it.
    await page.getByRole("button", { name: "Change", exact: true }).click();
    const plans = dialog.getByLabel(/^Plan of /);
    await plans.getByRole("option", { name: "Every month, large, ₩55,000 (planned)" }).waitFor({ state: "attached" });
    await plans.selectOption(await plans.getByRole("option", { name: /[(]current[)]$/ }).innerText());
    await dialog.getByText("Nothing is charged now.").waitFor();
    await confirm(dialog);
    await expect.poll(() => page.getByText(/^then /).count()).toBe(0);
  });

  test("is charged for a larger quantity at once: the sum that the dialog said", async () => {
    const { databaseId, items } = withItem("FLAT", 1);
    const [item] = items;
    const { page, dialog } = await openChange(databaseId);
    await dialog.getByLabel("What to change").selectOption("Items and quantities");
    const quantity = dialog.getByLabel(/^Quantity of /);
    await quantity.fill("none");
    await dialog.getByText("Enter a whole number of at least 1.").waitFor();
    expect(await dialog.getByRole("button", { name: "Change the subscription" }).isDisabled()).toBe(true);
    await quantity.fill(String(item!.quantity + 2));
    const sentence = await dialog.getByText(/is charged to the stored payment method at once[.]/).innerText();
    await confirm(dialog);
    const row = page.getByRole("table", { name: "Items" }).getByRole("row").nth(1);
    await expect.poll(() => row.innerText()).toContain(String(item!.quantity + 2));
    const { subscription } = await query(
      `{ subscription(id: "${databaseId}") { items { quantity } orders(first: 1) { nodes { type amount } } } }`,
    );
    expect(subscription.items[0].quantity).toBe(item!.quantity + 2);
    const [{ type, amount }] = subscription.orders.nodes;
    expect([type, sentence]).toEqual(["ADDITIONAL", `${won(amount)} is charged to the stored payment method at once.`]);
    expect(await page.getByRole("status").filter({ hasText: "not paid" }).count()).toBe(0);
  });

  test("gets a further product, and loses it", async () => {
    const { databaseId } = withItem("FLAT", 2);
    const { page, dialog } = await openChange(databaseId);
    await dialog.getByLabel("What to change").selectOption("Items and quantities");
    await dialog.getByRole("button", { name: "Add an item" }).click();
    await dialog.getByLabel("Find a product").fill("no such thing");
    await dialog.getByText("No product with a plan for this billing cycle was found.").waitFor();
    await dialog.getByLabel("Find a product").fill("workspace");
    await dialog.getByLabel("Product to add").selectOption("Café workspace");
    await dialog.getByText(/^The next charge is .* Café workspace/).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await confirm(dialog);
    const items = page.getByRole("table", { name: "Items" });
    await items.getByRole("rowheader", { name: "Café workspace" }).waitFor();
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await dialog.getByLabel("What to change").selectOption("Items and quantities");
    await dialog.getByLabel("Remove Café workspace").check();
    await dialog.getByText("Nothing is charged now.").waitFor();
    await dialog.getByText(/of paid time is left unused[.]/).waitFor();
    await confirm(dialog);
    await items.getByRole("rowheader", { name: "Café workspace" }).waitFor({ state: "detached" });
  });

  test("keeps its items when all of them are to be removed: the refusal is shown before", async () => {
    const { page, dialog } = await openChange(withItem("FLAT", 2).databaseId);
    await dialog.getByLabel("What to change").selectOption("Items and quantities");
    for (const box of await dialog.getByLabel(/^Remove /).all()) await box.check();
    expect(await dialog.getByRole("alert").innerText()).toContain("cancel the subscription instead");
    expect(await dialog.getByRole("button", { name: "Change the subscription" }).isDisabled()).toBe(true);
    expect(await findViolations(page)).toEqual([]);
  });

  test("gets more units, on a phone", async () => {
    const { databaseId } = withItem("UNIT_BASED");
    const page = await tabs.openDemo(`/subscriptions/${databaseId}`, phoneViewport);
    await page.getByRole("button", { name: "Change", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Change the subscription" });
    await dialog.getByLabel("What to change").selectOption("Units that may be used");
    await dialog.getByLabel("Units from now on").fill("400");
    await dialog.getByText(/^The next charge is /).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
    await confirm(dialog);
    await expect
      .poll(async () => {
        const { subscription } = await query(`{ subscription(id: "${databaseId}") { items { allowedUnits } } }`);
        return Number(subscription.items[0].allowedUnits);
      })
      .toBe(400);
  });

  test("gets another billing cycle from the next period on, and keeps its own when that is withdrawn", async () => {
    const { subscriptions } = await query(
      "{ subscriptions(first: 100, filter: { status: ACTIVE }) { nodes { databaseId interval items { productName } } } }",
    );
    const found = subscriptions.nodes.find(
      ({ interval, items }: Found & { interval: string }) =>
        interval === "YEAR" && items.length === 1 && items[0]!.productName === "Roast log",
    );
    const { page, dialog } = await openChange(found.databaseId);
    await dialog.getByLabel("What to change").selectOption("Billing cycle");
    await dialog.getByLabel("Charged").selectOption("every month");
    await dialog.getByText(/^It takes effect on /).waitFor();
    await confirm(dialog);
    const details = page.getByRole("region", { name: "Details" });
    await details.getByText("From the next period").waitFor();
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await dialog.getByLabel("What to change").selectOption("Billing cycle");
    await dialog.getByLabel("Charged").selectOption("every year");
    await dialog.getByText("Nothing is charged now.").waitFor();
    await confirm(dialog);
    await details.getByText("From the next period").waitFor({ state: "detached" });
  });
});
