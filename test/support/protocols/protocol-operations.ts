import { Dice } from "../../../src/demo/seeded-random.ts";
import type { RequestOptions, TestGateway } from "../test-gateway.ts";
import { cards, Till } from "../test-payments.ts";
import * as ask from "./graphql-selections.ts";
import type { Known, Noun, Operation, Twins } from "./protocol-comparison.ts";

/** Chance that a seed decides: the same seed, the same operations. */
export class Chance extends Dice {
  isOneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  /** A field with a value, or none: then it is not sent. */
  maybe(name: string, value: unknown): object {
    return this.isOneIn(2) ? { [name]: value } : {};
  }
}

/** A record that nobody has. */
const NOBODY: Known = {
  rest: { id: 4_000_000, code: "order_nobodys00" },
  graph: { id: 4_000_000, code: "order_nobodys00" },
};

/** An input in both protocols: ids are numbers in REST and text in the graph, and so are amounts. */
const both = (rest: Record<string, unknown>, graph: Record<string, unknown>) => ({ rest, graph });

type Act = (chance: Chance, twins: Twins) => Operation;

const some = (chance: Chance, twins: Twins, noun: Noun | "customer" | "product" | "plan"): Known => {
  const known = twins.of(noun);
  return known.length === 0 || chance.isOneIn(12) ? NOBODY : chance.pick(known);
};

const mutation = (name: string, selection: string, more = ""): string =>
  `mutation ($input: ${name[0]!.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { ${selection} } } ${more}`;

const text = (value: unknown): unknown => (typeof value === "number" ? String(value) : value);

const registration = (
  path: string,
  name: string,
  noun: Noun,
  [part, selection]: readonly [string, string],
  input: ReturnType<typeof both>,
): Operation => ({
  rest: { method: "POST", path, body: input.rest },
  graphql: { query: mutation(name, `${part} { ${selection} }`), variables: { input: input.graph } },
  answer: `${name}.${part}`,
  isWhole: true,
  makes: noun,
});

/** Amounts as callers send them, wrong ones among them. */
const amounts = [0, 1, 18_900, 25_000.5, 999_999_999.99, -1, 0.1234567];
const names = ["Kim Seo-yeon", "커피 한 봉지", "", "n".repeat(501), 'O\'Brien & "Sons" <b>', "  trimmed?  "];
const dates = [
  "2026-03-01T00:00:00Z",
  "2026-03-31T23:59:59.999+09:00",
  "2024-02-29T12:00:00Z",
  "2026-02-30T00:00:00Z",
  "yesterday",
];
const intervals = ["DAY", "WEEK", "MONTH", "YEAR", "FORTNIGHT"];
const declines = ["51", "91", "41", "54", "05", "INSUFFICIENT_FUNDS", "no such code"];
const emails = ["seoyeon@example.com", "payer+tag@example.co.kr", "nobody"];

const partner = (chance: Chance, noun: string): string => `${noun}-${chance.below(10)}`;

