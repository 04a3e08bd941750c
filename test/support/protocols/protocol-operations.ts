import { SeededRandom } from "../../../src/demo/seeded-random.ts";
import type { RequestOptions, TestGateway } from "../test-gateway.ts";
import { testCards, TestPayments } from "../test-payments.ts";
import * as ask from "./graphql-selections.ts";
import type { RecordPair, RecordNoun, ProtocolOperation, ProtocolComparison } from "./protocol-comparison.ts";

/** A random source with a seed: the same seed selects the same operations. */
export class OperationRandom extends SeededRandom {
  isOneIn(count: number): boolean {
    return this.integerBelow(count) === 0;
  }

  /** A field with a value, or nothing: then it is not sent. */
  maybe(name: string, value: unknown): object {
    return this.isOneIn(2) ? { [name]: value } : {};
  }
}

/** An id of no record. */
const UNKNOWN_RECORD: RecordPair = {
  rest: { id: 4_000_000, code: "order_nobodys00" },
  graph: { id: 4_000_000, code: "order_nobodys00" },
};

/** An input in both protocols: ids are numbers in REST and text in GraphQL, and so are amounts. */
const inputsOfBoth = (rest: Record<string, unknown>, graph: Record<string, unknown>) => ({ rest, graph });

type CreateOperation = (chance: OperationRandom, twins: ProtocolComparison) => ProtocolOperation;

const pickRecord = (
  chance: OperationRandom,
  twins: ProtocolComparison,
  noun: RecordNoun | "customer" | "product" | "plan",
): RecordPair => {
  const known = twins.recordsOf(noun);
  return known.length === 0 || chance.isOneIn(12) ? UNKNOWN_RECORD : chance.pick(known);
};

const mutationDocument = (name: string, selection: string): string =>
  `mutation ($input: ${name[0]!.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { ${selection} } }`;

const toGraphText = (value: unknown): unknown => (typeof value === "number" ? String(value) : value);

const registrationOperation = (
  path: string,
  name: string,
  noun: RecordNoun,
  [part, selection]: readonly [string, string],
  input: ReturnType<typeof inputsOfBoth>,
): ProtocolOperation => ({
  rest: { method: "POST", path, body: input.rest },
  graphql: { query: mutationDocument(name, `${part} { ${selection} }`), variables: { input: input.graph } },
  resultPath: `${name}.${part}`,
  isExhaustive: true,
  createdNoun: noun,
});

/** Amounts as callers send them, including invalid ones. */
const sampleAmounts = [0, 1, 18_900, 25_000.5, 999_999_999.99, -1, 0.1234567];
const sampleNames = ["Kim Seo-yeon", "커피 한 봉지", "", "n".repeat(501), 'O\'Brien & "Sons" <b>', "  trimmed?  "];
const sampleDates = [
  "2026-03-01T00:00:00Z",
  "2026-03-31T23:59:59.999+09:00",
  "2024-02-29T12:00:00Z",
  "2026-02-30T00:00:00Z",
  "yesterday",
];
const sampleIntervals = ["DAY", "WEEK", "MONTH", "YEAR", "FORTNIGHT"];
const sampleDeclineCodes = ["51", "91", "41", "54", "05", "INSUFFICIENT_FUNDS", "no such code"];
const sampleEmails = ["seoyeon@example.com", "payer+tag@example.co.kr", "nobody"];

const partnerIdOf = (chance: OperationRandom, noun: string): string => `${noun}-${chance.integerBelow(10)}`;

