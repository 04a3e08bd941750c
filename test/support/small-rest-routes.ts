import { pageParameters, periodParameters, sortParameters } from "../../rest-compat/binding/common-parameters.ts";
import type { RestRoute } from "../../rest-compat/binding/route.ts";
import { toAmount } from "../../src/kernel/amounts.ts";
import type { RawData } from "./raw-data.ts";
import { createSmallRest, type SmallRestInput } from "./small-rest.ts";

const sdl = `
  scalar BigInt scalar CurrencyAmounts scalar DateTime scalar Decimal scalar JSONObject scalar Line scalar Link scalar UUID
  enum OrderSortField { CREATED_AT PAID_AMOUNT }
  enum SearchTarget { orderCode phone }
  enum SortDirection { ASC DESC }
  enum Status { CREATED PAID }
  type Query {
    orderPage(from: DateTime, until: DateTime, page: Int!, size: Int!, sort: OrderSortField!, direction: SortDirection!,
      keyword: Line, target: SearchTarget, status: [Status!]): OrderPage!
    vendor(uuid: UUID!): Vendor
    order(code: Line!): Order
    customer(id: ID!): Customer
    payment(idOrCode: Line!, successUrl: Link): Payment
  }
  type Mutation { createOrder(input: CreateOrderInput!): CreateOrderPayload! createChild(input: CreateChildInput!): Child! }
  type OrderPage { rows: [Order!]! totalCount: Int! }
  type Vendor { children(page: Int!, size: Int!): ChildPage! }
  type ChildPage { rows: [Child!]! totalCount: Int! }
  type Child { name: String! }
  type Payment { code: String! url: String! }
  type Customer { databaseId: BigInt! name: String! }
  type Demo { startedAt: DateTime! }
  type OrderLine { quantity: Int! demo: Demo }
  type Order {
    code: String! status: Status! createdAt: DateTime! paidAt: DateTime amount: Decimal! currencyPrice: CurrencyAmounts!
    attributes: JSONObject! optionIds: [Int!]! states: [Status!] customer: Customer lines: [OrderLine!]
  }
  type CreateOrderPayload { order: Order }
  input CreateOrderInput {
    customerId: ID customerCode: Line items: [ItemInput!]! currencyPrice: CurrencyAmounts temporary: Boolean
    currency: Line! = "KRW" status: Status
  }
  input ItemInput { productCode: Line! quantity: Int! = 1 optionIds: [Int!] box: BoxInput }
  input BoxInput { size: Int! color: Line }
  input CreateChildInput { vendorUuid: UUID! name: Line! }
`;

const documentPath = "../test/rest/binding/binding.graphql";

/** Routes of every form in the contract. */
export const sampleRoutes = {
  list: {
    method: "GET",
    path: "/orders",
    summary: "Lists orders.",
    documentFile: documentPath,
    operation: "ListOrders",
    query: [
      ...periodParameters,
      ...pageParameters,
      ...sortParameters({ createdAt: "CREATED_AT", paidAmount: "PAID_AMOUNT" }),
      "keyword",
      "type",
      "status",
    ],
    resourcePath: "orderPage",
    page: "ENVELOPE",
    timeFormat: "ZONELESS",
  },
  children: {
    method: "GET",
    path: "/vendors/{vendorUuid}/children",
    pathSubject: "vendor",
    summary: "Lists children.",
    documentFile: documentPath,
    operation: "ListChildren",
    query: pageParameters,
    resourcePath: "vendor.children",
    page: "ARRAY",
  },
  order: {
    method: "GET",
    path: "/orders/{code}",
    pathSubject: "order",
    summary: "One order.",
    documentFile: documentPath,
    operation: "GetOrder",
    resourcePath: "order",
    timeFormat: "ZONELESS",
  },
  customer: {
    method: "GET",
    path: "/customers/{id}",
    pathSubject: "customer",
    summary: "One customer.",
    documentFile: documentPath,
    operation: "GetCustomer",
    resourcePath: "customer",
  },
  lines: {
    method: "GET",
    path: "/orders/{code}/lines",
    pathSubject: "order",
    summary: "The lines of an order.",
    documentFile: documentPath,
    operation: "ListLines",
    resourcePath: "order.lines",
  },
  pay: {
    method: "GET",
    path: "/orders/{idOrCode}/pay",
    pathSubject: "order",
    summary: "Sends the browser to the payment.",
    documentFile: documentPath,
    operation: "PayOrder",
    query: ["successUrl"],
    resourcePath: "payment",
    redirect: { addressField: "url", deprecated: { parameter: "idOrCode", code: "code", since: "2026-01-01" } },
  },
  create: {
    method: "POST",
    path: "/orders",
    summary: "Creates an order.",
    documentFile: documentPath,
    operation: "CreateOrder",
    query: ["temporary"],
    body: [
      "customerId",
      "customerCode",
      "items.productCode",
      "items.quantity",
      "items.box.size",
      "currencyPrice",
      "currency",
      "status",
    ],
    resourcePath: "createOrder.order",
    timeFormat: "ZONELESS",
  },
  createChild: {
    method: "POST",
    path: "/vendors/{vendorUuid}/children",
    pathSubject: "vendor",
    summary: "Adds a child.",
    documentFile: documentPath,
    operation: "CreateChild",
    body: ["name"],
    resourcePath: "createChild",
  },
} satisfies Record<string, RestRoute>;