/** What a play's operations are, each as often as it stands here. */
export const acts: Readonly<Record<string, Act>> = {
  registerCustomer: (chance) => {
    const input = {
      name: chance.pick(names),
      email: chance.pick(emails),
      phone: chance.pick(["010-1234-5678", "+82 10 1234 5678", "no number"]),
      partnerCustomerId: partner(chance, "customer"),
      ...chance.maybe("replaceIfExists", true),
    };
    return registration(
      "/cover/customer",
      "registerCoverCustomer",
      "coverCustomer",
      ["customer", ask.coverCustomer],
      both(input, input),
    );
  },
  registerGoodCustomer: (chance) => {
    const input = {
      name: "Kim Seo-yeon",
      email: "seoyeon@example.com",
      phone: "010-1234-5678",
      partnerCustomerId: partner(chance, "customer"),
      replaceIfExists: true,
    };
    return registration(
      "/cover/customer",
      "registerCoverCustomer",
      "coverCustomer",
      ["customer", ask.coverCustomer],
      both(input, input),
    );
  },
  registerProduct: (chance) => {
    const input = {
      name: chance.isOneIn(3) ? chance.pick(names) : "House blend",
      partnerProductId: partner(chance, "product"),
      ...chance.maybe("featuredImageUrl", chance.pick(["https://example.com/a.png", "javascript:alert(1)", null])),
      ...chance.maybe("replaceIfExists", true),
    };
    return registration(
      "/cover/product",
      "registerCoverProduct",
      "coverProduct",
      ["product", ask.coverProduct],
      both(input, input),
    );
  },
  registerPrice: (chance, twins) => {
    const product = some(chance, twins, "coverProduct");
    const price = chance.isOneIn(4) ? chance.pick(amounts) : 18_900;
    const rest = {
      name: chance.isOneIn(4) ? chance.pick(names) : "Monthly",
      partnerPriceId: partner(chance, "price"),
      ...chance.maybe("isRecurring", chance.isOneIn(2)),
      ...chance.maybe("recurringInterval", chance.pick(intervals)),
      ...chance.maybe("recurringIntervalCount", chance.pick([1, 3, 0])),
      ...chance.maybe("replaceIfExists", true),
    };
    const input = both(
      { ...rest, productId: product.rest.id, price },
      { ...rest, productId: String(product.graph.id), price: text(price) },
    );
    return registration("/cover/price", "registerCoverPrice", "coverPrice", ["price", ask.coverPrice], input);
  },
  registerSubscription: (chance, twins) => {
    const customer = some(chance, twins, "coverCustomer");
    const order = chance.isOneIn(4) ? some(chance, twins, "coverOrder") : undefined;
    const rest = {
      currentPeriodStart: chance.isOneIn(6) ? chance.pick(dates) : "2026-02-01T00:00:00Z",
      currentPeriodEnd: chance.isOneIn(6) ? chance.pick(dates) : "2026-04-01T00:00:00Z",
      recurringInterval: chance.isOneIn(3) ? chance.pick(intervals) : "MONTH",
      recurringIntervalCount: chance.pick([1, 1, 1, 2, 3, -1]),
      partnerSubscriptionId: partner(chance, "subscription"),
      ...chance.maybe("cancelAtPeriodEnd", chance.isOneIn(2)),
      ...(chance.isOneIn(5) && { trialStart: "2026-01-01T00:00:00Z", trialEnd: chance.pick(dates) }),
      ...(chance.isOneIn(6) && { canceledAt: chance.pick(dates) }),
      ...chance.maybe("replaceIfExists", true),
    };
    const input = both(
      { ...rest, customerId: customer.rest.id, ...(order && { initialOrderId: order.rest.id }) },
      { ...rest, customerId: String(customer.graph.id), ...(order && { initialOrderId: String(order.graph.id) }) },
    );
    return registration(
      "/cover/subscription",
      "registerCoverSubscription",
      "coverSubscription",
      ["subscription", ask.coverSubscription],
      input,
    );
  },
  registerOrder: (chance, twins) => {
    const customer = some(chance, twins, "coverCustomer");
    const subscription = chance.isOneIn(3) ? undefined : some(chance, twins, "coverSubscription");
    const lines = Array.from({ length: chance.pick([1, 1, 1, 2, 0]) }, () => ({
      price: some(chance, twins, "coverPrice"),
      quantity: chance.pick([1, 1, 1, 2, 3, 0]),
    }));
    const amount = chance.isOneIn(4) ? chance.pick(amounts) : 18_900;
    const returned = chance.isOneIn(8) ? chance.pick(amounts) : undefined;
    const isFailed = chance.isOneIn(2);
    const rest = {
      partnerOrderId: partner(chance, "order"),
      ...chance.maybe("replaceIfExists", true),
      ...(chance.isOneIn(6) && { paymentDate: chance.pick(dates) }),
      ...(chance.isOneIn(10) && { canceledDate: chance.pick(dates) }),
      ...(chance.isOneIn(6) && { idKey: `key-${chance.below(5)}` }),
      ...chance.maybe("paymentGateway", chance.pick(["HOUSE", "PROVIDER_01", "NO_SUCH"])),
      ...(isFailed && {
        paymentFailed: true,
        errorCode: chance.pick(declines),
        errorMessage: chance.pick(["잔액부족", ""]),
      }),
      ...(chance.isOneIn(6) && { paymentInfo: "VISA 4242" }),
    };
    const input = both(
      {
        ...rest,
        customerId: customer.rest.id,
        ...(subscription && { subscriptionId: subscription.rest.id }),
        amount,
        ...(returned !== undefined && { amountReturned: returned }),
        items: lines.map(({ price, quantity }) => ({ priceId: price.rest.id, quantity })),
      },
      {
        ...rest,
        customerId: String(customer.graph.id),
        ...(subscription && { subscriptionId: String(subscription.graph.id) }),
        amount: text(amount),
        ...(returned !== undefined && { amountReturned: text(returned) }),
        items: lines.map(({ price, quantity }) => ({ priceId: String(price.graph.id), quantity })),
      },
    );
    return registration("/cover/order", "registerCoverOrder", "coverOrder", ["order", ask.coverOrder], input);
  },
  startRecovery: (chance, twins) => {
    const isAny = chance.isOneIn(3);
    const subscription = isAny ? some(chance, twins, "coverSubscription") : first(twins, "coverSubscription");
    const order = isAny ? some(chance, twins, "coverOrder") : chance.pick(twins.of("coverOrder").slice(0, 3));
    const failure = {
      errorCode: chance.pick(declines),
      ...chance.maybe("errorMessage", "declined"),
    };
    return {
      rest: {
        method: "POST",
        path: "/cover/recovery",
        body: { ...failure, subscriptionId: subscription.rest.id, orderId: order.rest.id },
      },
      graphql: {
        query: mutation("startRecovery", "cover { coverId: databaseId retryDate }"),
        variables: {
          input: { ...failure, subscriptionId: String(subscription.graph.id), orderId: String(order.graph.id) },
        },
      },
      answer: "startRecovery.cover",
      isWhole: true,
    };
  },
  cancelSubscription: (chance, twins) => standing(some(chance, twins, "coverSubscription"), "cancel"),
  activateSubscription: (chance, twins) => standing(some(chance, twins, "coverSubscription"), "activate"),
  reportPaid: (chance, twins) => {
    const order = some(chance, twins, "coverOrder");
    const notify = chance.pick([undefined, true, false]);
    return {
      rest: {
        method: "PATCH",
        path: `/cover/order/success/${order.rest.id}${notify === undefined ? "" : `?notify=${String(notify)}`}`,
      },
      graphql: {
        query: mutation("reportCoverOrderPaid", `order { ${ask.coverOrder} }`),
        variables: { input: { orderId: String(order.graph.id), ...(notify !== undefined && { notify }) } },
      },
      answer: "reportCoverOrderPaid.order",
      isWhole: true,
    };
  },
  cancelCoverOrder: (chance, twins) => {
    const order = some(chance, twins, "coverOrder");
    return {
      rest: { method: "PATCH", path: `/cover/order/cancel/${order.rest.id}` },
      graphql: {
        query: mutation("cancelCoverOrder", `order { ${ask.coverOrder} }`),
        variables: { input: { orderId: String(order.graph.id) } },
      },
      answer: "cancelCoverOrder.order",
      isWhole: true,
    };
  },
  listCustomers: (chance) =>
    page(chance, "customers", ["customerPage", "CustomerSortField", "CustomerFilterInput", ask.customerRow], {
      createdAt: "CREATED_AT",
      name: "NAME",
      email: "EMAIL",
      id: "ID",
    }),
  listOrders: (chance) =>
    page(chance, "orders", ["orderPage", "OrderSortField", "OrderFilterInput", ask.orderRow], {
      createdAt: "CREATED_AT",
      modifiedAt: "MODIFIED_AT",
      paymentDate: "PAYMENT_DATE",
      purchaseDeadline: "PURCHASE_DEADLINE",
      paidAmount: "PAID_AMOUNT",
      customerName: "CUSTOMER_NAME",
      productName: "PRODUCT_NAME",
      id: "ID",
    }),
  readCustomer: (chance, twins) => {
    const { rest, graph } = some(chance, twins, "customer");
    return {
      rest: { method: "GET", path: `/customers/${rest.id}` },
      graphql: {
        query: `query ($id: ID!) { customer(id: $id) { ${ask.customer} } }`,
        variables: { id: String(graph.id) },
      },
      answer: "customer",
      missing: "CUSTOMER_NOT_FOUND",
      isWhole: true,
    };
  },
  createOrder: (chance, twins) => {
    const customer = some(chance, twins, "customer");
    const place = chance.below(3);
    const [product, plan] = [
      twins.of("product")[place]!,
      twins.of("plan")[chance.isOneIn(8) ? chance.below(3) : place]!,
    ];
    const line = {
      ...chance.maybe("quantity", chance.pick([1, 2, 0, -1])),
      ...(chance.isOneIn(4) && { maximumQuantity: chance.pick([1, 5]) }),
    };
    const rest = {
      currency: chance.pick(["KRW", "KRW", "KRW", "USD", "XXX"]),
      ...(chance.isOneIn(4) && { purchaseDeadline: chance.pick(["2027-01-01T00:00:00Z", ...dates]) }),
      ...(chance.isOneIn(5) && { paymentGateway: chance.pick(["HOUSE", "PROVIDER_02"]) }),
      ...(chance.isOneIn(5) && { region: chance.pick(["KR", "US", "Atlantis"]) }),
    };
    const items = (side: "rest" | "graph") => [
      { ...line, productCode: product[side].code, priceCode: plan[side].code },
    ];
    return {
      rest: { method: "POST", path: "/orders", body: { ...rest, customerId: customer.rest.id, items: items("rest") } },
      graphql: {
        query: mutation(
          "createOrder",
          `order { ${ask.createdOrder} region { name: code currencies country countryCode state language } }`,
        ),
        variables: { input: { ...rest, customerId: String(customer.graph.id), items: items("graph") } },
      },
      answer: "createOrder.order",
      makes: "order",
    };
  },
  readOrder: (chance, twins) => {
    const order = some(chance, twins, "order");
    const by = chance.pick(["id", "code"] as const);
    return {
      rest: { method: "GET", path: `/orders/${order.rest[by]}` },
      graphql: {
        query: `query ($idOrCode: Line!) { orderByIdOrCode(idOrCode: $idOrCode) { ${ask.order} } }`,
        variables: { idOrCode: String(order.graph[by]) },
      },
      answer: "orderByIdOrCode",
      missing: "ORDER_NOT_FOUND",
    };
  },
  linkToCheckout: (chance, twins) => {
    const order = some(chance, twins, "order");
    const urls = {
      ...chance.maybe("successUrl", chance.pick(["https://shop.example/thanks", "javascript:alert(1)"])),
      ...chance.maybe("lang", "ko"),
    };
    const query = new URLSearchParams(urls as Record<string, string>).toString();
    return {
      rest: { method: "GET", path: `/orders/${order.rest.code}/pay?${query}` },
      graphql: {
        query: `query ($idOrCode: Line!, $successUrl: ReturnUrl, $lang: Line) { checkoutLink(idOrCode: $idOrCode, successUrl: $successUrl, lang: $lang) { url } }`,
        variables: { idOrCode: order.graph.code, ...urls },
      },
      answer: "checkoutLink",
      missing: "ORDER_NOT_FOUND",
      read: (_body, { location }) => ({ url: location }),
    };
  },
  readProduct: (chance, twins) => {
    const { rest, graph } = some(chance, twins, "product");
    return {
      rest: { method: "GET", path: `/products/${rest.code}` },
      graphql: {
        query: `query ($code: Line!) { product(code: $code) { ${ask.product} } }`,
        variables: { code: graph.code },
      },
      answer: "product",
      missing: "PRODUCT_NOT_FOUND",
    };
  },
  listPrices: (chance, twins) => {
    const { rest, graph } = some(chance, twins, "product");
    return {
      rest: { method: "GET", path: `/products/${rest.id}/prices` },
      graphql: {
        query: `query ($id: ID!) { product(id: $id) { prices { ${ask.pricePlan} } } }`,
        variables: { id: String(graph.id) },
      },
      answer: "product.prices",
      missing: "PRODUCT_NOT_FOUND",
    };
  },
  readPrice: (chance, twins) => {
    const [product, plan] = [some(chance, twins, "product"), some(chance, twins, "plan")];
    return {
      rest: { method: "GET", path: `/products/${product.rest.id}/prices/${plan.rest.id}` },
      graphql: {
        query: `query ($id: ID!, $productId: ID!) { pricePlan(id: $id, productId: $productId) { ${ask.pricePlan} } }`,
        variables: { id: String(plan.graph.id), productId: String(product.graph.id) },
      },
      answer: "pricePlan",
      missing: "PRICE_NOT_FOUND",
    };
  },
  createInvoice: (chance, twins) => {
    const customer = some(chance, twins, "customer");
    const place = chance.below(3);
    const [product, plan] = [twins.of("product")[place]!, twins.of("plan")[place]!];
    const price = chance.isOneIn(3) ? chance.pick(amounts) : undefined;
    const discount = chance.isOneIn(3) ? chance.pick([100, ...amounts]) : undefined;
    const rest = {
      publishMethods: chance.pick([["EMAIL"], ["SMS", "EMAIL"], []]),
      ...chance.maybe("invoicePayMethods", ["CARD", "VBANK"]),
      ...(chance.isOneIn(4) && { purchaseDeadline: chance.pick(["2027-01-01T00:00:00Z", ...dates]) }),
      ...chance.maybe("memoToCustomer", "Thank you."),
    };
    const isDraft = chance.isOneIn(3);
    const input = (side: "rest" | "graph", amount: (value: number) => unknown) => ({
      ...rest,
      customerId: side === "rest" ? customer.rest.id : String(customer.graph.id),
      items: [
        {
          productCode: product[side].code,
          priceCode: plan[side].code,
          ...(price !== undefined && { price: amount(price) }),
        },
      ],
      ...(discount !== undefined && { discount: amount(discount) }),
    });
    return {
      rest: {
        method: "POST",
        path: `/invoices${isDraft ? "?temporary=true" : ""}`,
        body: input("rest", (value) => value),
      },
      graphql: {
        query: mutation("createInvoice", "invoice { databaseId }"),
        variables: { input: { ...input("graph", String), ...(isDraft && { temporary: true }) } },
      },
      answer: "createInvoice.invoice",
      isWhole: true,
      makes: "invoice",
    };
  },
  createChild: (chance, twins) => {
    const input = {
      name: chance.isOneIn(3) ? chance.pick(names) : "Bean Corner",
      email: chance.isOneIn(3) ? chance.pick(emails) : `owner${chance.below(1000)}@example.com`,
      password: chance.pick(["short", "correct horse"]),
      ...chance.maybe("phone", "010-2345-6789"),
    };
    return {
      rest: { method: "POST", path: `/vendors/${twins.uuids.rest}/children`, body: input },
      graphql: {
        query: mutation("createChildVendor", `child { ${ask.createdChild} }`),
        variables: { input: { ...input, vendorUuid: twins.uuids.graph } },
      },
      answer: "createChildVendor.child",
    };
  },
  listChildren: (chance, twins) => {
    const [page, size] = [chance.pick([0, 0, 1, -1]), chance.pick([20, 1, 1000, 0])];
    return {
      rest: { method: "GET", path: `/vendors/${twins.uuids.rest}/children?page=${page}&size=${size}` },
      graphql: {
        query: `query ($vendorUuid: UUID!, $page: Int!, $size: Int!) { childVendorPage(vendorUuid: $vendorUuid, page: $page, size: $size) { rows { ${ask.childVendor} } totalCount } }`,
        variables: { vendorUuid: twins.uuids.graph, page, size },
      },
      answer: "childVendorPage",
      missing: "VENDOR_NOT_FOUND",
      isWhole: true,
      read: (rows, headers) => ({ rows, totalCount: Number(headers["x-total-count"]) }),
    };
  },
};