/** The operations of a sequence; a frequent one is listed more than once. */
export const operationFactories: Readonly<Record<string, CreateOperation>> = {
  registerCustomer: (chance) => {
    const input = {
      name: chance.pick(sampleNames),
      email: chance.pick(sampleEmails),
      phone: chance.pick(["010-1234-5678", "+82 10 1234 5678", "no number"]),
      partnerCustomerId: partnerIdOf(chance, "customer"),
      ...chance.maybe("replaceIfExists", true),
    };
    return registrationOperation(
      "/cover/customer",
      "registerCoverCustomer",
      "coverCustomer",
      ["customer", ask.coverCustomerFields],
      inputsOfBoth(input, input),
    );
  },
  registerGoodCustomer: (chance) => {
    const input = {
      name: "Kim Seo-yeon",
      email: "seoyeon@example.com",
      phone: "010-1234-5678",
      partnerCustomerId: partnerIdOf(chance, "customer"),
      replaceIfExists: true,
    };
    return registrationOperation(
      "/cover/customer",
      "registerCoverCustomer",
      "coverCustomer",
      ["customer", ask.coverCustomerFields],
      inputsOfBoth(input, input),
    );
  },
  registerProduct: (chance) => {
    const input = {
      name: chance.isOneIn(3) ? chance.pick(sampleNames) : "House blend",
      partnerProductId: partnerIdOf(chance, "product"),
      ...chance.maybe("featuredImageUrl", chance.pick(["https://example.com/a.png", "javascript:alert(1)", null])),
      ...chance.maybe("replaceIfExists", true),
    };
    return registrationOperation(
      "/cover/product",
      "registerCoverProduct",
      "coverProduct",
      ["product", ask.coverProductFields],
      inputsOfBoth(input, input),
    );
  },
  registerPrice: (chance, twins) => {
    const product = pickRecord(chance, twins, "coverProduct");
    const price = chance.isOneIn(4) ? chance.pick(sampleAmounts) : 18_900;
    const rest = {
      name: chance.isOneIn(4) ? chance.pick(sampleNames) : "Monthly",
      partnerPriceId: partnerIdOf(chance, "price"),
      ...chance.maybe("isRecurring", chance.isOneIn(2)),
      ...chance.maybe("recurringInterval", chance.pick(sampleIntervals)),
      ...chance.maybe("recurringIntervalCount", chance.pick([1, 3, 0])),
      ...chance.maybe("replaceIfExists", true),
    };
    const input = inputsOfBoth(
      { ...rest, productId: product.rest.id, price },
      { ...rest, productId: String(product.graph.id), price: toGraphText(price) },
    );
    return registrationOperation(
      "/cover/price",
      "registerCoverPrice",
      "coverPrice",
      ["price", ask.coverPriceFields],
      input,
    );
  },
  registerSubscription: (chance, twins) => {
    const customer = pickRecord(chance, twins, "coverCustomer");
    const order = chance.isOneIn(4) ? pickRecord(chance, twins, "coverOrder") : undefined;
    const rest = {
      currentPeriodStart: chance.isOneIn(6) ? chance.pick(sampleDates) : "2026-02-01T00:00:00Z",
      currentPeriodEnd: chance.isOneIn(6) ? chance.pick(sampleDates) : "2026-04-01T00:00:00Z",
      recurringInterval: chance.isOneIn(3) ? chance.pick(sampleIntervals) : "MONTH",
      recurringIntervalCount: chance.pick([1, 1, 1, 2, 3, -1]),
      partnerSubscriptionId: partnerIdOf(chance, "subscription"),
      ...chance.maybe("cancelAtPeriodEnd", chance.isOneIn(2)),
      ...(chance.isOneIn(5) && { trialStart: "2026-01-01T00:00:00Z", trialEnd: chance.pick(sampleDates) }),
      ...(chance.isOneIn(6) && { canceledAt: chance.pick(sampleDates) }),
      ...chance.maybe("replaceIfExists", true),
    };
    const input = inputsOfBoth(
      { ...rest, customerId: customer.rest.id, ...(order && { initialOrderId: order.rest.id }) },
      { ...rest, customerId: String(customer.graph.id), ...(order && { initialOrderId: String(order.graph.id) }) },
    );
    return registrationOperation(
      "/cover/subscription",
      "registerCoverSubscription",
      "coverSubscription",
      ["subscription", ask.coverSubscriptionFields],
      input,
    );
  },
  registerOrder: (chance, twins) => {
    const customer = pickRecord(chance, twins, "coverCustomer");
    const subscription = chance.isOneIn(3) ? undefined : pickRecord(chance, twins, "coverSubscription");
    const lines = Array.from({ length: chance.pick([1, 1, 1, 2, 0]) }, () => ({
      price: pickRecord(chance, twins, "coverPrice"),
      quantity: chance.pick([1, 1, 1, 2, 3, 0]),
    }));
    const amount = chance.isOneIn(4) ? chance.pick(sampleAmounts) : 18_900;
    const canceled = chance.isOneIn(10) && chance.pick(sampleDates);
    const returned = chance.isOneIn(8) ? chance.pick(sampleAmounts) : undefined;
    const isFailed = chance.isOneIn(2);
    const rest = {
      partnerOrderId: partnerIdOf(chance, "order"),
      ...chance.maybe("replaceIfExists", true),
      ...(chance.isOneIn(6) && { paymentDate: chance.pick(sampleDates) }),
      ...(chance.isOneIn(6) && { idKey: `key-${chance.integerBelow(5)}` }),
      ...chance.maybe("paymentGateway", chance.pick(["HOUSE", "PROVIDER_01", "NO_SUCH"])),
      ...(isFailed && {
        paymentFailed: true,
        errorCode: chance.pick(sampleDeclineCodes),
        errorMessage: chance.pick(["잔액부족", ""]),
      }),
      ...(chance.isOneIn(6) && { paymentInfo: "VISA 4242" }),
    };
    const input = inputsOfBoth(
      {
        ...rest,
        ...(canceled && { canceledDate: canceled }),
        customerId: customer.rest.id,
        ...(subscription && { subscriptionId: subscription.rest.id }),
        amount,
        ...(returned !== undefined && { amountReturned: returned }),
        items: lines.map(({ price, quantity }) => ({ priceId: price.rest.id, quantity })),
      },
      {
        ...rest,
        ...(canceled && { canceledAt: canceled }),
        customerId: String(customer.graph.id),
        ...(subscription && { subscriptionId: String(subscription.graph.id) }),
        amount: toGraphText(amount),
        ...(returned !== undefined && { amountReturned: toGraphText(returned) }),
        items: lines.map(({ price, quantity }) => ({ priceId: String(price.graph.id), quantity })),
      },
    );
    return registrationOperation(
      "/cover/order",
      "registerCoverOrder",
      "coverOrder",
      ["order", ask.coverOrderFields],
      input,
    );
  },
  startRecovery: (chance, twins) => {
    const isAny = chance.isOneIn(3);
    const subscription = isAny
      ? pickRecord(chance, twins, "coverSubscription")
      : firstRecord(twins, "coverSubscription");
    const order = isAny
      ? pickRecord(chance, twins, "coverOrder")
      : chance.pick(twins.recordsOf("coverOrder").slice(0, 3));
    const failure = {
      errorCode: chance.pick(sampleDeclineCodes),
      ...chance.maybe("errorMessage", "declined"),
    };
    return {
      rest: {
        method: "POST",
        path: "/cover/recovery",
        body: { ...failure, subscriptionId: subscription.rest.id, orderId: order.rest.id },
      },
      graphql: {
        query: mutationDocument("startRecovery", "cover { coverId: databaseId retryDate }"),
        variables: {
          input: { ...failure, subscriptionId: String(subscription.graph.id), orderId: String(order.graph.id) },
        },
      },
      resultPath: "startRecovery.cover",
      isExhaustive: true,
    };
  },
  cancelSubscription: (chance, twins) =>
    setSubscriptionActive(pickRecord(chance, twins, "coverSubscription"), "cancel"),
  activateSubscription: (chance, twins) =>
    setSubscriptionActive(pickRecord(chance, twins, "coverSubscription"), "activate"),
  reportPaid: (chance, twins) => {
    const order = pickRecord(chance, twins, "coverOrder");
    const notify = chance.pick([undefined, true, false]);
    return {
      rest: {
        method: "PATCH",
        path: `/cover/order/success/${order.rest.id}${notify === undefined ? "" : `?notify=${String(notify)}`}`,
      },
      graphql: {
        query: mutationDocument("reportCoverOrderPaid", `order { ${ask.coverOrderFields} }`),
        variables: { input: { orderId: String(order.graph.id), ...(notify !== undefined && { notify }) } },
      },
      resultPath: "reportCoverOrderPaid.order",
      isExhaustive: true,
    };
  },
  cancelCoverOrder: (chance, twins) => {
    const order = pickRecord(chance, twins, "coverOrder");
    return {
      rest: { method: "PATCH", path: `/cover/order/cancel/${order.rest.id}` },
      graphql: {
        query: mutationDocument("cancelCoverOrder", `order { ${ask.coverOrderFields} }`),
        variables: { input: { orderId: String(order.graph.id) } },
      },
      resultPath: "cancelCoverOrder.order",
      isExhaustive: true,
    };
  },
  listCustomers: (chance) =>
    pageOperation(
      chance,
      "customers",
      ["customerPage", "CustomerSortField", "CustomerFilterInput", ask.customerRowFields],
      {
        createdAt: "CREATED_AT",
        name: "NAME",
        email: "EMAIL",
        id: "ID",
      },
    ),
  listOrders: (chance) =>
    pageOperation(chance, "orders", ["orderPage", "OrderSortField", "OrderFilterInput", ask.orderRowFields], {
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
    const { rest, graph } = pickRecord(chance, twins, "customer");
    return {
      rest: { method: "GET", path: `/customers/${rest.id}` },
      graphql: {
        query: `query ($id: ID!) { customer(id: $id) { ${ask.customerFields} } }`,
        variables: { id: String(graph.id) },
      },
      resultPath: "customer",
      notFoundCode: "CUSTOMER_NOT_FOUND",
      isExhaustive: true,
    };
  },
  createOrder: (chance, twins) => {
    const customer = pickRecord(chance, twins, "customer");
    const place = chance.integerBelow(3);
    const [product, plan] = [
      twins.recordsOf("product")[place]!,
      twins.recordsOf("plan")[chance.isOneIn(8) ? chance.integerBelow(3) : place]!,
    ];
    const line = {
      ...chance.maybe("quantity", chance.pick([1, 2, 0, -1])),
      ...(chance.isOneIn(4) && { maximumQuantity: chance.pick([1, 5]) }),
    };
    const rest = {
      currency: chance.pick(["KRW", "KRW", "KRW", "USD", "XXX"]),
      ...(chance.isOneIn(4) && { purchaseDeadline: chance.pick(["2027-01-01T00:00:00Z", ...sampleDates]) }),
      ...(chance.isOneIn(5) && { paymentGateway: chance.pick(["HOUSE", "PROVIDER_02"]) }),
      ...(chance.isOneIn(5) && { region: chance.pick(["KR", "US", "Atlantis"]) }),
    };
    const items = (side: "rest" | "graph") => [
      { ...line, productCode: product[side].code, priceCode: plan[side].code },
    ];
    return {
      rest: { method: "POST", path: "/orders", body: { ...rest, customerId: customer.rest.id, items: items("rest") } },
      graphql: {
        query: mutationDocument(
          "createOrder",
          `order { ${ask.createdOrderFields} region { name: code currencies country countryCode state language } }`,
        ),
        variables: { input: { ...rest, customerId: String(customer.graph.id), items: items("graph") } },
      },
      resultPath: "createOrder.order",
      createdNoun: "order",
    };
  },
  readOrder: (chance, twins) => {
    const order = pickRecord(chance, twins, "order");
    const by = chance.pick(["id", "code"] as const);
    return {
      rest: { method: "GET", path: `/orders/${order.rest[by]}` },
      graphql: {
        query: `query ($idOrCode: Line!) { orderByIdOrCode(idOrCode: $idOrCode) { ${ask.orderFields} } }`,
        variables: { idOrCode: String(order.graph[by]) },
      },
      resultPath: "orderByIdOrCode",
      notFoundCode: "ORDER_NOT_FOUND",
    };
  },
  linkToCheckout: (chance, twins) => {
    const order = pickRecord(chance, twins, "order");
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
      resultPath: "checkoutLink",
      notFoundCode: "ORDER_NOT_FOUND",
      readRestRecord: (_body, { location }) => ({ url: location }),
    };
  },
  readProduct: (chance, twins) => {
    const { rest, graph } = pickRecord(chance, twins, "product");
    return {
      rest: { method: "GET", path: `/products/${rest.code}` },
      graphql: {
        query: `query ($code: Line!) { product(code: $code) { ${ask.productFields} } }`,
        variables: { code: graph.code },
      },
      resultPath: "product",
      notFoundCode: "PRODUCT_NOT_FOUND",
    };
  },
  listPrices: (chance, twins) => {
    const { rest, graph } = pickRecord(chance, twins, "product");
    return {
      rest: { method: "GET", path: `/products/${rest.id}/prices` },
      graphql: {
        query: `query ($id: ID!) { product(id: $id) { prices { ${ask.pricePlanFields} } } }`,
        variables: { id: String(graph.id) },
      },
      resultPath: "product.prices",
      notFoundCode: "PRODUCT_NOT_FOUND",
    };
  },
  readPrice: (chance, twins) => {
    const [product, plan] = [pickRecord(chance, twins, "product"), pickRecord(chance, twins, "plan")];
    return {
      rest: { method: "GET", path: `/products/${product.rest.id}/prices/${plan.rest.id}` },
      graphql: {
        query: `query ($id: ID!, $productId: ID!) { pricePlan(id: $id, productId: $productId) { ${ask.pricePlanFields} } }`,
        variables: { id: String(plan.graph.id), productId: String(product.graph.id) },
      },
      resultPath: "pricePlan",
      notFoundCode: "PRICE_NOT_FOUND",
    };
  },
  createInvoice: (chance, twins) => {
    const customer = pickRecord(chance, twins, "customer");
    const place = chance.integerBelow(3);
    const [product, plan] = [twins.recordsOf("product")[place]!, twins.recordsOf("plan")[place]!];
    const price = chance.isOneIn(3) ? chance.pick(sampleAmounts) : undefined;
    const discount = chance.isOneIn(3) ? chance.pick([100, ...sampleAmounts]) : undefined;
    const rest = {
      publishMethods: chance.pick([["EMAIL"], ["SMS", "EMAIL"], []]),
      ...chance.maybe("invoicePayMethods", ["CARD", "VBANK"]),
      ...(chance.isOneIn(4) && { purchaseDeadline: chance.pick(["2027-01-01T00:00:00Z", ...sampleDates]) }),
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
        query: mutationDocument("createInvoice", "invoice { databaseId }"),
        variables: { input: { ...input("graph", String), ...(isDraft && { temporary: true }) } },
      },
      resultPath: "createInvoice.invoice",
      isExhaustive: true,
      createdNoun: "invoice",
    };
  },
  createChild: (chance, twins) => {
    const input = {
      name: chance.isOneIn(3) ? chance.pick(sampleNames) : "Bean Corner",
      email: chance.isOneIn(3) ? chance.pick(sampleEmails) : `owner${chance.integerBelow(1000)}@example.com`,
      password: chance.pick(["short", "correct horse"]),
      ...chance.maybe("phone", "010-2345-6789"),
    };
    return {
      rest: { method: "POST", path: `/vendors/${twins.uuids.rest}/children`, body: input },
      graphql: {
        query: mutationDocument("createChildVendor", `child { ${ask.createdChildFields} }`),
        variables: { input: { ...input, vendorUuid: twins.uuids.graph } },
      },
      resultPath: "createChildVendor.child",
    };
  },
  listChildren: (chance, twins) => {
    const [page, size] = [chance.pick([0, 0, 1, -1]), chance.pick([20, 1, 1000, 0])];
    return {
      rest: { method: "GET", path: `/vendors/${twins.uuids.rest}/children?page=${page}&size=${size}` },
      graphql: {
        query: `query ($vendorUuid: UUID!, $page: Int!, $size: Int!) { childVendorPage(vendorUuid: $vendorUuid, page: $page, size: $size) { rows { ${ask.childVendorFields} } totalCount } }`,
        variables: { vendorUuid: twins.uuids.graph, page, size },
      },
      resultPath: "childVendorPage",
      notFoundCode: "VENDOR_NOT_FOUND",
      isExhaustive: true,
      readRestRecord: (rows, headers) => ({ rows, totalCount: Number(headers["x-total-count"]) }),
    };
  },
};

