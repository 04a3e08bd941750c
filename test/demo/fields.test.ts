import { expect, test } from "vitest";
import { buildGatewaySchema } from "../../src/graphql/schema.ts";
import { childTokenOf } from "../../src/demo/demo-data.ts";
import { documentOf, fieldsOf, rowsAt, says, waysFrom, type Way } from "./fields.ts";
import type { RawData } from "../support/raw-data.ts";
import { DEMO_TOKEN, startDemo } from "./demo-gateway.ts";

/* For each field of the billing side the demo vendor has a record with a value. */

const gateway = await startDemo();
const schema = buildGatewaySchema();

/** The lists at the start of a dashboard. */
const roots = [
  ...["customers", "products", "pricePlans", "orders", "invoices", "subscriptions", "vendor", "childVendors"],
  ...["exchangeRates", "productsToApprove", "payments", "ledgerEntries", "paymentGateways"],
];

/** Fields that are empty in the demo data, and why. */
const empty: Readonly<Record<string, string>> = {
  "Vendor.secretKey": "Shown once, by what creates a vendor.",
  "Vendor.paymentKey": "Shown once, by what creates a vendor.",
  "CmsIntegration.consumerSecret": "Never shown.",
  "TimeOfDay.nano": "Always 0.",
  "VendorSettings.paymentAmountScale": "A scale would take the decimals from currencies that have some.",
  "VendorSettings.returnOrigins": "With origins of its own the demo's checkout would refuse a developer's pages.",
  "VendorSettings.draftInvoicesByDefault": "Invoices that a developer creates are sent.",
  "VendorSettings.recoveryShadowMode": "The demo's covers are run by their own dates.",
  "VendorSettings.recoveryPooling": "The demo has too few vendors to pool.",
  "VendorManager.choo": "Always empty.",
  "GatewayAccount.credentialsHint": "The demo's gateways are simulated and need no credentials.",
  "GatewayAccount.clientKey": "The simulated gateway has no window.",
  "GatewayAccount.mode": "The simulated gateway has no modes.",
  "LedgerEntry.disputeDatabaseId": "Nobody disputes a simulated charge.",
  "Customer.erasedAt": "An erased customer would show nothing.",
  "EventAuthor.sessionId": "The demo has no pages of a merchant.",
  "Payment.challengeUrl": "Set only while a payer confirms a charge in a browser.",
};

/** The fields of a type without a value in any row, of the vendor or of its child; pages are read to the end. */
async function unfilled(way: Way): Promise<string[]> {
  const missing = new Set(fieldsOf(way.type).filter((field) => !(`${way.type.name}.${field}` in empty)));
  const query = documentOf(schema, way);
  for (const token of [DEMO_TOKEN, childTokenOf(DEMO_TOKEN)]) {
    for (let after: string | null = null; missing.size > 0;) {
      const found: RawData = (await gateway.queryRawData(query, { after }, { token }))[way.root];
      for (const row of rowsAt(found.nodes ?? [found].flat(), way.steps))
        for (const [field, value] of Object.entries(row)) if (says(value)) missing.delete(field);
      if (!found.pageInfo?.hasNextPage) break;
      after = found.pageInfo.endCursor;
    }
  }
  return [...missing].map((field) => `${way.type.name}.${field}`);
}

const ways = waysFrom(schema, roots);

test("billing leads to the types of its resources", () => {
  const some = ["Customer", "Order", "OrderItem", "OrderItemHistory", "Shipping", "DemoCycle", "UnitChange", "Refund"];
  expect([...ways.keys()]).toEqual(expect.arrayContaining(some));
});

test.each([...ways])("each field of %s has a value in some record", async (_, way) => {
  expect(await unfilled(way)).toEqual([]);
});

test("exceptions name existing fields", () => {
  const known = [...ways].flatMap(([name, { type }]) => fieldsOf(type).map((field) => `${name}.${field}`));
  expect(Object.keys(empty).filter((field) => !known.includes(field))).toEqual([]);
});
