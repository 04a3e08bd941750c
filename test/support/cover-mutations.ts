import type { MutationName, Payload, PayloadSelection, PayloadSelections } from "./answers.ts";
import type { RawData } from "./raw-data.ts";
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
  startRecoveryExperiment: "experiment { databaseId state }",
  stopRecoveryExperiment: "experiment { databaseId state coversInProgress promotedArm }",
  promoteRecoveryExperimentArm: "experiment { databaseId state coversInProgress promotedArm }",
  mapDeclineCode: "paymentGateway errorCode reasonClass",
} as const satisfies PayloadSelections;
export type Mutation = keyof typeof defaultSelections & MutationName;
type DefaultSelection<N extends Mutation> = PayloadSelection<N> & (typeof defaultSelections)[N];

/** The document of a mutation with one variable, its input. */
const mutationDocument = (mutation: Mutation, selection: string) =>
  `mutation Act($input: ${mutation[0]!.toUpperCase()}${mutation.slice(1)}Input!) { ${mutation}(input: $input) { ${selection} } }`;

/** Sends a mutation. */
export function sendMutation<N extends Mutation>(
  gateway: TestGateway,
  mutation: N,
  input: object,
  selection?: undefined,
  options?: RequestOptions,
): Promise<GraphQLResponse<Record<N, Payload<N, DefaultSelection<N>>>>>;
export function sendMutation<N extends Mutation, S extends PayloadSelection<N>>(
  gateway: TestGateway,
  mutation: N,
  input: object,
  selection: S,
  options?: RequestOptions,
): Promise<GraphQLResponse<Record<N, Payload<N, S>>>>;
export function sendMutation(
  gateway: TestGateway,
  mutation: Mutation,
  input: object,
  selection: string = defaultSelections[mutation],
  options?: RequestOptions,
): Promise<GraphQLResponse> {
  return gateway.sendRawGraphQL(mutationDocument(mutation, selection), { input }, options);
}

/** The payload of a mutation that must succeed. */
export function runMutation<N extends Mutation>(
  gateway: TestGateway,
  mutation: N,
  input: object,
  selection?: undefined,
  options?: RequestOptions,
): Promise<Payload<N, DefaultSelection<N>>>;
export function runMutation<N extends Mutation, S extends PayloadSelection<N>>(
  gateway: TestGateway,
  mutation: N,
  input: object,
  selection: S,
  options?: RequestOptions,
): Promise<Payload<N, S>>;
export function runMutation(
  gateway: TestGateway,
  mutation: Mutation,
  input: object,
  selection: string = defaultSelections[mutation],
  options?: RequestOptions,
): Promise<unknown> {
  return runRawMutation(gateway, mutation, input, selection, options);
}

/** The payload of a mutation whose selection is known only at run time, and that must succeed. */
export async function runRawMutation(
  gateway: TestGateway,
  mutation: Mutation,
  input: object,
  selection: string,
  options?: RequestOptions,
): Promise<RawData> {
  return (await gateway.queryRawData(mutationDocument(mutation, selection), { input }, options))[mutation];
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
    const payload: object = await runMutation(gateway, mutation, input, undefined, options);
    return (Object.values(payload) as { databaseId: number }[])[0]!.databaseId;
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
) {
  const input = minimalInputs.order(shop, { subscriptionId: shop.subscriptionId, ...rest });
  return (await runMutation(gateway, "registerCoverOrder", input, undefined, options)).order;
}

/** A refusal in short: the code of each error and the values that it names, `INVALID_ARGUMENT: first INVALID_VALUE`. */
export const errorSummaries = ({ errors = [] }: GraphQLResponse): string[] =>
  errors.map(({ message, extensions: { code, details } }) => {
    const fields = namedValuesOf(message, details).map((field) => `${field.path} ${field.code}`);
    return [code, ...fields].join(": ");
  });
