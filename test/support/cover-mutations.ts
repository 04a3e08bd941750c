import type { GraphQLResponse, RequestOptions, TestGateway } from "./test-gateway.ts";
import { namedValuesOf } from "./refusal-values.ts";
import { uniqueName, minimalOrder, type CoverFixture } from "./fixtures/cover-fixture.ts";

/** Every mutation, with the fields that a test selects of its payload by default. */
const defaultSelections = {
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
export type Mutation = keyof typeof defaultSelections;

/** The document of a mutation with one variable, its input. */
const mutationDocument = (mutation: Mutation, selection: string) =>
  `mutation Act($input: ${mutation[0]!.toUpperCase()}${mutation.slice(1)}Input!) { ${mutation}(input: $input) { ${selection} } }`;

/** Sends a mutation. */
export const sendMutation = (
  gateway: TestGateway,
  mutation: Mutation,
  input: object,
  selection: string = defaultSelections[mutation],
  options?: RequestOptions,
): Promise<GraphQLResponse> => gateway.sendGraphQL(mutationDocument(mutation, selection), { input }, options);

/** The payload of a mutation that must succeed. */
export async function runMutation(
  gateway: TestGateway,
  mutation: Mutation,
  input: object,
  selection: string = defaultSelections[mutation],
  options?: RequestOptions,
): Promise<any> {
  return (await gateway.queryData(mutationDocument(mutation, selection), { input }, options))[mutation];
}

/** The required fields of each registration. */
export const minimalInputs = {
  customer: () => ({
    name: "Kim Seo-yeon",
    email: "seoyeon@example.com",
    phone: "010-1234-5678",
    partnerCustomerId: uniqueName("customer"),
  }),
  product: () => ({ name: "House blend", partnerProductId: uniqueName("product") }),
  price: ({ productId }: { productId: unknown }) => ({
    name: "Monthly",
    productId,
    price: "18900",
    partnerPriceId: uniqueName("price"),
  }),
  subscription: ({ customerId }: { customerId: unknown }) => ({
    customerId,
    currentPeriodStart: "2026-02-01T00:00:00Z",
    currentPeriodEnd: "2026-03-01T00:00:00Z",
    recurringInterval: "MONTH",
    recurringIntervalCount: 1,
    partnerSubscriptionId: uniqueName("subscription"),
  }),
  order: minimalOrder,
};

/** Registers all records that an order refers to; `payer` adds fields to the customer. */
export async function createCoverFixture(
  gateway: TestGateway,
  customerFields: object = {},
  options?: RequestOptions,
): Promise<CoverFixture> {
  const register = async (mutation: Mutation, input: object): Promise<number> => {
    const payload = await runMutation(gateway, mutation, input, undefined, options);
    return Object.values<{ databaseId: number }>(payload)[0]!.databaseId;
  };
  const customerId = await register("registerCoverCustomer", { ...minimalInputs.customer(), ...customerFields });
  const productId = await register("registerCoverProduct", minimalInputs.product());
  const priceId = await register("registerCoverPrice", minimalInputs.price({ productId }));
  const subscriptionId = await register("registerCoverSubscription", minimalInputs.subscription({ customerId }));
  return { customerId, productId, priceId, subscriptionId };
}

/** Registers an order of the shop's subscription. */
export async function createCoverOrder(
  gateway: TestGateway,
  shop: CoverFixture,
  rest: object = {},
  options?: RequestOptions,
): Promise<any> {
  const input = minimalInputs.order(shop, { subscriptionId: shop.subscriptionId, ...rest });
  return (await runMutation(gateway, "registerCoverOrder", input, undefined, options)).order;
}

/** A refusal in short: the code of each error and the values that it names, `INVALID_ARGUMENT: first INVALID_VALUE`. */
export const errorSummaries = ({ errors = [] }: GraphQLResponse): string[] =>
  errors.map(({ message, extensions: { code, details } }) => {
    const fields = namedValuesOf(message, details).map((field) => `${field.path} ${field.code}`);
    return [code, ...fields].join(": ");
  });