/** The record that a play begins with. */
const first = (twins: Twins, noun: Noun | "customer" | "product" | "plan"): Known => twins.of(noun)[0]!;

/** What every play begins with, so that there are records to read and change: each of these succeeds. */
export const beginning: readonly ((twins: Twins) => Operation)[] = [
  () => acts["registerGoodCustomer"]!(new Chance(1), undefined as never),
  () => {
    const input = { name: "House blend", partnerProductId: "product-first" };
    return registration(
      "/cover/product",
      "registerCoverProduct",
      "coverProduct",
      ["product", ask.coverProduct],
      both(input, input),
    );
  },
  (twins) => {
    const { rest, graph } = first(twins, "coverProduct");
    const facts = { name: "Monthly", partnerPriceId: "price-first" };
    const input = both(
      { ...facts, productId: rest.id, price: 18_900 },
      { ...facts, productId: String(graph.id), price: "18900" },
    );
    return registration("/cover/price", "registerCoverPrice", "coverPrice", ["price", ask.coverPrice], input);
  },
  ...[1, 2].map((nth) => (twins: Twins) => {
    const { rest, graph } = first(twins, "coverCustomer");
    const facts = {
      currentPeriodStart: "2026-02-01T00:00:00Z",
      currentPeriodEnd: "2026-04-01T00:00:00Z",
      recurringInterval: "MONTH",
      recurringIntervalCount: 1,
      partnerSubscriptionId: `subscription-first-${nth}`,
    };
    const input = both({ ...facts, customerId: rest.id }, { ...facts, customerId: String(graph.id) });
    return registration(
      "/cover/subscription",
      "registerCoverSubscription",
      "coverSubscription",
      ["subscription", ask.coverSubscription],
      input,
    );
  }),
  ...[1, 2, 3].map((nth) => (twins: Twins) => {
    const [customer, price] = [first(twins, "coverCustomer"), first(twins, "coverPrice")];
    const subscription = first(twins, "coverSubscription");
    const facts = { partnerOrderId: `order-first-${nth}` };
    const input = (side: "rest" | "graph", value: (number: number) => unknown) => ({
      ...facts,
      customerId: value(customer[side].id),
      subscriptionId: value(subscription[side].id),
      amount: value(18_900),
      items: [{ quantity: nth, priceId: value(price[side].id) }],
    });
    return registration(
      "/cover/order",
      "registerCoverOrder",
      "coverOrder",
      ["order", ask.coverOrder],
      both(
        input("rest", (number) => number),
        input("graph", String),
      ),
    );
  }),
  ...[0, 1].map((place) => (twins: Twins) => {
    const [customer, product, plan] = [first(twins, "customer"), twins.of("product")[place]!, twins.of("plan")[place]!];
    const items = (side: "rest" | "graph") => [{ productCode: product[side].code, priceCode: plan[side].code }];
    return {
      rest: { method: "POST" as const, path: "/orders", body: { customerId: customer.rest.id, items: items("rest") } },
      graphql: {
        query: mutation("createOrder", `order { ${ask.createdOrder} }`),
        variables: { input: { customerId: String(customer.graph.id), currency: "KRW", items: items("graph") } },
      },
      answer: "createOrder.order",
      makes: "order" as const,
    };
  }),
];

