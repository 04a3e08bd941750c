import { beforeAll, describe, expect, test } from "vitest";
import { buildOnce } from "../support/build-once.ts";
import { ConsoleBrowser, findViolations } from "../support/console-browser.ts";
import { listenOnLoopback, openBrowser } from "../support/test-browser.ts";
import { startGateway } from "../support/test-gateway.ts";
import { cardInput, testCards, TestPayments } from "../support/test-payments.ts";

/* A payment's page: its customer, refunds, and deposits that are awaited. */

await buildOnce();
const gateway = await startGateway();
const tabs = new ConsoleBrowser(await openBrowser(), await listenOnLoopback(gateway));
const { token } = gateway.vendor;

let till: TestPayments;

beforeAll(async () => {
  till = await TestPayments.start(gateway);
});

/** The number of the newest payment of a new order that is paid in some way. */
async function pay(method: "CARD" | "BANK" | "VBANK"): Promise<number> {
  const order = await till.createOrder();
  await till.payOrder(order.databaseId, method === "CARD" ? undefined : { method });
  const { payments } = await gateway.queryData("{ payments(first: 1) { nodes { databaseId } } }", {}, { token });
  return payments.nodes[0]!.databaseId;
}

/** Pays another order by a card that the customer stores thereby. */
async function storeCard(number: string): Promise<void> {
  const { databaseId } = await till.createOrder();
  await till.payOrder(databaseId, { method: "CARD", card: cardInput(number), storeMethod: true });
}

describe("an unpaid order", () => {
  test("is charged again on the page of its failed payment, as the dialog said", async () => {
    await storeCard(testCards.approved);
    const { databaseId } = await till.createOrder();
    const { payment } = await till.payOrder(databaseId, testCards.insufficientFunds);
    const page = await tabs.openWithToken(token, `/payments/${payment.databaseId}`);
    await page.getByRole("button", { name: "Charge again" }).click();
    const dialog = page.getByRole("dialog", { name: "Charge the order" });
    await dialog.getByText(/^₩18,900 is charged at once: Stored card, VISA .*4242[.]$/).waitFor();
    expect(await dialog.getByRole("listitem").allInnerTexts()).toHaveLength(3);
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Charge the order" }).click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => page.getByRole("button", { name: "Charge again" }).count()).toBe(0);
    const order = await till.readOrder(databaseId, "paidAmount leftAmount payment { state }");
    expect(order).toEqual({ paidAmount: "18900", leftAmount: "18900", payment: { state: "SUCCEEDED" } });
  });

  test("says on its page that the chosen stored card declined", async () => {
    await storeCard(testCards.approved);
    await storeCard(testCards.lostLater);
    const { databaseId } = await till.createOrder();
    const page = await tabs.openWithToken(token, `/orders/${databaseId}`);
    await page.getByRole("button", { name: "Charge", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Charge the order" });
    const methods = dialog.getByLabel("Stored payment method");
    await methods.selectOption({ label: (await methods.getByRole("option", { name: /0419$/ }).innerText()).trim() });
    await dialog.getByText(/^₩18,900 is charged at once: .*0419[.]$/).waitFor();
    await dialog.getByRole("button", { name: "Charge the order" }).click();
    await dialog.waitFor({ state: "detached" });
    await page
      .getByRole("status")
      .getByText(/^The charge was declined: 41.*The order is still unpaid[.]$/)
      .waitFor();
    await page.getByRole("button", { name: "Charge", exact: true }).waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  test("cannot be charged when its customer stored no payment method", async () => {
    const newcomer = await TestPayments.start(gateway);
    const { databaseId } = await newcomer.createOrder();
    const page = await tabs.openWithToken(token, `/orders/${databaseId}`);
    await page.getByRole("button", { name: "Charge", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Charge the order" });
    await dialog.getByText("The customer has no stored payment method.").waitFor();
    expect(await dialog.getByRole("button", { name: "Charge the order" }).isDisabled()).toBe(true);
  });
});

describe("the page of a payment", () => {
  test("refunds it after its dialog said what is left, and leads to its customer", async () => {
    const page = await tabs.openWithToken(token, `/payments/${await pay("CARD")}`);
    await page.getByRole("button", { name: "Refund", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Refund the order" });
    await dialog.getByLabel("Amount").fill("900");
    await dialog.getByText("₩18,000 of the paid amount is left after it.").waitFor();
    await dialog.getByLabel("Reason").fill("Spilled beans");
    await dialog.getByRole("button", { name: "Refund the order" }).click();
    await dialog.waitFor({ state: "detached" });
    const refunds = page.getByRole("table", { name: "Refunds" });
    await refunds.getByText("₩900").waitFor();
    expect(await refunds.innerText()).toContain("Spilled beans");
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Refund", exact: true }).click();
    await dialog.getByText("₩0 of the paid amount is left after it.").waitFor();
    await dialog.getByRole("button", { name: "Refund the order" }).click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => page.getByRole("button", { name: "Refund", exact: true }).count()).toBe(0);
    await page.getByRole("region", { name: "Details" }).getByRole("link").nth(1).click();
    await page.waitForURL(/[/]customers[/]\d+$/);
  });

  test("confirms a deposit into the merchant's own account", async () => {
    const page = await tabs.openWithToken(token, `/payments/${await pay("BANK")}`);
    await page.getByRole("button", { name: "Confirm the deposit" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm the deposit" });
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Confirm the deposit" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("Succeeded", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Confirm the deposit" }).count()).toBe(0);
  });

  test("says that a deposit into a virtual account has not arrived", async () => {
    const page = await tabs.openWithToken(token, `/payments/${await pay("VBANK")}`);
    await page.getByText(/^Simulated Bank /).waitFor();
    await page.getByRole("button", { name: "Confirm the deposit" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm the deposit" });
    await dialog.getByRole("button", { name: "Confirm the deposit" }).click();
    expect(await dialog.getByRole("alert").innerText()).toContain("DEPOSIT_NOT_ARRIVED");
  });
});
