import { pageParameters, periodParameters, sortParameters } from "./binding/parameters.ts";
import type { Route } from "./binding/route.ts";

/** Orders of the billing side. */
export const orderRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/orders",
    summary: "Creates an order.",
    document: "orders.graphql",
    operation: "CreateOrder",
    body: [
      "customerId",
      "customerCode",
      "customerUuid",
      "items.minimumQuantity",
      "items.productCode",
      "items.priceCode",
      "currency",
      "region",
      "purchaseDeadline",
      "paymentGateway",
    ],
    answer: "createOrder.order",
    times: "ZONELESS",
  },
  {
    method: "GET",
    path: "/orders",
    summary: "Lists orders.",
    document: "orders.graphql",
    operation: "ListOrders",
    query: [
      ...periodParameters,
      ...pageParameters,
      ...sortParameters({
        createdAt: "CREATED_AT",
        modifiedAt: "MODIFIED_AT",
        paymentDate: "PAYMENT_DATE",
        purchaseDeadline: "PURCHASE_DEADLINE",
        paidAmount: "PAID_AMOUNT",
        customerName: "CUSTOMER_NAME",
        productName: "PRODUCT_NAME",
        code: "CODE",
        id: "ID",
      }),
      "keyword",
      {
        name: "type",
        words: {
          orderCode: "ORDER_CODE",
          productName: "PRODUCT_NAME",
          customerName: "CUSTOMER_NAME",
          phone: "PHONE",
          email: "EMAIL",
        },
      },
      "status",
    ],
    answer: "orderPage",
    page: "ENVELOPE",
    times: "ZONELESS",
  },
  {
    method: "GET",
    path: "/orders/{idOrCode}/pay",
    summary: "Sends the payer's browser to the checkout of an order.",
    document: "orders.graphql",
    operation: "PayOrder",
    query: ["successUrl", "errorUrl", "cancelUrl", "lang"],
    answer: "checkoutLink",
    redirect: { to: "url", deprecated: { parameter: "idOrCode", code: "code", since: "2026-01-01" } },
  },
];
