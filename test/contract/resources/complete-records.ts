import { sql } from "drizzle-orm";
import type { TestGateway } from "../../support/test-gateway.ts";
import { everyMonth, TestCatalogue } from "../../support/test-catalogue.ts";

/* Records with every field of the contract's tables, beside minimal ones with only the required fields. */

/** The selections of catalogue and customers. */
export interface CompleteRecords {
  bareCustomerId: number;
  richCustomerId: number;
  /** A customer in a region without currency and language. */
  remoteCustomerId: number;
  bareLine: { productCode: string; priceCode: string };
  richLine: { productCode: string; priceCode: string; optionIds: number[] };
  bundleLine: { productCode: string; priceCode: string };
  feeLine: { productCode: string; priceCode: string };
  /** A plan with its own price in another currency, and so have all its fees and discounts. */
  dollarLine: { productCode: string; priceCode: string };
  /** Numbers of all products. */
  products: { id: number; code: string; priceIds: number[] }[];
}

const TIMESTAMP_SQL = "timestamptz '2026-02-01T00:00:00Z'";

/** Opens all of it for the gateway's vendor. */
export async function createCompleteRecords(gateway: TestGateway): Promise<CompleteRecords> {
  const catalogue = new TestCatalogue(gateway);
  const run = (statement: string) => gateway.database.handle.execute(sql.raw(statement));
  const customer = async (input: object = {}): Promise<number> => {
    const minimal = { name: "Kim Seo-yeon", email: "seoyeon@example.com", phone: "010-1234-5678" };
    return (await catalogue.runMutation("createCustomer", { ...minimal, ...input }, "customer { databaseId }")).customer
      .databaseId;
  };
  const bareCustomerId = await customer();
  const remoteCustomerId = await customer({ region: "AQ" });
  const richCustomerId = await customer({
    username: "seoyeon",
    region: "US_NEW_YORK",
    customFields: { vip: true, since: "2019" },
    additionalRecipients: ["desk@example.com"],
    shipping: {
      name: "Kim",
      phone: "010-1",
      postcode: "04524",
      address1: "1 Sejong-daero",
      address2: "2nd floor",
      state: "Seoul",
      city: "Seoul",
      countryCode: "KR",
    },
  });
  await run(`insert into payment_methods (vendor_id, customer_id, payment_info, method, gateway, created_at)
    values (${gateway.vendor.id}, ${richCustomerId}, 'Card 4242', 'CARD', 'PROVIDER_01', ${TIMESTAMP_SQL})`);
  const dormantCustomerId = await customer();
  await run(`update customers set status = 'DORMANT', dormant_at = ${TIMESTAMP_SQL} where id = ${dormantCustomerId}`);

  const bare = await catalogue.createProduct();
  const barePlan = await catalogue.createPlan(bare.databaseId);
  const side = await catalogue.createProduct({ type: "SOFTWARE", name: "Journal" });
  const cycle = { ...everyMonth, aggregateUsageType: "SUM", usageType: "METERED" };
  const sidePlan = await catalogue.createPlan(side.databaseId, { type: "FLAT", recurring: cycle });
  const ranges = [{ until: 10, price: "5" }, { price: "4" }];
  const metered = await catalogue.createPlan(side.databaseId, {
    type: "USAGE_BASED",
    recurring: cycle,
    additionalBilling: { type: "USAGE_BASED_WITH_RANGE", ranges },
    claim: { methodType: "POST", whenToClaimType: "DATE", billingDate: 5, provideStartDay: 1 },
  });
  const accounts = await catalogue.createPlan(side.databaseId, {
    type: "UNIT_BASED",
    recurring: { ...everyMonth, interval: "WEEK", aggregateUsageType: "MAX", usageType: "LICENSED" },
    additionalBilling: { type: "USAGE_BASED_WITH_RANGE_AND_FIXED_PRICE", ranges },
    setupOption: { name: "Base", type: "PERIODIC", price: "700", currencyPrice: { USD: "1" }, claimMethodType: "PRE" },
    firstSale: { enabled: true, price: "500", currencyPrice: { USD: "1" } },
    plan: { name: "Seats", description: "By seat", detailDescription: "Each seat", adminName: "seats" },
    unit: "seat",
    currencyPrice: { USD: "20" },
    basicServing: 2,
    maximumPurchaseQuantity: 50,
    order: 4,
  });
  const lastOf = (aggregateUsageType: string, interval: string) =>
    catalogue.createPlan(side.databaseId, {
      type: "USAGE_BASED",
      recurring: { interval, intervalCount: 1, aggregateUsageType, usageType: "METERED" },
      additionalBilling: { type: "USAGE_BASED_WITH_RANGE", ranges },
    });
  const measured = [await lastOf("LAST_DURING_PERIOD", "DAY"), await lastOf("LAST_EVER", "YEAR")];
  const volumes = [
    { min: 1, max: 9, price: "900" },
    { min: 10, price: "800" },
  ];
  const byVolume = await catalogue.createPlan(side.databaseId, { type: "VOLUME_BASED", volumes });

  const rich = await catalogue.createProduct(
    {
      name: "House blend",
      subTitle: "Round",
      description: "Beans",
      summary: "A blend",
      featuredImageUrl: "https://example.com/1.png",
      productOrder: 2,
      imageUrls: ["https://example.com/1.png"],
      sku: "HB-1",
      quantity: 500,
      useCombination: true,
      optionGroups: [
        { name: "Grind", options: [{ name: "Beans" }, { name: "Fine", price: "100", quantity: 50 }] },
        { name: "Size", options: [{ name: "S", parent: "Beans" }, { name: "L" }] },
      ],
      optionCombinations: [{ options: ["Beans", "S"], quantity: 100, price: "50" }, { options: ["Fine", "L"] }],
      enabledDemo: true,
      demoPeriod: 2,
      demoPeriodUnit: "WEEK",
      categories: ["Coffee"],
      eventBadge: [
        { event: "New", startDateTime: "2026-01-01T00:00:00Z", endDateTime: "2026-12-31T00:00:00Z" },
        { event: "Hot" },
      ],
      notice: "Keep cool.",
      groupId: 3,
      countrySetting: { countryCode: "KR", timezoneName: "Asia/Seoul", currencyCode: "KRW", taxRate: "10" },
      availableRegions: ["KR", "AQ", "US_NEW_YORK"],
    },
    "databaseId code optionGroups { options { databaseId } }",
  );
  await run(`update products set reason_of_reject = 'blurred' where id = ${rich.databaseId}`);
  const richPlan = await catalogue.createPlan(rich.databaseId, {
    type: "FLAT",
    recurring: everyMonth,
    currencyPrice: { USD: "13" },
    setupOption: { name: "Set-up", type: "INITIALLY", price: "1000" },
    membershipExpirationDate: 1,
    maximumPurchaseQuantity: 50,
    membershipExpirationDateType: "YEAR",
    options: [
      { name: "Journal", type: "PERIODIC", price: "500", optionPriceId: String(sidePlan.databaseId) },
      { name: "Gift wrap", type: "INITIALLY", price: "100" },
    ],
  });
  const withFee = await catalogue.createPlan(bare.databaseId, {
    setupOption: { name: "Engraving", type: "INITIALLY", price: "3000" },
    firstSale: { enabled: true, price: "500" },
  });
  const bundle = await catalogue.createProduct({
    type: "BUNDLE",
    name: "Starter set",
    combinedProductIds: [String(rich.databaseId), String(side.databaseId)],
  });
  const bundlePlan = await catalogue.createPlan(bundle.databaseId, {
    type: "BUNDLE",
    recurring: everyMonth,
    onetimeBundlePrice: "2000",
    bundlePrices: [
      { productId: String(rich.databaseId), priceId: String(richPlan.databaseId) },
      { productId: String(side.databaseId), priceId: String(metered.databaseId) },
    ],
  });
  await createSubscriptions(run, gateway.vendor.id, richCustomerId, {
    productId: rich.databaseId,
    priceId: richPlan.databaseId,
    optionId: rich.optionGroups[0]!.options[0]!.databaseId,
  });
  const [grind, size] = rich.optionGroups;
  const line = (product: { code: string }, plan: { code: string }) => ({
    productCode: product.code,
    priceCode: plan.code,
  });
  const toProductIds = (product: { databaseId: number; code: string }, ...plans: { databaseId: number }[]) => ({
    id: product.databaseId,
    code: product.code,
    priceIds: plans.map(({ databaseId }) => databaseId),
  });
  return {
    bareCustomerId,
    richCustomerId,
    remoteCustomerId,
    bareLine: line(bare, barePlan),
    feeLine: line(bare, withFee),
    dollarLine: line(side, accounts),
    richLine: { ...line(rich, richPlan), optionIds: [grind!.options[0]!.databaseId, size!.options[0]!.databaseId] },
    bundleLine: line(bundle, bundlePlan),
    products: [
      toProductIds(bare, barePlan, withFee),
      toProductIds(side, sidePlan, metered, byVolume, accounts, ...measured),
      toProductIds(rich, richPlan),
      toProductIds(bundle, bundlePlan),
    ],
  };
}

