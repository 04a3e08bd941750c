import type { RequestOptions, TestGateway } from "../test-gateway.ts";
import { testCards, TestPayments } from "../test-payments.ts";
import * as ask from "./graphql-selections.ts";
import {
  type CreateOperation,
  mutationDocument,
  type OperationRandom,
  pickRecord,
  sampleAmounts,
  sampleDates,
  sampleEmails,
  sampleNames,
} from "./operation-inputs.ts";
import type { ProtocolComparison, ProtocolOperation } from "./protocol-comparison.ts";

/** The operations of customers, products, orders, invoices and child vendors. */
export const billingOperations: Readonly<Record<string, CreateOperation>> = {
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
