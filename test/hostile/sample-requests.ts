import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
} from "graphql";
import { pathParametersOf, type RestRoute } from "../../rest-compat/binding/route.ts";
import { buildGatewaySchema } from "../../src/graphql/schema.ts";
import type { RecordFixtures } from "./record-fixtures.ts";
import { fieldSamples, scalarSamples } from "./sample-values.ts";

/* Valid requests, generated from the schema: a new operation gets one without further work. */

export const schema = buildGatewaySchema();

/** The choices for the values of a request. Everything not given is a plain, valid value. */
export interface SampleOptions {
  records: RecordFixtures; /** Values of scalars, by the scalar's name. */
  scalars?: Record<string, () => unknown>; /** Which optional fields and arguments are sent. Defaults to none. */
  includesField?: (path: string) => boolean; /** Values for certain places, by the name of the field. */
  fieldValues?: Record<string, unknown>;
}

type RecordKeys = Readonly<Record<string, keyof RecordFixtures>>;

/** Records of the recovery module, by the names under which their ids are sent. */
const coverRecordKeys: RecordKeys = {
  customerId: "customerId",
  productId: "productId",
  priceId: "priceId",
  orderId: "orderId",
  initialOrderId: "orderId",
  subscriptionId: "subscriptionId",
  renewalOrderId: "billingOrderId",
  renewalSubscriptionId: "billingSubscriptionId",
};

/** The same for the billing side, with the codes and other names that records have there. */
const billingRecordKeys: RecordKeys = {
  customerId: "billingCustomerId",
  customerCode: "billingCustomerCode",
  customerUuid: "billingCustomerUuid",
  productId: "billingProductId",
  productCode: "billingProductCode",
  pricePlanId: "billingPriceId",
  priceId: "billingPriceId",
  priceCode: "billingPriceCode",
  orderId: "billingOrderId",
  idKey: "billingIdKey",
  itemIds: "billingItemId",
  subscriptionId: "billingSubscriptionId",
  itemCode: "billingSubscriptionItemCode",
  remove: "billingSubscriptionItemCode",
  invoiceId: "billingInvoiceId",
  itemId: "billingItemId",
  storedMethodId: "billingMethodId",
  categoryId: "billingCategoryId",
  combinedProductIds: "billingProductId",
  optionPriceId: "billingPriceId",
  vendorUuid: "vendorUuid",
  keyId: "apiKeyId",
  personId: "personId",
  endpointId: "webhookEndpointId",
  deliveryId: "webhookDeliveryId",
};

/** The record that the `id` or the `code` of a request or of a part of it stands for, by the type of the answer. */
const recordKeysByType: Readonly<Record<string, RecordKeys>> = {
  Cover: { id: "coverId" },
  DecisionReplay: { id: "decisionId" },
  SchedulePreview: { policyId: "policyId" },
  RecoveryBacktest: { policyId: "policyId" },
  ActivateRecoveryPolicyPayload: { policyId: "policyId" },
  RetireRecoveryPolicyPayload: { policyId: "policyId" },
  RecoveryExperiment: { id: "experimentId" },
  StartRecoveryExperimentPayload: { "arms.policyId": "policyId" },
  StopRecoveryExperimentPayload: { experimentId: "experimentId" },
  PromoteRecoveryExperimentArmPayload: { experimentId: "experimentId" },
  CoverCustomer: { id: "customerId" },
  CoverOrder: { id: "orderId" },
  CoverPrice: { id: "priceId" },
  CoverProduct: { id: "productId" },
  CoverSubscription: { id: "subscriptionId" },
  WebhookEndpoint: { id: "webhookEndpointId" },
  WebhookDelivery: { id: "webhookDeliveryId" },
  Message: { id: "messageId" },
  Node: { id: "orderId", ids: "orderId" },
  Customer: { id: "billingCustomerId" },
  UpdateCustomerPayload: { id: "billingCustomerId" },
  Product: { id: "billingProductId", code: "billingProductCode" },
  PricePlan: { id: "billingPriceId", code: "billingPriceCode" },
  Order: { id: "billingOrderId", code: "billingOrderCode", idOrCode: "billingOrderCode" },
  CheckoutLink: { idOrCode: "billingOrderCode", code: "billingOrderCode" },
  Subscription: { id: "billingSubscriptionId" },
  Invoice: { id: "billingInvoiceId" },
  Payment: { id: "billingPaymentId" },
  UpdateProductPayload: {
    id: "billingProductId",
    "optionGroups.id": "billingOptionGroupId",
    "optionGroups.options.id": "billingOptionId",
  },
  UpdatePricePlanPayload: { id: "billingPriceId", "options.id": "sideOptionId" },
};

