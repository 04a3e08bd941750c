import { getNamedType, isInputObjectType, type GraphQLInputType, type GraphQLInterfaceType } from "graphql";
import { describe, expect, test } from "vitest";
import { contractRoutes } from "../../rest-compat/contract-routes.ts";
import { pathParametersOf, type RestRoute } from "../../rest-compat/binding/route.ts";
import { toGlobalId, type NodeType } from "../../src/graphql/record-ids.ts";
import type { RawData } from "../support/raw-data.ts";
import { startGateway, type TestVendor } from "../support/test-gateway.ts";
import { inForm } from "../support/test-form.ts";
import { createBillingFixture } from "../support/fixtures/billing-fixture.ts";
import { removeEchoedValues } from "../support/refusal-values.ts";
import { expectNoChanges } from "../support/rest-assertions.ts";
import { idOwnersByInput, idsOfNoVendor, type IdOwner } from "./id-inputs.ts";
import { queryRows } from "./query-rows.ts";
import { UNKNOWN_UUID, createRecordFixtures, createRecoveryRecords, type RecordFixtures } from "./record-fixtures.ts";
import { makeReady } from "./ready-records.ts";
import {
  sampleDocument,
  inputTypeOfRoute,
  routeNameOf,
  schemaOperations,
  sampleRequest,
  schema,
  hasBodyField,
  sampleVariables,
  type SchemaOperation,
} from "./sample-requests.ts";

const gateway = await startGateway();

/** A family of vendors, and one that has nothing to do with it. */
const parent = gateway.vendor;
const child = await gateway.openVendor({ name: "Child", parentId: parent.id });
const sibling = await gateway.openVendor({ name: "Sibling", parentId: parent.id });
const stranger = await gateway.openVendor({ name: "Stranger" });

const recordsOf = new Map<TestVendor, RecordFixtures>();
for (const vendor of [stranger, parent, child, sibling])
  recordsOf.set(vendor, await createRecordFixtures(gateway, vendor));

/** The caller, and the owner of the records. */
const pairs: readonly (readonly [says: string, asks: TestVendor, owns: TestVendor])[] = [
  ["another vendor's", parent, stranger],
  ["the child's", parent, child],
  ["the parent's", child, parent],
  ["a sibling's", child, sibling],
];

/** An unused id, for every noun. */
const NOBODY = 4_000_000;

/** One place of a request where an id can stand. */
interface Place {
  name: string;
  /** The answer, without its traceId, when this id is at that place in an otherwise valid request. */
  ask: (vendor: TestVendor, own: RecordFixtures, id: string | number) => Promise<{ status: number; text: string }>;
  /** Whether ids are JSON numbers here, as REST has them, and not text. */
  isNumber: boolean;
}

/** The places of ids in an input: paths of the fields of one of these types. */
function pathsOf(type: GraphQLInputType, path: string, wanted: readonly string[]): string[] {
  const named = getNamedType(type);
  if (isInputObjectType(named))
    return Object.values(named.getFields()).flatMap((field) => pathsOf(field.type, `${path}.${field.name}`, wanted));
  return wanted.includes(named.name) ? [path] : [];
}

/** Sends the fields that lead to a path, and no other optional ones. */
const leadingTo = (path: string) => (at: string) => path === at || path.startsWith(`${at}.`);

/** Puts a value at a path, through any lists. */
function put(target: RawData, [name, ...rest]: readonly string[], value: unknown): void {
  if (Array.isArray(target)) return put(target[0], [name!, ...rest], value);
  if (rest.length > 0) return put(target[name!], rest, value);
  target[name!] = Array.isArray(target[name!]) ? [value] : value;
}

