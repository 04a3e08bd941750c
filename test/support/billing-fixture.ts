import { sql } from "drizzle-orm";
import { createCatalogueFixture, type CatalogueFixture } from "./catalogue-fixture.ts";
import { everyMonth, TestCatalogue } from "./test-catalogue.ts";
import { uniqueName } from "./cover-fixture.ts";
import type { RequestOptions, TestGateway } from "./test-gateway.ts";

/** The ids and codes of one record of each noun of the billing side. */
export interface BillingFixture extends CatalogueFixture {
  billingCustomerId: number;
  billingCustomerCode: string;
  billingCustomerUuid: string;
  billingOrderId: number;
  billingOrderCode: string;
  billingIdKey: string;
  billingItemId: number;
  billingInvoiceId: number;
  billingPaymentId: number;
  billingMethodId: number;
  billingSubscriptionId: number;
  billingSubscriptionItemCode: string;
}

/**
 * A customer with an order, an invoice, a payment of another order, and their product, which is shipped, its plan, and
 * a subscription of it.
 */
export async function createBillingFixture(gateway: TestGateway, options?: RequestOptions): Promise<BillingFixture> {
  const mutate = async (query: string, input: object = {}) => gateway.queryData(query, { input }, options);
  const { vendor } = await gateway.queryData("{ vendor { databaseId } }", {}, options);
  const queryOne = async (statement: ReturnType<typeof sql>) =>
    [...((await gateway.database.handle.execute(statement)) as Iterable<{ id: string }>)][0]!;
  const id = sql`${vendor.databaseId}::bigint`;
  const at = sql`timestamptz '2026-02-01T00:00:00Z'`;
  const catalog = await createCatalogueFixture(gateway, options);
  const { billingProductCode: productCode, billingPriceCode: priceCode } = catalog;
  const { customer } = (
    await mutate(
      "mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { customer { databaseId code uuid } } }",
      { name: "Kim Seo-yeon", email: "seoyeon@example.com", phone: "010-1234-5678" },
    )
  ).createCustomer;
  const customerId = String(customer.databaseId);
  const items = [{ productCode, priceCode }];
  const { order } = (
    await mutate(
      "mutation ($input: CreateOrderInput!) { createOrder(input: $input) { order { databaseId code idKey items { databaseId } } } }",
      { customerId, items },
    )
  ).createOrder;
  const { invoice } = (
    await mutate("mutation ($input: CreateInvoiceInput!) { createInvoice(input: $input) { invoice { databaseId } } }", {
      customerId,
      items,
      publishMethods: ["EMAIL"],
      temporary: true,
    })
  ).createInvoice;
  await mutate(
    "mutation ($input: ConfigurePaymentGatewayInput!) { configurePaymentGateway(input: $input) { account { databaseId } } }",
    {
      paymentGateway: "HOUSE",
    },
  );
  const paidOrder = (
    await mutate("mutation ($input: CreateOrderInput!) { createOrder(input: $input) { order { databaseId } } }", {
      customerId,
      items: [{ productCode: catalog.sideProductCode, priceCode: catalog.sidePriceCode }],
    })
  ).createOrder.order;
  const { payment } = (
    await mutate(
      "mutation ($input: PayOrderInput!) { payOrder(input: $input) { payment { databaseId storedMethod { databaseId } } } }",
      {
        orderId: String(paidOrder.databaseId),
        method: "CARD",
        card: { number: "4242424242424242", expiryMonth: 12, expiryYear: 2031 },
        storeMethod: true,
      },
    )
  ).payOrder;
  const subscription = await queryOne(sql`
    insert into subscriptions (vendor_id, code, status, customer_id, price_id, currency, interval, interval_count,
      claim_method_type, start_date, cycle_anchor, current_period_start, current_period_end, next_payment_date, created_at, modified_at)
    values (${id}, ${uniqueName("subscription")}, 'ACTIVE', ${customerId}::bigint, ${catalog.billingPriceId}::bigint, 'KRW', 'MONTH', 1, 'PRE',
      ${at}, ${at}, ${at}, timestamptz '2026-03-01T00:00:00Z', timestamptz '2026-03-01T00:00:00Z', ${at}, ${at}) returning id`);
  const usage = await new TestCatalogue(gateway, options).createPlan(catalog.sideProductId, {
    type: "USAGE_BASED",
    recurring: everyMonth,
    claim: { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" },
  });
  const itemCode = uniqueName("subscription_item");
  await queryOne(sql`
    insert into subscription_items (vendor_id, code, subscription_id, position, type, product_id, price_id, price, currency,
      quantity, option_price, activated_at, created_at, modified_at)
    values (${id}, ${itemCode}, ${subscription.id}::bigint, 0, 'SKU', ${catalog.sideProductId}::bigint, ${usage.databaseId}::bigint, 100,
      'KRW', 1, 0, ${at}, ${at}, ${at}) returning id`);
  return {
    ...catalog,
    billingCustomerId: Number(customer.databaseId),
    billingCustomerCode: customer.code,
    billingCustomerUuid: customer.uuid,
    billingOrderId: Number(order.databaseId),
    billingOrderCode: order.code,
    billingIdKey: order.idKey,
    billingItemId: Number(order.items[0].databaseId),
    billingInvoiceId: Number(invoice.databaseId),
    billingPaymentId: payment.databaseId,
    billingMethodId: payment.storedMethod.databaseId,
    billingSubscriptionId: Number(subscription.id),
    billingSubscriptionItemCode: itemCode,
  };
}
