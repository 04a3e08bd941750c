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
import { registerOrder, registerShop, fresh, type Shop } from "../support/shop.ts";
import { createChild } from "../support/family.ts";
import type { RequestOptions, TestGateway } from "../support/gateway.ts";

/* Valid requests, made from the schema alone: an operation that is added tomorrow has one today. */

export const schema = buildGatewaySchema();

/** Records of one vendor, one of each noun. */
export type Records = Shop & {
  orderId: number;
  coverId: number;
  billingCustomerId: number;
  /** The vendor's own. */
  vendorUuid: string;
  /** That of a child of the vendor; a child has none, and this is nobody's. */
  childUuid: string;
};

/** The uuid of no vendor. */
export const NOBODYS_UUID = "1f0c8c3e-0000-4000-8000-000000000000";

/** Registers one record of each noun: a cover runs on the order. */
export async function registerRecords(gateway: TestGateway, options?: RequestOptions): Promise<Records> {
  const shop = await registerShop(gateway, options);
  const order = await registerOrder(gateway, shop, { subscriptionId: shop.subscriptionId }, options);
  const recovery = { subscriptionId: shop.subscriptionId, orderId: order.id, errorCode: "51" };
  const { body } = await gateway.post("/cover/recovery", recovery, options);
  const { createCustomer } = await gateway.data(
    "mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { customer { databaseId } } }",
    { input: { name: "Kim Seo-yeon", email: "seoyeon@example.com", phone: "010-1234-5678" } },
    options,
  );
  const billingCustomerId = Number(createCustomer.customer.databaseId);
  return { ...shop, orderId: order.id, coverId: body.coverId, billingCustomerId, ...(await family(gateway, options)) };
}

/** The uuids of a vendor and, where it may have children, of one of them. */
async function family(gateway: TestGateway, options?: RequestOptions) {
  const { vendor } = await gateway.data("{ vendor { uuid parentUuid } }", {}, options);
  const childUuid = vendor.parentUuid === null ? (await createChild(gateway, {}, options)).uuid : NOBODYS_UUID;
  return { vendorUuid: vendor.uuid as string, childUuid };
}

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

/** Valid values of the scalars. */
const scalars: Record<string, () => unknown> = {
  Boolean: () => true,
  CountryCode: () => "KR",
  Currency: () => "USD",
  DateTime: () => "2026-02-01T00:00:00Z",
  Decimal: () => 18_900,
  Duration: () => "P1D",
  Email: () => "seoyeon@example.com",
  Int: () => 1,
  Line: () => fresh("line"),
  Link: () => "https://example.com/bean.png",
  Name: () => "Kim Seo-yeon",
  PartnerId: () => fresh("partner"),
  Password: () => "correct horse",
  Phone: () => "010-1234-5678",
  PositiveInt: () => 1,
  String: () => "x",
  JSONObject: () => ({ colour: "red" }),
  Text: () => "insufficient funds",
  TimeZone: () => "Asia/Seoul",
};

/** Values that depend on where they stand: those of which not any value of the type will do. */
const places: Record<string, unknown> = {
  currentPeriodEnd: "2026-03-01T00:00:00Z",
  until: "2026-03-01T00:00:00Z",
  trialEnd: "2026-03-01T00:00:00Z",
  amountReturned: 0,
  vatRate: 10,
  customDomain: "pay.example.com",
  returnOrigins: "https://shop.example.com",
  // That of an identity provider, which is nothing of ours.
  realmIdentityProviderId: NOBODYS_UUID,
  // The move that a paid order has.
  status: "PREPARING",
};

/** Records by the names under which their ids are sent. */
const nouns: Record<string, keyof Records> = {
  customerId: "customerId",
  productId: "productId",
  priceId: "priceId",
  orderId: "orderId",
  initialOrderId: "orderId",
  subscriptionId: "subscriptionId",
  vendorUuid: "vendorUuid",
};

/** The record that the `id` of a query stands for, by the type that it answers. */
const answered: Record<string, keyof Records> = {
  Cover: "coverId",
  CoverCustomer: "customerId",
  Customer: "billingCustomerId",
  UpdateCustomerPayload: "billingCustomerId",
  CoverOrder: "orderId",
  CoverPrice: "priceId",
  CoverProduct: "productId",
  CoverSubscription: "subscriptionId",
  Node: "orderId",
};

/** Which record an ID stands for: by its name, or by what is answered. */
function nounOf(name: string, answer: string): keyof Records {
  const noun = nouns[name] ?? (name === "id" || name === "ids" ? answered[answer] : undefined);
  if (!noun) throw new Error(`Whose id is ${name} of what answers ${answer}? Say so in test/hostile/samples.ts.`);
  return noun;
}

/** A valid value of an input type; undefined for what is optional and not to be sent. */
export function valueOf(type: GraphQLInputType, path: string, answer: string, taste: Taste): unknown {
  if (!isNonNullType(type) && !taste.sends?.(path)) return undefined;
  const inner = getNullableType<GraphQLInputType>(type);
  const name = path.split(".").at(-1)!;
  if (isListType(inner)) return [valueOf(inner.ofType, path, answer, { ...taste, sends: () => true })];
  if (taste.places && name in taste.places) return taste.places[name];
  if (name in places) return places[name];
  if (isEnumType(inner)) return inner.getValues()[0]!.name;
  if (isInputObjectType(inner)) {
    const fields = Object.values(inner.getFields()).map((field) => {
      return [field.name, valueOf(field.type, `${path}.${field.name}`, answer, taste)] as const;
    });
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  }
  if (inner.name === "UUID")
    return answer === "SetChildVendorEnabledPayload" ? taste.records.childUuid : taste.records[nounOf(name, answer)];
  if (inner.name === "ID") return idIn(path, nounOf(name, answer), taste);
  const make = taste.scalars?.[inner.name] ?? scalars[inner.name];
  if (!make) throw new Error(`Tell a valid value of the scalar ${inner.name} in test/hostile/samples.ts.`);
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

/** A valid request of a route. */
export function requestOf(route: Route, taste: Taste): { path: string; body: Record<string, unknown> | undefined } {
  const input = inputOf(route);
  const value = input && (valueOf(input, "input", "", taste) as Record<string, unknown>);
  const known = value && Object.fromEntries(Object.entries(value).filter(([name]) => takes(route, name)));
  const path = pathParameters(route).reduce<string>((text, name) => {
    return text.replace(`{${name}}`, String(taste.records[nounOf(name, "")]));
  }, route.path);
  return { path, body: known };
}

/** The name of a route as its tests show it. */
export const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