/** Whether a request belongs to the recovery module, by its types. */
const isCoverType = (answer: string): boolean => /Cover|Recovery|PaymentMethodChanged/.test(answer);

/** The record a value stands for: by its name, or by the type of the answer. */
const recordKeyOf = (path: string, answer: string): keyof RecordFixtures | undefined => {
  const name = path.split(".").at(-1)!;
  return (
    recordKeysByType[answer]?.[path.replace("input.", "")] ??
    (isCoverType(answer) ? coverRecordKeys : billingRecordKeys)[name]
  );
};

function requireRecordKey(name: string, answer: string): keyof RecordFixtures {
  const noun = recordKeyOf(name, answer);
  if (!noun)
    throw new Error(`Whose id is ${name} of what answers ${answer}? Say so in test/hostile/sample-requests.ts.`);
  return noun;
}

/**
 * An order names its customer in one of three ways; by number by default. A change of a subscription names what
 * changes.
 */
const isFieldNeeded = (path: string, answer: string, { includesField }: SampleOptions): boolean =>
  (path === "input.method" && answer === "PayOrderPayload") ||
  (path === "input.add" && answer === "ChangeSubscriptionItemsPayload") ||
  (/^input\.items(?:\.add)?$/.test(path) && answer === "SubscriptionChangePreview") ||
  (path === "input.customerId" &&
    answer === "CreateOrderPayload" &&
    !includesField?.("input.customerUuid") &&
    !includesField?.("input.customerCode"));

/** Additional fields that an input needs: a bundle has members, and an option is a plan of another product. */
const dependentValues: readonly [answer: string, path: string, setting: (records: RecordFixtures) => object][] = [
  ["CreateProductPayload", "input.combinedProductIds", () => ({ type: "BUNDLE" })],
  ["UpdateProductPayload", "input.combinedProductIds", ({ bundleId }) => ({ id: bundleId })],
  ["CreatePricePlanPayload", "input.options", ({ sideProductId }) => ({ productId: sideProductId })],
  ["CreatePricePlanPayload", "input.bundlePrices", ({ bundleId }) => ({ productId: bundleId, type: "BUNDLE" })],
  ["UpdatePricePlanPayload", "input.options", ({ sidePriceId }) => ({ id: sidePriceId })],
  ["UpdatePricePlanPayload", "input.bundlePrices", ({ bundlePriceId }) => ({ id: bundlePriceId })],
];

const dependentValuesOf = (answer: string, { includesField, records }: SampleOptions): object =>
  Object.assign(
    {},
    ...dependentValues
      .filter(([of, path]) => of === answer && includesField?.(path))
      .map(([, , setting]) => setting(records)),
  );

/** A valid value of an input type; undefined for what is optional and not to be sent. */
function sampleValue(type: GraphQLInputType, path: string, resultType: string, options: SampleOptions): unknown {
  if (!isNonNullType(type) && !options.includesField?.(path) && !isFieldNeeded(path, resultType, options))
    return undefined;
  const inner = getNullableType<GraphQLInputType>(type);
  const name = path.split(".").at(-1)!;
  if (isListType(inner) && name in fieldSamples) return fieldSamples[name];
  if (isListType(inner))
    return [sampleValue(inner.ofType, path, resultType, { ...options, includesField: () => true })];
  if (options.fieldValues && name in options.fieldValues) return options.fieldValues[name];
  if (name in fieldSamples) return fieldSamples[name];
  if (isEnumType(inner)) return inner.getValues()[0]!.name; // The other fields of a plan depend on its type.
  if (inner.name === "RetryPlanInput") return { kind: "EVEN", maxRetries: 4, windowInDays: 28 };
  if (isInputObjectType(inner)) {
    const fields = Object.values(inner.getFields()).map((field) => {
      return [field.name, sampleValue(field.type, `${path}.${field.name}`, resultType, options)] as const;
    });
    const value = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
    return path === "input" ? { ...value, ...dependentValuesOf(resultType, options) } : value;
  }
  if (inner.name === "ID") return sampleId(path, requireRecordKey(path, resultType), options);
  if (resultType === "SetChildVendorEnabledPayload" && inner.name === "UUID") return options.records.childUuid;
  const noun = inner.name === "Line" || inner.name === "UUID" ? recordKeyOf(path, resultType) : undefined;
  if (noun) return options.records[noun];
  const make = options.scalars?.[inner.name] ?? scalarSamples[inner.name];
  if (!make) throw new Error(`Tell a valid value of the scalar ${inner.name} in test/hostile/sample-values.ts.`);
  return make();
}

