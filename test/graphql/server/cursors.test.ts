import { getNamedType, isEnumType, isInputObjectType, isInterfaceType, isObjectType, type GraphQLField } from "graphql";
import { beforeAll, describe, expect, test } from "vitest";
import type { RawData } from "../../support/raw-data.ts";
import { toGlobalId, type NodeType } from "../../../src/graphql/record-ids.ts";
import { buildGatewaySchema } from "../../../src/graphql/schema.ts";
import { createRecordFixtures, type RecordFixtures } from "../../hostile/record-fixtures.ts";
import { errorSummaries } from "../../support/cover-mutations.ts";
import { numberEvents } from "../../support/number-events.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { TestCatalogue } from "../../support/test-catalogue.ts";

/*
 * Every connection of the schema, in each of its sort orders: there is one cursor format, and each cursor is valid for
 * its own list and order only.
 */

const schema = buildGatewaySchema();
const gateway = await startGateway();
let records: RecordFixtures;

beforeAll(async () => {
  const child = await gateway.openVendor({ name: "Child", parentId: gateway.vendor.id });
  records = await createRecordFixtures(gateway);
  const catalogue = new TestCatalogue(gateway, child);
  const { databaseId } = await catalogue.createProduct({ type: "DRAFT", draftOf: "BOX" });
  await catalogue.createPlan(databaseId);
  await catalogue.runMutation("submitProduct", { productId: String(databaseId) }, "product { id }");
  await numberEvents(gateway);
});

/** A record for each type that has lists of its own. */
const parents: Readonly<Partial<Record<NodeType, keyof RecordFixtures>>> = {
  Cover: "coverId",
  CoverCustomer: "customerId",
  CoverOrder: "orderId",
  CoverProduct: "productId",
  CoverSubscription: "subscriptionId",
  Customer: "billingCustomerId",
  Order: "billingOrderId",
  Product: "billingProductId",
  Subscription: "billingSubscriptionId",
};

/** A connection, by its parent type and its name, with the arguments for each of its sort orders. */
interface Connection {
  owner: string;
  field: string;
  sortings: string[];
}

type Field = GraphQLField<unknown, unknown>;

/** The arguments for each order; empty for a list with one order only. */
function sortingsOf({ args }: Field): string[] {
  const argument = args.find(({ name }) => name === "orderBy" || name === "direction");
  if (!argument) return [""];
  const type = getNamedType(argument.type);
  if (isEnumType(type)) return type.getValues().map(({ name }) => `direction: ${name}`);
  if (!isInputObjectType(type)) throw new Error(`What orders does ${argument.name} have?`);
  const words = getNamedType(type.getFields()["field"]!.type);
  if (!isEnumType(words)) throw new Error(`${type.name}.field is no enum`);
  return words
    .getValues()
    .flatMap(({ name }) => ["ASC", "DESC"].map((way) => `orderBy: { field: ${name}, direction: ${way} }`));
}

const types = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) || isInterfaceType(type));
const connections: Connection[] = types.flatMap((type) =>
  Object.values(type.getFields()).flatMap((field) =>
    getNamedType(field.type).name.endsWith("Connection")
      ? [{ owner: type.name, field: field.name, sortings: sortingsOf(field) }]
      : [],
  ),
);
const nameOf = ({ owner, field }: Connection) => `${owner}.${field}`;
const root = schema.getQueryType()!.name;

/** Runs a list with several sets of arguments in one request. */
function ask({ owner, field }: Connection, argumentsOfEach: readonly string[]) {
  const noun = parents[owner as NodeType];
  const id = noun === undefined ? "" : toGlobalId(owner, records[noun]);
  const fields = argumentsOfEach.map((given, index) => {
    const list = `${field}(${given}) { edges { cursor } }`;
    return owner === root ? `l${index}: ${list}` : `l${index}: node(id: "${id}") { ... on ${owner} { ${list} } }`;
  });
  return gateway.sendRawGraphQL(`{ ${fields.join(" ")} }`);
}

const inGroupsOf = (size: number, all: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size));

/** The maximum number of root fields in a request. */
const MOST_ROOT_FIELDS = 10;

/** The cursors of a list for each set of arguments. */
async function cursorsOf(list: Connection, argumentsOfEach: readonly string[]): Promise<string[]> {
  const answers = await Promise.all(inGroupsOf(MOST_ROOT_FIELDS, argumentsOfEach).map((each) => ask(list, each)));
  return answers.flatMap(({ data, errors }) => {
    expect(errors).toBeUndefined();
    return Object.values<RawData>(data).flatMap((row) =>
      (list.owner === root ? row : row[list.field]).edges.map(({ cursor }: { cursor: string }) => cursor),
    );
  });
}

