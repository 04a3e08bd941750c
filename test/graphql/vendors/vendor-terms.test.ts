import { expect, test } from "vitest";
import { createServices } from "../../../src/graphql/services.ts";
import { toPlainString } from "../../../src/kernel/amounts.ts";
import { queryRows } from "../../hostile/query-rows.ts";
import { startGateway } from "../../support/test-gateway.ts";

const gateway = await startGateway();

const termsOf = (vendorId: number) =>
  gateway.database.transaction((handle) => createServices(handle, gateway.clock.now()).vendors.billingTerms(vendorId));

test("a vendor's orders are priced by its settings and rates, which cost one statement", async () => {
  const vendor = await gateway.openVendor({ currency: "USD", zoneId: "America/New_York" });
  const before = await termsOf(vendor.id);
  expect(before).toMatchObject({ currency: "USD", zoneId: "America/New_York", vatIncluded: true, rates: {} });
  expect([
    toPlainString(before.vatRate),
    toPlainString(before.defaultDeliveryCharge),
    before.paymentAmountScale,
  ]).toEqual(["10", "0", null]);

  await queryRows(
    gateway,
    `update vendor_settings set vat_included = false, vat_rate = 7.5, use_delivery_charge = true,
       delivery_charge_type = 'FREE_OVER_AMOUNT', default_delivery_charge = 4.99, free_ship_over_amount = 50,
       payment_amount_scale = 2, draft_invoices_by_default = true, return_origins = '{https://shop.example.com}'
     where vendor_id = ${vendor.id}`,
  );
  await queryRows(
    gateway,
    `insert into exchange_rates values (${vendor.id}, 'KRW', 1380.5, now()), (${vendor.id}, 'EUR', 0.92, now()), (${gateway.vendor.id}, 'JPY', 0.11, now())`,
  );
  gateway.statements.length = 0;
  const { rates, vatRate, defaultDeliveryCharge, freeShipOverAmount, ...terms } = await termsOf(vendor.id);
  expect(gateway.statements.filter(({ text }) => text.includes("vendor_settings"))).toHaveLength(1);
  expect(gateway.statements).toHaveLength(1);
  expect(terms).toEqual({
    currency: "USD",
    zoneId: "America/New_York",
    vatIncluded: false,
    paymentAmountScale: 2,
    useDeliveryCharge: true,
    deliveryChargeType: "FREE_OVER_AMOUNT",
    draftInvoicesByDefault: true,
    returnOrigins: ["https://shop.example.com"],
  });
  expect([vatRate, defaultDeliveryCharge, freeShipOverAmount].map(toPlainString)).toEqual(["7.5", "4.99", "50"]);
  expect(Object.fromEntries(Object.entries(rates).map(([currency, rate]) => [currency, toPlainString(rate)]))).toEqual({
    EUR: "0.92",
    KRW: "1380.5",
  });
});