export const knownRecord = { uuid: "6f2c1b7e-1111-4222-8333-444455556666", code: "order_abc123XYZ", id: "7" };

const sampleOrder = (code: string) => ({
  code,
  status: "PAID",
  createdAt: new Date("2026-03-01T09:30:00.123Z"),
  paidAt: null,
  amount: toAmount("12.5"),
  currencyPrice: { USD: "0.1", KRW: "1000" },
  attributes: { size: '"L"', PAID: { nested: ["2026-03-01T09:30:00.123Z", null] } },
  optionIds: [3, 1],
  states: null,
  customer: null,
  lines: [
    { quantity: 2, demo: { startedAt: new Date("2026-03-02T00:00:00Z") } },
    { quantity: 1, demo: null },
  ],
});

type ResolverArguments = Record<string, RawData>;

/** The binding over a shop with one order, one customer, and lists of the given length; it records the calls. */
export function createSmallShop(options: Partial<SmallRestInput> & { total?: number } = {}) {
  const recordedArguments: ResolverArguments[] = [];
  const total = options.total ?? 45;
  const toPage = <T>({ page, size }: ResolverArguments, row: (index: number) => T) => ({
    rows: Array.from({ length: Math.max(0, Math.min(size, total - page * size)) }, (_, index) =>
      row(page * size + index),
    ),
    totalCount: total,
  });
  const recording =
    (answer: (args: ResolverArguments) => unknown) =>
    (_root: unknown, args: ResolverArguments): unknown => {
      recordedArguments.push(args);
      return answer(args);
    };
  const rest = createSmallRest({
    sdl,
    contract: Object.values(sampleRoutes),
    ...options,
    rootResolvers: {
      orderPage: recording((args) => toPage(args, (index) => sampleOrder(`order_${index}`))),
      vendor: recording(({ uuid }) =>
        uuid === knownRecord.uuid
          ? { children: (args: ResolverArguments) => toPage(args, (index) => ({ name: `child ${index}` })) }
          : null,
      ),
      order: recording(({ code }) => (code === knownRecord.code ? sampleOrder(code) : null)),
      customer: recording(({ id }) => (id === knownRecord.id ? { databaseId: 7, name: "Kim" } : null)),
      payment: recording(({ idOrCode }) =>
        [knownRecord.id, knownRecord.code].includes(idOrCode)
          ? { code: knownRecord.code, url: "https://pay.example/x?y=1" }
          : null,
      ),
      createOrder: recording(() => ({ order: sampleOrder("order_new") })),
      createChild: recording(({ input }) => ({ name: input.name })),
    },
  });
  return { ...rest, asked: recordedArguments, last: () => recordedArguments.at(-1)! };
}