function standing({ rest, graph }: Known, verb: "cancel" | "activate"): Operation {
  const name = `${verb}CoverSubscription`;
  return {
    rest: { method: "PUT", path: `/cover/subscription/${rest.id}/${verb === "cancel" ? "cancel" : "active"}` },
    graphql: { query: mutation(name, "message"), variables: { input: { subscriptionId: String(graph.id) } } },
    answer: name,
  };
}

/** A numbered page of a list, sorted and filtered somehow. */
function page(
  chance: Chance,
  path: string,
  [name, sortField, filterInput, row]: readonly [string, string, string, string],
  sorts: Readonly<Record<string, string>>,
): Operation {
  const [number, size] = [chance.pick([0, 0, 0, 1, 50, -1]), chance.pick([20, 5, 1, 40, 0])];
  // By their codes, which are chance, the twins are sorted otherwise.
  const [sort, field] = chance.pick(Object.entries(sorts));
  const direction = chance.pick(["ASC", "DESC"]);
  const keyword = chance.pick([undefined, undefined, "kim seo", "Journal", "payer1", "%_"]);
  // Days begin in the vendor's zone, which the graph leaves to whoever asks.
  const from = chance.isOneIn(4) ? chance.pick(["2026-03-01T00:00:00Z", "2026-05-01T00:00:00Z"]) : undefined;
  const query = new URLSearchParams({
    page: String(number),
    size: String(size),
    sort,
    sortDir: direction,
    ...(keyword !== undefined && { keyword }),
    ...(from !== undefined && { startDate: from }),
  });
  const filter = { ...(keyword !== undefined && { keyword }), ...(from !== undefined && { createdAt: { from } }) };
  return {
    rest: { method: "GET", path: `/${path}?${query.toString()}` },
    graphql: {
      query: `query ($page: Int!, $size: Int!, $by: ${sortField}!, $direction: SortDirection!, $filter: ${filterInput}) {
        ${name}(page: $page, size: $size, orderBy: { field: $by, direction: $direction }, filter: $filter) { rows { ${row} } totalCount } }`,
      variables: { page: number, size, by: field, direction, filter },
    },
    answer: name,
    read: ({ content, totalElements }) => ({ rows: content, totalCount: totalElements }),
  };
}

/** A payer pays an order: in both databases by GraphQL, since REST has no such call. */
export async function pay(chance: Chance, twins: Twins): Promise<string[]> {
  const known = twins.of("order");
  if (known.length === 0) return [];
  const [order, card] = [chance.pick(known), chance.pick([cards.approved, cards.approved, cards.insufficientFunds])];
  return twins.both(async (gateway: TestGateway, options: RequestOptions, side) => {
    const { data, errors } = await Till.at(gateway, options).pay(order[side].id, card);
    return errors ? errors[0]!.extensions["code"] : data.payOrder.order.paidAmount;
  });
}