const sampleId = (path: string, noun: keyof RecordFixtures, { records }: SampleOptions): unknown =>
  path === "id" || path === "ids" || !path.includes(".") ? String(records[noun]) : records[noun];

/** All operations of the schema, by their names in tests: `Query.cover`. */
export const schemaOperations: readonly {
  name: string;
  kind: "query" | "mutation";
  field: GraphQLField<unknown, unknown>;
}[] = (["query", "mutation"] as const).flatMap((kind) => {
  const root = kind === "query" ? schema.getQueryType()! : schema.getMutationType()!;
  return Object.values(root.getFields()).map((field) => ({ name: `${root.name}.${field.name}`, kind, field }));
});

export type SchemaOperation = (typeof schemaOperations)[number];

/** The variables of a valid call. */
export function sampleVariables({ field }: SchemaOperation, options: SampleOptions): Record<string, unknown> {
  const answer = getNamedType(field.type).name;
  const values = field.args.map(({ name, type }) => [name, sampleValue(type, name, answer, options)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** A document that calls one operation with every argument as a variable, and selects what the answer has. */
export function sampleDocument({ kind, field }: SchemaOperation): string {
  const declared = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(", ");
  const given = field.args.map(({ name }) => `${name}: $${name}`).join(", ");
  const call = given === "" ? field.name : `${field.name}(${given})`;
  const variables = declared === "" ? "" : `(${declared})`;
  return `${kind} Call${variables} { ${call} ${selectionOf(field.type, 3)} }`;
}

/** Every field that needs no argument, down to a depth. */
function selectionOf(type: GraphQLOutputType, depth: number): string {
  const named: GraphQLNamedType = getNamedType(type);
  if (!isCompositeType(named)) return "";
  if (!isObjectType(named) && !isInterfaceType(named)) return "{ __typename }";
  const fields = Object.values(named.getFields()).flatMap((field) => {
    if (!isCompositeType(getNamedType(field.type))) return [field.name];
    const isList = isConnection(field.type);
    if (depth <= 1 || isList) return isList || depth <= 1 ? [] : [field.name];
    return [`${field.name} ${selectionOf(field.type, depth - 1)}`];
  });
  return `{ __typename ${fields.join(" ")} }`;
}

const isConnection = (type: GraphQLOutputType): boolean => getNamedType(type).name.endsWith("Connection");

/** The input type behind a route's body: that of the mutation's `input`. */
export function inputTypeOfRoute(route: RestRoute): GraphQLInputType | undefined {
  const mutation = schema.getMutationType()!.getFields()[route.resourcePath.split(".")[0]!];
  return route.body && mutation?.args.find(({ name }) => name === "input")?.type;
}

/** Whether a route accepts a field of its body, or something below it. */
export const hasBodyField = ({ body = [] }: RestRoute, field: string): boolean =>
  body.some((name) => name === field || name.startsWith(`${field}.`));

/** The type of the answer of a route's operation. */
function resultTypeOf(route: RestRoute): string {
  const [name] = route.resourcePath.split(".");
  const field = schema.getQueryType()!.getFields()[name!] ?? schema.getMutationType()!.getFields()[name!];
  return getNamedType(field!.type).name;
}

/** The record that a parameter of a route's path names. */
const recordKeyInPath = (route: RestRoute, name: string): keyof RecordFixtures =>
  route.path.startsWith("/products/{id}") && name === "id"
    ? "billingProductId"
    : requireRecordKey(name, resultTypeOf(route));

/** A valid request of a route. */
export function sampleRequest(
  route: RestRoute,
  options: SampleOptions,
): { path: string; body: Record<string, unknown> | undefined } {
  const input = inputTypeOfRoute(route);
  const value = input && (sampleValue(input, "input", resultTypeOf(route), options) as Record<string, unknown>);
  const names = new Set(route.body?.map((name) => name.split(".")[0]!));
  const known = value && Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)));
  const path = pathParametersOf(route).reduce<string>((text, name) => {
    return text.includes(`{${name}}`)
      ? text.replace(`{${name}}`, String(options.records[recordKeyInPath(route, name)]))
      : text;
  }, route.path);
  return { path, body: known };
}

/** The name of a route in test titles. */
export const routeNameOf = ({ method, path }: RestRoute): string => `${method} ${path}`;
