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
import { pathParameters, type Route } from "../../rest-compat/binding/route.ts";
import { buildGatewaySchema } from "../../src/graphql/schema.ts";
import type { Records } from "./record-fixtures.ts";
import { places, scalars } from "./sample-values.ts";

/* Valid requests, made from the schema alone: an operation that is added tomorrow has one today. */

export const schema = buildGatewaySchema();

/** What makes the values of a request. Everything that is not told is a plain, valid value. */
export interface Taste {
  records: Records;
  /** Values of scalars, by the scalar's name. */
  scalars?: Record<string, () => unknown>;
  /** Which optional fields and arguments are sent; none unless told. */
  sends?: (path: string) => boolean;
  /** Values that stand at certain places, by the name of the field. */
  places?: Record<string, unknown>;
}

type Nouns = Readonly<Record<string, keyof Records>>;

/** Records by the names under which their ids are sent, in the recovery module. */
const covers: Nouns = {
  customerId: "customerId",
  productId: "productId",
  priceId: "priceId",
  orderId: "orderId",
  initialOrderId: "orderId",
  subscriptionId: "subscriptionId",
  renewalOrderId: "billingOrderId",
  renewalSubscriptionId: "billingSubscriptionId",
};

/** The same on the billing side, and the codes and other names that records have there. */
const billing: Nouns = {
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
};

