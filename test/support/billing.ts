import { sql } from "drizzle-orm";
import { fresh } from "./shop.ts";
import type { RequestOptions, TestGateway } from "./gateway.ts";

/** The ids and codes of one record of each noun of the billing side. */
export interface Billing {
  billingCustomerId: number;
  billingCustomerCode: string;
  billingCustomerUuid: string;
  billingProductId: number;
  billingProductCode: string;
  billingPriceId: number;
  billingPriceCode: string;
  billingOrderId: number;
  billingOrderCode: string;
  billingIdKey: string;
  billingItemId: number;
  billingInvoiceId: number;
  billingSubscriptionId: number;
  billingCategoryId: number;
}

/** A customer with an order, an invoice, and what they are of: a product that is shipped, with a plan, and a subscription of it. */
export async function registerBilling(gateway: TestGateway, options?: RequestOptions): Promise<Billing> {
  const data = async (query: string, input: object = {}) => gateway.data(query, { input }, options);
  const { vendor } = await gateway.data("{ vendor { databaseId } }", {}, options);
  const [productCode, priceCode] = [fresh("product"), fresh("price")];
  const ask = async (statement: ReturnType<typeof sql>) =>
    [...((await gateway.database.handle.execute(statement)) as Iterable<{ id: string }>)][0]!;
  const id = sql`${vendor.databaseId}::bigint`;
  const at = sql`timestamptz '2026-02-01T00:00:00Z'`;
  const product = await ask(sql`insert into products (vendor_id, code, type, status, name, created_at, modified_at)
    values (${id}, ${productCode}, 'BOX', 'SALE', 'House blend', ${at}, ${at}) returning id`);
  const plan = await ask(sql`
    insert into price_plans (vendor_id, code, product_id, type, price, plan_name, first_sale_price, claim_method_type,
      onetime_bundle_price, recurring_interval, recurring_interval_count, created_at, modified_at)
    values (${id}, ${priceCode}, ${product.id}::bigint, 'FLAT', 18900, 'Monthly', 0, 'PRE', 0, 'MONTH', 1, ${at}, ${at})
    returning id`);
  const category = await ask(
    sql`insert into categories (vendor_id, name) values (${id}, ${fresh("category")}) returning id`,
  );
  await ask(sql`insert into product_categories (vendor_id, product_id, category_id)
    values (${id}, ${product.id}::bigint, ${category.id}::bigint) returning product_id as id`);
  const { customer } = (
    await data(
      "mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { customer { databaseId code uuid } } }",
      { name: "Kim Seo-yeon", email: "seoyeon@example.com", phone: "010-1234-5678" },
    )
  ).createCustomer;
  const customerId = String(customer.databaseId);
  const items = [{ productCode, priceCode }];
  const { order } = (
    await data(
      "mutation ($input: CreateOrderInput!) { createOrder(input: $input) { order { databaseId code idKey items { databaseId } } } }",
      { customerId, items },
    )
  ).createOrder;
  const { invoice } = (
    await data("mutation ($input: CreateInvoiceInput!) { createInvoice(input: $input) { invoice { databaseId } } }", {
      customerId,
      items,
      publishMethods: ["EMAIL"],
      temporary: true,
    })
  ).createInvoice;
  const subscription = await ask(sql`
    insert into subscriptions (vendor_id, code, status, customer_id, price_id, currency, interval, interval_count,
      claim_method_type, start_date, created_at, modified_at)
    values (${id}, ${fresh("subscription")}, 'ACTIVE', ${customerId}::bigint, ${plan.id}::bigint, 'KRW', 'MONTH', 1, 'PRE',
      ${at}, ${at}, ${at}) returning id`);
  return {
    billingCustomerId: Number(customer.databaseId),
    billingCustomerCode: customer.code,
    billingCustomerUuid: customer.uuid,
    billingProductId: Number(product.id),
    billingProductCode: productCode,
    billingPriceId: Number(plan.id),
    billingPriceCode: priceCode,
    billingOrderId: Number(order.databaseId),
    billingOrderCode: order.code,
    billingIdKey: order.idKey,
    billingItemId: Number(order.items[0].databaseId),
    billingInvoiceId: Number(invoice.databaseId),
    billingSubscriptionId: Number(subscription.id),
    billingCategoryId: Number(category.id),
  };
}