async function send(vendor: TestVendor, method: RestRoute["method"], url: string, body: unknown) {
  const response = await gateway.gateway.server.inject({
    method,
    url,
    headers: { "secret-token": vendor.token, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
  return { status: response.statusCode, text: removeEchoedValues(response.body) };
}

/** The other arguments that an argument needs. */
const companions: Readonly<Record<string, string>> = { "Query.pricePlan productId": "id" };

const placesOfOperation = (operation: SchemaOperation): Place[] => {
  // Only queries find a record by its partner id; a mutation registers one that does not exist.
  const wanted = operation.kind === "query" ? ["ID", "UUID", "PartnerId"] : ["ID", "UUID"];
  const paths = operation.field.args.flatMap(({ name, type }) => pathsOf(type, name, wanted));
  return paths.map((path) => ({
    name: `${operation.name} ${path}`,
    isNumber: false,
    ask: async (vendor, own, id) => {
      const sends = (at: string) => leadingTo(path)(at) || companions[`${operation.name} ${path}`] === at;
      const variables = sampleVariables(operation, { records: own, includesField: sends });
      put(variables, path.split("."), id);
      return send(vendor, "POST", "/graphql", { query: sampleDocument(operation), variables });
    },
  }));
};

const placesOfRoute = (route: RestRoute): Place[] => {
  const inPath = pathParametersOf(route).map<Place>((parameter) => ({
    name: `${routeNameOf(route)} ${parameter}`,
    isNumber: true,
    ask: (vendor, own, id) => {
      const path = sampleRequest(
        { ...route, path: route.path.replace(`{${parameter}}`, String(id)) as `/${string}` },
        { records: own },
      ).path;
      return send(vendor, route.method, `/api/v1${path}`, route.body && sampleRequest(route, { records: own }).body);
    },
  }));
  const input = inputTypeOfRoute(route);
  const paths = input
    ? pathsOf(input, "input", ["ID", "UUID"]).filter((path) => hasBodyField(route, path.split(".")[1]!))
    : [];
  const inBody = paths.map<Place>((path) => ({
    name: `${routeNameOf(route)} ${path.replace("input.", "")}`,
    isNumber: true,
    ask: (vendor, own, id) => {
      const request = sampleRequest(route, { records: own, includesField: leadingTo(path) });
      put(request.body, path.split(".").slice(1), id);
      return send(vendor, route.method, `/api/v1${request.path}`, request.body);
    },
  }));
  return [...inPath, ...inBody];
};

const places: readonly Place[] = [
  ...contractRoutes.flatMap(placesOfRoute),
  ...schemaOperations.flatMap(placesOfOperation),
].filter(({ name }) => !idsOfNoVendor.includes(name));

test("every place where an id can stand is in the table of test/hostile/id-inputs.ts, and nothing else is", () => {
  const found = places.map(({ name }) => name);
  expect({
    "Add these to the table, with the type of record that they are ids of": found.filter(
      (name) => !(name in idOwnersByInput),
    ),
    "Remove these from the table": Object.keys(idOwnersByInput).filter((name) => !found.includes(name)),
  }).toEqual({
    "Add these to the table, with the type of record that they are ids of": [],
    "Remove these from the table": [],
  });
});

/** The vendor's record for each type; the tables of those that have partner ids; the names of nobody. */
const kept: Record<
  Exclude<IdOwner, "Node">,
  { record: keyof RecordFixtures; table?: string; partnerId?: string; nobody?: string }
> = {
  Cover: { record: "coverId" },
  RetryDecision: { record: "decisionId" },
  RecoveryPolicy: { record: "policyId" },
  RecoveryExperiment: { record: "experimentId" },
  RecoveryTraining: { record: "trainingId" },
  RecoveryModel: { record: "modelId" },
  WebhookEndpoint: { record: "webhookEndpointId" },
  WebhookDelivery: { record: "webhookDeliveryId" },
  Message: { record: "messageId" },
  ApiKey: { record: "apiKeyId" },
  Person: { record: "personId" },
  CoverCustomer: { record: "customerId", table: "cover_customers", partnerId: "partner_customer_id" },
  CoverOrder: { record: "orderId", table: "cover_orders", partnerId: "partner_order_id" },
  CoverPrice: { record: "priceId", table: "cover_prices", partnerId: "partner_price_id" },
  CoverProduct: { record: "productId", table: "cover_products", partnerId: "partner_product_id" },
  CoverSubscription: { record: "subscriptionId", table: "cover_subscriptions", partnerId: "partner_subscription_id" },
  Customer: { record: "billingCustomerId" },
  CustomerUuid: { record: "billingCustomerUuid", nobody: "00000000-0000-4000-8000-000000000000" },
  Product: { record: "billingProductId" },
  ProductCode: { record: "billingProductCode", nobody: "product_nobodys00" },
  PricePlan: { record: "billingPriceId" },
  Subscription: { record: "billingSubscriptionId" },
  Order: { record: "billingOrderId" },
  OrderItem: { record: "billingItemId" },
  Invoice: { record: "billingInvoiceId" },
  Payment: { record: "billingPaymentId" },
  StoredMethod: { record: "billingMethodId" },
  Category: { record: "billingCategoryId" },
  OptionGroup: { record: "billingOptionGroupId" },
  ProductOption: { record: "billingOptionId" },
  PriceOption: { record: "sideOptionId" },
  VendorUuid: { record: "vendorUuid", nobody: UNKNOWN_UUID },
  ChildUuid: { record: "childUuid", nobody: UNKNOWN_UUID },
};

/** The types that have global ids; a new one fails in `globalIdOf` until `kept` has it. */
const nodeTypes = schema
  .getPossibleTypes(schema.getType("Node") as GraphQLInterfaceType)
  .map(({ name }) => name as NodeType);

function globalIdOf(type: NodeType, vendor: TestVendor, records: RecordFixtures | undefined): string {
  if (type !== "Vendor" && !(type in kept))
    throw new Error(`Say in vendor-fence.test.ts which record stands for the type ${type as string}.`);
  return toGlobalId(type, records ? (type === "Vendor" ? vendor.id : records[kept[type].record]) : NOBODY);
}

/** The forms in which a place can name a record: of a vendor's records, or of nobody's. */
async function idsOf(
  { name, isNumber }: Place,
  vendor: TestVendor,
  records?: RecordFixtures,
): Promise<(string | number)[]> {
  const whose = idOwnersByInput[name]!;
  // Models and their trainings are the parent's: a child has none of its own.
  if (whose === "Node")
    return nodeTypes
      .filter((type) => vendor !== child || !["RecoveryModel", "RecoveryTraining"].includes(type))
      .map((type) => globalIdOf(type, vendor, records));
  const { record, nobody } = kept[whose];
  const id = records ? records[record] : (nobody ?? NOBODY);
  // Codes, unique ids and numbers of parts have one form only.
  if (nobody !== undefined || /^Category$|^StoredMethod$|Option/.test(whose)) return [isNumber ? id : String(id)];
  if (isNumber) return [id];
  if (/ partner\w+Id$/.test(name)) return [records ? await partnerIdOf(whose, id as number) : "nobodys-4000000"];
  return [String(id), toGlobalId(whose, id)];
}

async function partnerIdOf(whose: keyof typeof kept, id: number): Promise<string> {
  const { table, partnerId } = kept[whose];
  const rows = await queryRows<{ it: string }>(gateway, `select ${partnerId!} as it from ${table!} where id = ${id}`);
  return rows[0]!.it;
}

const inTable = places.filter(({ name }) => name in idOwnersByInput).map((place) => [place.name, place] as const);

/** A parent may name its child where a vendor's uuid is expected; test/rest/vendors.test.ts tests what it gets. */
const closed = (asks: TestVendor, owns: TestVendor) =>
  asks === parent && owns === child ? inTable.filter(([name]) => idOwnersByInput[name] !== "VendorUuid") : inTable;

/**
 * A child has no children, so that it has no uuid of one, and can create none; a parent has nobody to submit to.
 * Approvals never concern own records: test/graphql/products/product-approval.test.ts tests whose they are.
 */
const open = (vendor: TestVendor) => {
  const shut = vendor === child ? /ChildVendor(?:Enabled)? input|POST \/vendors/ : /submitProduct/;
  return inTable.filter(([name]) => !shut.test(name) && !/(?:approve|reject)Product/.test(name));
};

describe.each(pairs)("%s id is answered byte for byte like an unused id, and changes nothing", (_, asks, owns) => {
  test.each(closed(asks, owns))("at %s", async (_name, place) => {
    const own = recordsOf.get(asks)!;
    const theirs = await idsOf(place, owns, recordsOf.get(owns));
    const nobodys = await idsOf(place, owns);
    await expectNoChanges(gateway, async () => {
      for (const [index, id] of theirs.entries()) {
        const answer = await place.ask(asks, own, id);
        expect(answer).toEqual(await place.ask(asks, own, nobodys[index]!));
      }
    });
  });
});

describe.each([
  ["a parent", parent],
  ["a child", child],
] as const)("the own id of %s works", (_, vendor) => {
  let shared: Promise<RecordFixtures> | undefined;
  const SHARES_ALL =
    /^(?:Query[.]|GET |POST [/]cover[/](?!recovery)|POST [/](?:orders|invoices|vendors)|Mutation[.](?:register|create|setChild))/;
  /**
   * Operations that read records, or create a record that refers to them, share them. Operations that change records
   * need new ones each time: those of the recovery module, or those of billing.
   */
  const recordsFor = async (name: string): Promise<RecordFixtures> => {
    const common = await (shared ??= createRecordFixtures(gateway, vendor));
    if (SHARES_ALL.test(name)) return common;
    const isRecovery = ["Cover", "Recovery", "RetryDecision"].some((noun) =>
      (idOwnersByInput[name] ?? "").includes(noun),
    );
    const fresh = isRecovery
      ? await createRecoveryRecords(gateway, vendor)
      : await createBillingFixture(gateway, vendor);
    return { ...common, ...fresh };
  };

  test.each(open(vendor))("at %s", async (_name, place) => {
    // A form of an id is read before its owner is known, so the short form sends all forms for the parent only.
    const forms = vendor === child ? inForm(1, Infinity) : Infinity;
    const count = Math.min(forms, (await idsOf(place, vendor, recordsOf.get(vendor))).length);
    for (let form = 0; form < count; form++) {
      const own = await recordsFor(place.name);
      await makeReady(gateway, place.name, own, vendor);
      const id = (await idsOf(place, vendor, own))[form]!;
      const { status, text } = await place.ask(vendor, own, id);
      expect({ status, text }).toEqual({
        status: place.name.startsWith("POST") ? 201 : place.name.endsWith("/pay idOrCode") ? 302 : 200,
        text: expect.not.stringContaining('"errors"'),
      });
      // No found record is empty: an operation that answers null for an own id would answer null for every id.
      expect(text).not.toMatch(/^\{"data":\{"\w+":(?:null|\[null\])\}/);
    }
  });
});