/**
 * The refusals of a list for each set of arguments. A list of the root fails as a whole, so each of its refusals is a
 * request.
 */
async function refusalsOf(list: Connection, argumentsOfEach: readonly string[]): Promise<string[]> {
  const groups = inGroupsOf(list.owner === root ? 1 : MOST_ROOT_FIELDS, argumentsOfEach);
  return (await Promise.all(groups.map((each) => ask(list, each)))).flatMap(errorSummaries);
}

const refused = (count: number, argument: string): string[] =>
  Array.from({ length: count }, () => `INVALID_ARGUMENT: ${argument} INVALID_VALUE`);

const encoded = (text: string): string => Buffer.from(text).toString("base64url");
const partsOf = (cursor: string): RawData => JSON.parse(Buffer.from(cursor, "base64url").toString());

/** Lists of renewals, which these records do not have yet. */
const EMPTY = new Set(["Order.covers", "Subscription.covers", "Subscription.orders", "Subscription.timeline"]);

/** The cursors of each list, by sort order. */
const cursors = new Map<Connection, string[]>();
beforeAll(async () => {
  for (const list of connections) {
    const first = list.sortings.map((sorting) => `first: 1 ${sorting}`);
    cursors.set(list, await cursorsOf(list, first));
  }
});

test("the types with lists are these, and all lists except a few have rows", () => {
  expect([...new Set(connections.map(({ owner }) => owner))].sort()).toEqual([...Object.keys(parents), root].sort());
  const empty = connections.filter((list) => cursors.get(list)!.length === 0);
  expect(empty.map(nameOf).sort()).toEqual([...EMPTY].sort());
});

describe.each(connections.map((list) => [nameOf(list), list] as const))("%s", (name, list) => {
  const { sortings } = list;
  const hasRows = !EMPTY.has(name);

  if (hasRows)
    test("has cursors of the one format, one for each order", () => {
      const own = cursors.get(list)!.map(partsOf);
      for (const [version, sort, value, id, ...rest] of own) {
        expect([version, rest]).toEqual([1, []]);
        expect(sort).toMatch(/^[a-z_]+ [A-Z_]+ (?:ASC|DESC)$/);
        expect(value === null || typeof value === "string").toBe(true);
        expect(Number.isSafeInteger(id)).toBe(true);
      }
      expect(new Set(own.map(([, sort]) => sort)).size).toBe(sortings.length);
    });

  if (hasRows)
    test("continues from its cursors in both directions", async () => {
      const own = cursors.get(list)!;
      const both = sortings.flatMap((sorting, index) => [
        `first: 1, after: "${own[index]!}" ${sorting}`,
        `last: 1, before: "${own[index]!}" ${sorting}`,
      ]);
      // No row is before the first one, and the slice after it does not repeat it.
      const reached = await cursorsOf(list, both);
      expect(reached.filter((cursor) => own.includes(cursor))).toEqual([]);
    });

  if (hasRows && sortings.length > 1)
    test("refuses in each order the cursors of other orders", async () => {
      const own = cursors.get(list)!;
      // The next order is the other direction of the same field, or the next field.
      const next = sortings.map((sorting, index) => `first: 1, after: "${own[(index + 1) % own.length]!}" ${sorting}`);
      expect(await refusalsOf(list, next)).toEqual(refused(sortings.length, "after"));
    });

  test("refuses cursors of other lists, of earlier versions and of later ones", async () => {
    const sorting = sortings[0]!;
    const known = cursors.get(list)![0];
    const others = [...cursors.values()].flatMap((of) => of.slice(0, 1));
    const [version, sort, value, id]: [number, string, string, number] = partsOf(known ?? others[0]!);
    const [table = "", field = ""] = sort.split(" ");
    const foreign = known === undefined ? [] : others.filter((cursor) => partsOf(cursor)[1].split(" ")[0] !== table);
    const unfit = [
      ...foreign.slice(0, 2),
      // The cursor format before the version was added.
      encoded(JSON.stringify([`${table}:${field}`, value, id])),
      encoded(`${table}:${field}:${Date.parse(value)}:${id}`),
      encoded(JSON.stringify([version - 1, sort, value, id])),
      encoded(JSON.stringify([version + 1, sort, value, id])),
      encoded(JSON.stringify([version, sort, value, id, null])),
    ];
    const [after, before] = [
      await refusalsOf(
        list,
        unfit.map((cursor) => `first: 1, after: "${cursor}" ${sorting}`),
      ),
      await refusalsOf(
        list,
        unfit.map((cursor) => `last: 1, before: "${cursor}" ${sorting}`),
      ),
    ];
    expect(after).toEqual(refused(unfit.length, "after"));
    expect(before).toEqual(refused(unfit.length, "before"));
  });
});