/** A subscription with a member of a bundle and a chosen option, and one that has hardly begun. */
async function createSubscriptions(
  run: (statement: string) => Promise<unknown>,
  vendorId: number,
  customerId: number,
  { productId, priceId, optionId }: { productId: number; priceId: number; optionId: number },
): Promise<void> {
  const common = `'ACTIVE', ${customerId}, ${priceId}, 'KRW', 'MONTH', 1, 'PRE', ${TIMESTAMP_SQL}, ${TIMESTAMP_SQL}, ${TIMESTAMP_SQL}, ${TIMESTAMP_SQL}, ${TIMESTAMP_SQL}, ${TIMESTAMP_SQL}`;
  const columns = `vendor_id, code, status, customer_id, price_id, currency, interval, interval_count, claim_method_type,
    start_date, cycle_anchor, current_period_start, current_period_end, created_at, modified_at`;
  await run(`insert into subscriptions (${columns}) values (${vendorId}, 'subscription_bare', ${common})`);
  await run(`insert into subscriptions (${columns}, payment_method_id, last_payment_date, next_payment_date, end_date, trial_end_date)
    select ${vendorId}, 'subscription_rich', ${common}, m.id, ${TIMESTAMP_SQL}, ${TIMESTAMP_SQL}, ${TIMESTAMP_SQL}, ${TIMESTAMP_SQL} from payment_methods m
    where m.vendor_id = ${vendorId}`);
  const item = (code: string, position: number, parent: string) =>
    run(`insert into subscription_items (vendor_id, code, subscription_id, position, type, product_id, price_id, price, currency,
      quantity, option_ids, option_label, option_price, parent_item_id, activated_at, created_at, modified_at)
    select ${vendorId}, '${code}', s.id, ${position}, 'SKU', ${productId}, ${priceId}, 18900, 'KRW', 1, '{${optionId}}', 'Beans', 100,
      ${parent}, ${TIMESTAMP_SQL}, ${TIMESTAMP_SQL}, ${TIMESTAMP_SQL} from subscriptions s where s.code = 'subscription_rich'`);
  await item("subscription_item_1", 0, "null::bigint");
  await item("subscription_item_2", 1, "(select id from subscription_items where code = 'subscription_item_1')");
}

