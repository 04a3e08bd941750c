import type { GraphQLAnswer, RequestOptions, TestGateway } from "./test-gateway.ts";
import { ownValues } from "./refusal-values.ts";
import { fresh, orderOf, type Shop } from "./cover-fixture.ts";

/** Every mutation, with what a test selects of its payload unless it asks for something else. */
const payloads = {
  registerCoverCustomer: "customer { databaseId }",
  registerCoverProduct: "product { databaseId }",
  registerCoverPrice: "price { databaseId }",
  registerCoverSubscription: "subscription { databaseId }",
  registerCoverOrder: "order { databaseId status retryDate cover { databaseId state endReason } }",
  reportCoverOrderPaid: "order { status }",
  cancelCoverOrder: "order { status }",
  setCoverOrderStatus: "order { status }",
  cancelCoverSubscription: "subscription { status }",
  activateCoverSubscription: "subscription { status }",
  startRecovery: "cover { databaseId state endReason retryDate }",
  reportPaymentMethodChanged: "cover { databaseId state endReason retryDate }",
  advanceTestClock: "now",
  proposeRecoveryPolicy: "policy { databaseId state }",
  activateRecoveryPolicy: "policy { databaseId state }",
  retireRecoveryPolicy: "policy { databaseId state }",
  mapDeclineCode: "paymentGateway errorCode reasonClass",
};
export type Mutation = keyof typeof payloads;

/** The document of a mutation with one variable, its input. */
const documentOf = (mutation: Mutation, selection: string) =>
  `mutation Act($input: ${mutation[0]!.toUpperCase()}${mutation.slice(1)}Input!) { ${mutation}(input: $input) { ${selection} } }`;

/** Sends a mutation. */
export const act = (
  gateway: TestGateway,
  mutation: Mutation,
  input: object,
  selection: string = payloads[mutation],
  options?: RequestOptions,
): Promise<GraphQLAnswer> => gateway.graphql(documentOf(mutation, selection), { input }, options);

/** The payload of a mutation that must succeed. */
export async function done(
  gateway: TestGateway,
  mutation: Mutation,
  input: object,
  selection: string = payloads[mutation],
  options?: RequestOptions,
): Promise<any> {
  return (await gateway.data(documentOf(mutation, selection), { input }, options))[mutation];
}

/** The least that each registration needs. */
export const least = {
  customer: () => ({
    name: "Kim Seo-yeon",
    email: "seoyeon@example.com",
    phone: "010-1234-5678",
    partnerCustomerId: fresh("customer"),
  }),
  product: () => ({ name: "House blend", partnerProductId: fresh("product") }),
  price: ({ productId }: { productId: unknown }) => ({
    name: "Monthly",
    productId,
    price: "18900",
    partnerPriceId: fresh("price"),
  }),
  subscription: ({ customerId }: { customerId: unknown }) => ({
    customerId,
    currentPeriodStart: "2026-02-01T00:00:00Z",
    currentPeriodEnd: "2026-03-01T00:00:00Z",
    recurringInterval: "MONTH",
    recurringIntervalCount: 1,
    partnerSubscriptionId: fresh("subscription"),
  }),
  order: orderOf,
};

/** Registers all that an order refers to; `payer` says more of the customer. */
export async function openShop(gateway: TestGateway, payer: object = {}, options?: RequestOptions): Promise<Shop> {
  const register = async (mutation: Mutation, input: object): Promise<number> => {
    const payload = await done(gateway, mutation, input, undefined, options);
    return Object.values<{ databaseId: number }>(payload)[0]!.databaseId;
  };
  const customerId = await register("registerCoverCustomer", { ...least.customer(), ...payer });
  const productId = await register("registerCoverProduct", least.product());
  const priceId = await register("registerCoverPrice", least.price({ productId }));
  const subscriptionId = await register("registerCoverSubscription", least.subscription({ customerId }));
  return { customerId, productId, priceId, subscriptionId };
}

/** Registers an order of the shop's subscription. */
export async function openOrder(
  gateway: TestGateway,
  shop: Shop,
  rest: object = {},
  options?: RequestOptions,
): Promise<any> {
  const input = least.order(shop, { subscriptionId: shop.subscriptionId, ...rest });
  return (await done(gateway, "registerCoverOrder", input, undefined, options)).order;
}

/** What was wrong, in short: the code of each error and the values that it names, `INVALID_ARGUMENT: first INVALID_VALUE`. */
export const complaints = ({ errors = [] }: GraphQLAnswer): string[] =>
  errors.map(({ message, extensions: { code, details } }) => {
    const fields = ownValues(message, details).map((field) => `${field.path} ${field.code}`);
    return [code, ...fields].join(": ");
  });