/** The record that the `id` or the `code` of a request or of a part of it stands for, by the type that is answered. */
const answered: Readonly<Record<string, Nouns>> = {
  Cover: { id: "coverId" },
  DecisionReplay: { id: "decisionId" },
  SchedulePreview: { policyId: "policyId" },
  ActivateRecoveryPolicyPayload: { policyId: "policyId" },
  RetireRecoveryPolicyPayload: { policyId: "policyId" },
  CoverCustomer: { id: "customerId" },
  CoverOrder: { id: "orderId" },
  CoverPrice: { id: "priceId" },
  CoverProduct: { id: "productId" },
  CoverSubscription: { id: "subscriptionId" },
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

/** What is asked of the recovery module: its types say so. */
const isOfCovers = (answer: string): boolean => /Cover|Recovery|PaymentMethodChanged/.test(answer);

/** Which record a value stands for: by its name, or by what is answered. */
const nounOf = (path: string, answer: string): keyof Records | undefined => {
  const name = path.split(".").at(-1)!;
  return answered[answer]?.[path.replace("input.", "")] ?? (isOfCovers(answer) ? covers : billing)[name];
};

function nounOfId(name: string, answer: string): keyof Records {
  const noun = nounOf(name, answer);
  if (!noun)
    throw new Error(`Whose id is ${name} of what answers ${answer}? Say so in test/hostile/sample-requests.ts.`);
  return noun;
}

/** An order names its customer in one of three ways; by number unless told. What changes of a subscription is something. */
const isNeeded = (path: string, answer: string, { sends }: Taste): boolean =>
  (path === "input.method" && answer === "PayOrderPayload") ||
  (path === "input.add" && answer === "SettleSubscriptionPayload") ||
  (/^input\.items(?:\.add)?$/.test(path) && answer === "SubscriptionChangePreview") ||
  (path === "input.customerId" &&
    answer === "CreateOrderPayload" &&
    !sends?.("input.customerUuid") &&
    !sends?.("input.customerCode"));

/** What else has to be so where a part of an input is sent: a bundle has members, and an option is a plan of another product. */
const settings: readonly [answer: string, path: string, setting: (records: Records) => object][] = [
  ["CreateProductPayload", "input.combinedProductIds", () => ({ type: "BUNDLE" })],
  ["UpdateProductPayload", "input.combinedProductIds", ({ bundleId }) => ({ id: bundleId })],
  ["CreatePricePlanPayload", "input.options", ({ sideProductId }) => ({ productId: sideProductId })],
  ["CreatePricePlanPayload", "input.bundlePrices", ({ bundleId }) => ({ productId: bundleId, type: "BUNDLE" })],
  ["UpdatePricePlanPayload", "input.options", ({ sidePriceId }) => ({ id: sidePriceId })],
  ["UpdatePricePlanPayload", "input.bundlePrices", ({ bundlePriceId }) => ({ id: bundlePriceId })],
];

const settingOf = (answer: string, { sends, records }: Taste): object =>
  Object.assign(
    {},
    ...settings.filter(([of, path]) => of === answer && sends?.(path)).map(([, , setting]) => setting(records)),
  );

/** A valid value of an input type; undefined for what is optional and not to be sent. */
export function valueOf(type: GraphQLInputType, path: string, answer: string, taste: Taste): unknown {
  if (!isNonNullType(type) && !taste.sends?.(path) && !isNeeded(path, answer, taste)) return undefined;
  const inner = getNullableType<GraphQLInputType>(type);
  const name = path.split(".").at(-1)!;
  if (isListType(inner) && name in places) return places[name];
  if (isListType(inner)) return [valueOf(inner.ofType, path, answer, { ...taste, sends: () => true })];
  if (taste.places && name in taste.places) return taste.places[name];
  if (name in places) return places[name];
  if (isEnumType(inner)) return inner.getValues()[0]!.name;
  // What goes with a plan follows from its kind.
  if (inner.name === "RetryPlanInput") return { kind: "EVEN", tries: 4, windowInDays: 28 };
  if (isInputObjectType(inner)) {
    const fields = Object.values(inner.getFields()).map((field) => {
      return [field.name, valueOf(field.type, `${path}.${field.name}`, answer, taste)] as const;
    });
    const value = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
    return path === "input" ? { ...value, ...settingOf(answer, taste) } : value;
  }
  if (inner.name === "ID") return idIn(path, nounOfId(path, answer), taste);
  if (answer === "SetChildVendorEnabledPayload" && inner.name === "UUID") return taste.records.childUuid;
  const noun = inner.name === "Line" || inner.name === "UUID" ? nounOf(path, answer) : undefined;
  if (noun) return taste.records[noun];
  const make = taste.scalars?.[inner.name] ?? scalars[inner.name];
  if (!make) throw new Error(`Tell a valid value of the scalar ${inner.name} in test/hostile/sample-values.ts.`);
  return make();
}

const idIn = (path: string, noun: keyof Records, { records }: Taste): unknown =>
  path === "id" || path === "ids" || !path.includes(".") ? String(records[noun]) : records[noun];

/** All operations of the schema, by the names that their tests have: `Query.cover`. */
export const operations: readonly {
  name: string;
  kind: "query" | "mutation";
  field: GraphQLField<unknown, unknown>;
}[] = (["query", "mutation"] as const).flatMap((kind) => {
  const root = kind === "query" ? schema.getQueryType()! : schema.getMutationType()!;
  return Object.values(root.getFields()).map((field) => ({ name: `${root.name}.${field.name}`, kind, field }));
});

export type Operation = (typeof operations)[number];

/** The variables of a valid call. */
export function variablesOf({ field }: Operation, taste: Taste): Record<string, unknown> {
  const answer = getNamedType(field.type).name;
  const values = field.args.map(({ name, type }) => [name, valueOf(type, name, answer, taste)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** A document that calls one operation with every argument as a variable, and selects what the answer has. */
export function documentOf({ kind, field }: Operation): string {
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
export function inputOf(route: Route): GraphQLInputType | undefined {
  const mutation = schema.getMutationType()!.getFields()[route.answer.split(".")[0]!];
  return route.body && mutation?.args.find(({ name }) => name === "input")?.type;
}

/** Whether a route takes a field of its body, or something below it. */
export const takes = ({ body = [] }: Route, field: string): boolean =>
  body.some((name) => name === field || name.startsWith(`${field}.`));

/** The type that a route's operation answers. */
function answerOf(route: Route): string {
  const [name] = route.answer.split(".");
  const field = schema.getQueryType()!.getFields()[name!] ?? schema.getMutationType()!.getFields()[name!];
  return getNamedType(field!.type).name;
}

/** The record that a parameter of a route's path names. */
const nounInPath = (route: Route, name: string): keyof Records =>
  route.path.startsWith("/products/{id}") && name === "id" ? "billingProductId" : nounOfId(name, answerOf(route));

/** A valid request of a route. */
export function requestOf(route: Route, taste: Taste): { path: string; body: Record<string, unknown> | undefined } {
  const input = inputOf(route);
  const value = input && (valueOf(input, "input", answerOf(route), taste) as Record<string, unknown>);
  const names = new Set(route.body?.map((name) => name.split(".")[0]!));
  const known = value && Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)));
  const path = pathParameters(route).reduce<string>((text, name) => {
    return text.includes(`{${name}}`)
      ? text.replace(`{${name}}`, String(taste.records[nounInPath(route, name)]))
      : text;
  }, route.path);
  return { path, body: known };
}

/** The name of a route as its tests show it. */
export const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