/** The record that a sequence begins with. */
const firstRecord = (twins: ProtocolComparison, noun: RecordNoun | "customer" | "product" | "plan"): RecordPair =>
  twins.recordsOf(noun)[0]!;

/** The first operations of every sequence, so that there are records to read and change: each of these succeeds. */
export const initialOperations: readonly ((twins: ProtocolComparison) => ProtocolOperation)[] = [
  () => operationFactories["registerGoodCustomer"]!(new OperationRandom(1), undefined as never),
  () => {
    const input = { name: "House blend", partnerProductId: "product-first" };
    return registrationOperation(
      "/cover/product",
      "registerCoverProduct",
      "coverProduct",
      ["product", ask.coverProductFields],
      inputsOfBoth(input, input),
    );
  },
  (twins) => {
    const { rest, graph } = firstRecord(twins, "coverProduct");
    const facts = { name: "Monthly", partnerPriceId: "price-first" };
    const input = inputsOfBoth(
      { ...facts, productId: rest.id, price: 18_900 },
      { ...facts, productId: String(graph.id), price: "18900" },
    );
    return registrationOperation(
      "/cover/price",
      "registerCoverPrice",
      "coverPrice",
      ["price", ask.coverPriceFields],
      input,
    );
  },
  ...[1, 2].map((nth) => (twins: ProtocolComparison) => {
    const { rest, graph } = firstRecord(twins, "coverCustomer");
    const facts = {
      currentPeriodStart: "2026-02-01T00:00:00Z",
      currentPeriodEnd: "2026-04-01T00:00:00Z",
      recurringInterval: "MONTH",
      recurringIntervalCount: 1,
      partnerSubscriptionId: `subscription-first-${nth}`,
    };
    const input = inputsOfBoth({ ...facts, customerId: rest.id }, { ...facts, customerId: String(graph.id) });
    return registrationOperation(
      "/cover/subscription",
      "registerCoverSubscription",
      "coverSubscription",
      ["subscription", ask.coverSubscriptionFields],
      input,
    );
  }),
  ...[1, 2, 3].map((nth) => (twins: ProtocolComparison) => {
    const [customer, price] = [firstRecord(twins, "coverCustomer"), firstRecord(twins, "coverPrice")];
    const subscription = firstRecord(twins, "coverSubscription");
    const facts = { partnerOrderId: `order-first-${nth}` };
    const input = (side: "rest" | "graph", value: (number: number) => unknown) => ({
      ...facts,
      customerId: value(customer[side].id),
      subscriptionId: value(subscription[side].id),
      amount: value(18_900),
      items: [{ quantity: nth, priceId: value(price[side].id) }],
    });
    return registrationOperation(
      "/cover/order",
      "registerCoverOrder",
      "coverOrder",
      ["order", ask.coverOrderFields],
      inputsOfBoth(
        input("rest", (number) => number),
        input("graph", String),
      ),
    );
  }),
  ...[0, 1].map((place) => (twins: ProtocolComparison) => {
    const [customer, product, plan] = [
      firstRecord(twins, "customer"),
      twins.recordsOf("product")[place]!,
      twins.recordsOf("plan")[place]!,
    ];
    const items = (side: "rest" | "graph") => [{ productCode: product[side].code, priceCode: plan[side].code }];
    return {
      rest: { method: "POST" as const, path: "/orders", body: { customerId: customer.rest.id, items: items("rest") } },
      graphql: {
        query: mutationDocument("createOrder", `order { ${ask.createdOrderFields} }`),
        variables: { input: { customerId: String(customer.graph.id), currency: "KRW", items: items("graph") } },
      },
      resultPath: "createOrder.order",
      createdNoun: "order" as const,
    };
  }),
];

