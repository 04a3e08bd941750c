import { pageParameters, periodParameters, sortParameters } from "../../rest-compat/binding/common-parameters.ts";
import type { Route } from "../../rest-compat/binding/route.ts";
import { amountOf } from "../../src/kernel/amounts.ts";
import { smallRest, type SmallRest } from "./small-rest.ts";

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

const document = "../test/rest/binding/binding.graphql";

/** Routes of every shape that the contract has. */
export const routes = {
  list: {
    method: "GET",
    path: "/orders",
    summary: "Lists orders.",
    document,
    operation: "ListOrders",
    query: [
      ...periodParameters,
      ...pageParameters,
      ...sortParameters({ createdAt: "CREATED_AT", paidAmount: "PAID_AMOUNT" }),
      "keyword",
      "type",
      "status",
    ],
    answer: "orderPage",
    page: "ENVELOPE",
    times: "ZONELESS",
  },
  children: {
    method: "GET",
    path: "/vendors/{vendorUuid}/children",
    finds: "vendor",
    summary: "Lists children.",
    document,
    operation: "ListChildren",
    query: pageParameters,
    answer: "vendor.children",
    page: "ARRAY",
  },
  order: {
    method: "GET",
    path: "/orders/{code}",
    finds: "order",
    summary: "One order.",
    document,
    operation: "GetOrder",
    answer: "order",
    times: "ZONELESS",
  },
  customer: {
    method: "GET",
    path: "/customers/{id}",
    finds: "customer",
    summary: "One customer.",
    document,
    operation: "GetCustomer",
    answer: "customer",
  },
  lines: {
    method: "GET",
    path: "/orders/{code}/lines",
    finds: "order",
    summary: "The lines of an order.",
    document,
    operation: "ListLines",
    answer: "order.lines",
  },
  pay: {
    method: "GET",
    path: "/orders/{idOrCode}/pay",
    finds: "order",
    summary: "Sends the browser to the payment.",
    document,
    operation: "PayOrder",
    query: ["successUrl"],
    answer: "payment",
    redirect: { to: "url", deprecated: { parameter: "idOrCode", code: "code", since: "2026-01-01" } },
  },
  create: {
    method: "POST",
    path: "/orders",
    summary: "Creates an order.",
    document,
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
    answer: "createOrder.order",
    times: "ZONELESS",
  },
  createChild: {
    method: "POST",
    path: "/vendors/{vendorUuid}/children",
    finds: "vendor",
    summary: "Adds a child.",
    document,
    operation: "CreateChild",
    body: ["name"],
    answer: "createChild",
  },
} satisfies Record<string, Route>;

export const known = { uuid: "6f2c1b7e-1111-4222-8333-444455556666", code: "order_abc123XYZ", id: "7" };

const order = (code: string) => ({
  code,
  status: "PAID",
  createdAt: new Date("2026-03-01T09:30:00.123Z"),
  paidAt: null,
  amount: amountOf("12.5"),
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

type Arguments = Record<string, any>;

/** The binding over a shop that holds one order, one customer, and lists of the given length; it remembers what it was asked. */
export function smallShop(options: Partial<SmallRest> & { total?: number } = {}) {
  const asked: Arguments[] = [];
  const total = options.total ?? 45;
  const numbered = <T>({ page, size }: Arguments, row: (index: number) => T) => ({
    rows: Array.from({ length: Math.max(0, Math.min(size, total - page * size)) }, (_, index) =>
      row(page * size + index),
    ),
    totalCount: total,
  });
  const remembering =
    (answer: (given: Arguments) => unknown) =>
    (_root: unknown, given: Arguments): unknown => {
      asked.push(given);
      return answer(given);
    };
  const rest = smallRest({
    sdl,
    contract: Object.values(routes),
    ...options,
    answers: {
      orderPage: remembering((given) => numbered(given, (index) => order(`order_${index}`))),
      vendor: remembering(({ uuid }) =>
        uuid === known.uuid
          ? { children: (given: Arguments) => numbered(given, (index) => ({ name: `child ${index}` })) }
          : null,
      ),
      order: remembering(({ code }) => (code === known.code ? order(code) : null)),
      customer: remembering(({ id }) => (id === known.id ? { databaseId: 7, name: "Kim" } : null)),
      payment: remembering(({ idOrCode }) =>
        [known.id, known.code].includes(idOrCode) ? { code: known.code, url: "https://pay.example/x?y=1" } : null,
      ),
      createOrder: remembering(() => ({ order: order("order_new") })),
      createChild: remembering(({ input }) => ({ name: input.name })),
    },
  });
  return { ...rest, asked, last: () => asked.at(-1)! };
}
