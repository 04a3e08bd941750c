import { coverOperations } from "./cover-operations.ts";
import * as ask from "./graphql-selections.ts";
import {
  firstRecord,
  inputsOfBoth,
  mutationDocument,
  OperationRandom,
  registrationOperation,
} from "./operation-inputs.ts";
import type { ProtocolComparison, ProtocolOperation } from "./protocol-comparison.ts";

/** The first operations of every sequence, so that there are records to read and change: each of these succeeds. */
export const initialOperations: readonly ((twins: ProtocolComparison) => ProtocolOperation)[] = [
  () => coverOperations["registerGoodCustomer"]!(new OperationRandom(1), undefined as never),
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