function setSubscriptionActive({ rest, graph }: RecordPair, verb: "cancel" | "activate"): ProtocolOperation {
  const name = `${verb}CoverSubscription`;
  return {
    rest: { method: "PUT", path: `/cover/subscription/${rest.id}/${verb === "cancel" ? "cancel" : "active"}` },
    graphql: { query: mutationDocument(name, "message"), variables: { input: { subscriptionId: String(graph.id) } } },
    resultPath: name,
  };
}

/** A numbered page of a list, randomly sorted and filtered. */
function pageOperation(
  chance: OperationRandom,
  path: string,
  [name, sortField, filterInput, row]: readonly [string, string, string, string],
  sorts: Readonly<Record<string, string>>,
): ProtocolOperation {
  const [number, size] = [chance.pick([0, 0, 0, 1, 50, -1]), chance.pick([20, 5, 1, 40, 0])];
  // Codes are random, so the two copies sort differently by them.
  const [sort, field] = chance.pick(Object.entries(sorts));
  const direction = chance.pick(["ASC", "DESC"]);
  const keyword = chance.pick([undefined, undefined, "kim seo", "Journal", "payer1", "%_"]);
  // REST begins days in the vendor's zone; GraphQL leaves the zone to the caller.
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
    resultPath: name,
    readRestRecord: ({ content, totalElements }) => ({ rows: content, totalCount: totalElements }),
  };
}

/** A payer pays an order: in both databases by GraphQL, since REST has no such call. */
export async function payRandomOrder(chance: OperationRandom, twins: ProtocolComparison): Promise<string[]> {
  const known = twins.recordsOf("order");
  if (known.length === 0) return [];
  const [order, card] = [
    chance.pick(known),
    chance.pick([testCards.approved, testCards.approved, testCards.insufficientFunds]),
  ];
  return twins.runOnBoth(async (gateway: TestGateway, options: RequestOptions, side) => {
    const { data, errors } = await TestPayments.forVendor(gateway, options).sendPayOrder(order[side].id, card);
    return errors ? errors[0]!.extensions["code"] : data!.payOrder.order.paidAmount;
  });
}
