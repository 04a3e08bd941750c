import * as ask from "./graphql-selections.ts";
import {
  type CreateOperation,
  firstRecord,
  inputsOfBoth,
  mutationDocument,
  partnerIdOf,
  pickRecord,
  registrationOperation,
  sampleAmounts,
  sampleDates,
  sampleDeclineCodes,
  sampleEmails,
  sampleIntervals,
  sampleNames,
  toGraphText,
} from "./operation-inputs.ts";
import type { ProtocolOperation, RecordPair } from "./protocol-comparison.ts";

/** The operations of records that are charged elsewhere, and of their recovery. */
export const coverOperations: Readonly<Record<string, CreateOperation>> = {
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
};

function setSubscriptionActive({ rest, graph }: RecordPair, verb: "cancel" | "activate"): ProtocolOperation {
  const name = `${verb}CoverSubscription`;
  return {
    rest: { method: "PUT", path: `/cover/subscription/${rest.id}/${verb === "cancel" ? "cancel" : "active"}` },
    graphql: { query: mutationDocument(name, "message"), variables: { input: { subscriptionId: String(graph.id) } } },
    resultPath: name,
  };
}