/**
 * Sets the vendor's later orders to a state after all events: paid, refused, renewed, metered. No sequence of requests
 * leads to all these values, so the database sets them.
 */
export async function fillNewOrders(gateway: TestGateway): Promise<void> {
  const isOfVendor = `new.vendor_id = ${gateway.vendor.id}`;
  const run = (statement: string) => gateway.database.handle.execute(sql.raw(statement));
  const rich = "(select id from subscriptions where code = 'subscription_rich')";
  const createTrigger = async (name: string, moment: string, table: string, body: string) => {
    await run(`create function ${name}() returns trigger language plpgsql as $$ begin ${body} return new; end $$`);
    await run(
      `create trigger ${name} ${moment} insert on ${table} for each row when (${isOfVendor}) execute function ${name}()`,
    );
  };
  await createTrigger(
    "enrich_order",
    "before",
    "orders",
    `new.payment_date := ${TIMESTAMP_SQL}; new.payment_due_date := ${TIMESTAMP_SQL}; new.payment_method := 'CARD';
     new.paid_amount := new.amount + 1; new.returned_amount := 1; new.discounted_amount := new.discounted_amount + 1;
     new.calculate_start_date := ${TIMESTAMP_SQL}; new.calculate_end_date := ${TIMESTAMP_SQL}; new.parent_subscription_id := ${rich};`,
  );
  await createTrigger(
    "enrich_order_besides",
    "after",
    "orders",
    `insert into order_logs (vendor_id, order_id, type, content, created_at)
       select new.vendor_id, new.id, type, 'Told.', ${TIMESTAMP_SQL} from unnest(array['V1', 'RENEW', 'MANAGER', 'CUSTOMER', 'SYSTEM']) type;
     insert into order_subscriptions (vendor_id, order_id, subscription_id)
       select vendor_id, new.id, id from subscriptions where vendor_id = new.vendor_id;
     insert into payments (vendor_id, order_id, state, idempotency_key, amount, discount, currency, initiator, payment_gateway,
       payment_return, customer_name, customer_email, customer_phone, created_at, payment_method, payment_date, card_number, vbank,
       error_code, error_message, settled_at, gateway_reference, network, advice_code, payment_receipt_url)
     select new.vendor_id, new.id, case when whole then 'SUCCEEDED' else 'FAILED' end, new.code, 2, 1, 'KRW', 'CUSTOMER', 'PROVIDER_01',
       0, 'Kim', 'kim@example.com', '1', ${TIMESTAMP_SQL}, case when whole then 'CARD' end, case when whole then ${TIMESTAMP_SQL} end,
       case when whole then '****4242' end, case when whole then
       '{"bankCode": "001", "bankName": "First", "accountNumber": "1", "accountName": "Kim"}'::jsonb ||
       case when many then '{}'::jsonb else '{"bankDate": "2026-02-01T00:00:00.000Z"}' end end,
       case when not whole then '51' end, case when not whole then 'No funds' end, ${TIMESTAMP_SQL}, case when whole then 'ref-' || new.id end,
       case when whole then 'VISA' end, case when not whole then '01' end, 'https://example.com/receipt'
     from (select count(*) > 1 as whole, count(*) > 2 as many from orders where vendor_id = new.vendor_id and parent_subscription_id = ${rich}) seen;`,
  );
  await createTrigger(
    "enrich_line",
    "before",
    "order_items",
    `new.canceled_at := ${TIMESTAMP_SQL}; new.paid_amount := 1; new.returned_amount := 0; new.used_count := 1.5; new.unit_count := 2.5; new.usage_formula := '1 × 5'; new.delivery_code := 'D1';
     new.unit_change_history := '[{"changedCount": 1, "days": 3}]';
     new.related_subscription_item_id := (select id from subscription_items where code = 'subscription_item_1');`,
  );
  await createTrigger(
    "enrich_line_besides",
    "after",
    "order_items",
    `insert into order_item_histories (vendor_id, item_id, actor, category, status, reason, created_at)
     values (new.vendor_id, new.id, 'SYSTEM', 'PAYMENT', 'PAID', null, ${TIMESTAMP_SQL}), (new.vendor_id, new.id, 'SYSTEM', 'RETURN', 'RETURN_REFUNDED', null, ${TIMESTAMP_SQL}),
       (new.vendor_id, new.id, 'CUSTOMER', 'CANCELLATION', 'CANCELLATION_REQUEST', 'x', ${TIMESTAMP_SQL}), (new.vendor_id, new.id, 'MANAGER', 'EXCHANGE', 'EXCHANGE_REJECTED', 'x', ${TIMESTAMP_SQL});`,
  );
}

/** Gives later vendors a value in every setting that is empty by default. */
export async function fillNewVendors(gateway: TestGateway): Promise<void> {
  const run = (statement: string) => gateway.database.handle.execute(sql.raw(statement));
  await run(`create function enrich_vendor() returns trigger language plpgsql as $$ begin
    new.default_courier_id := 'courier'; new.payment_amount_scale := 2; new.custom_domain := 'pay.example.com';
    new.custom_domain_status := 'CONNECTED'; new.realm_identity_provider_id := '1f0c8c3e-0000-4000-8000-000000000000';
    new.consumer_key := 'key'; new.description := 'Beans'; new.contact_url := 'https://example.com/help';
    new.featured_image_url := 'https://example.com/1.png'; new.jeju_ship_amount := 3000; new.island_and_mountain_ship_amount := 5000;
    new.default_delivery_charge := 2500; new.free_ship_over_amount := 50000; new.noti_before_payment_time := 36061;
    new.workspace := 'beans'; new.realm_name := 'beans'; new.check_fail_builder := 'standard'; new.terms_agree := '[{"field": true, "title": "Terms", "order": 1, "content": "All."}]';
    new.apps := '[{"productCode": "p", "priceCode": "q", "status": "ACTIVE", "installed": true, "subscriptionId": null, "settings": {}},
      {"productCode": "p", "priceCode": "q", "status": "INACTIVE", "installed": false, "subscriptionId": 7, "settings": {"a": 1}}]';
    return new; end $$`);
  await run(
    `create trigger enrich_vendor before insert on vendor_settings for each row execute function enrich_vendor()`,
  );
  await run(`create function enrich_manager() returns trigger language plpgsql as $$ begin
    new.nickname := 'Owner'; return new; end $$`);
  await run(`create trigger enrich_manager before insert on managers for each row execute function enrich_manager()`);
}
