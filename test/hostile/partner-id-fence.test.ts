import { getNamedType, isInputObjectType } from "graphql";
import { beforeAll, describe, expect, test } from "vitest";
import { createTestChild } from "../support/fixtures/child-vendors.ts";
import { numberEvents } from "../support/number-events.ts";
import { startGateway } from "../support/test-gateway.ts";
import { TestCatalogue } from "../support/test-catalogue.ts";
import { createRecordFixtures } from "./record-fixtures.ts";
import { sampleDocument, schemaOperations, sampleVariables, type SchemaOperation } from "./sample-requests.ts";

/*
 * Values that a vendor chooses for itself (partner ids, idempotency keys, cursors that it was given) mean nothing to
 * another vendor.
 */

const gateway = await startGateway();
const child = await gateway.openVendor({ name: "Child", parentId: gateway.vendor.id });
const stranger = await gateway.openVendor({ name: "Stranger" });
const vendors = [gateway.vendor, child, stranger];
const recordsOf = [
  await createRecordFixtures(gateway),
  await createRecordFixtures(gateway, child),
  await createRecordFixtures(gateway, stranger),
];

const hasField = ({ field }: SchemaOperation, name: string): boolean => {
  const input = getNamedType(field.args.find((argument) => argument.name === "input")?.type);
  return isInputObjectType(input) && name in input.getFields();
};

const named = (chosen: readonly SchemaOperation[]) => chosen.map((operation) => [operation.name, operation] as const);

describe("a partner id that three vendors share is the key of three records", () => {
  test.each(named(schemaOperations.filter((operation) => hasField(operation, "replaceIfExists"))))(
    "in %s",
    async (_, operation) => {
      const register = async (index: number) => {
        const records = recordsOf[index]!;
        const { input } = sampleVariables(operation, { records, scalars: { PartnerId: () => "shared" } });
        const variables = { input: { ...(input as object), replaceIfExists: true } };
        const data: Record<string, Record<string, { id?: string } | null>> = await gateway.queryRawData(
          sampleDocument(operation),
          variables,
          vendors[index],
        );
        return Object.values(Object.values(data)[0]!).find((value) => value?.id)!.id!;
      };
      const first = [await register(0), await register(1), await register(2)];
      expect(new Set(first).size).toBe(3);
      expect([await register(0), await register(1), await register(2)]).toEqual(first);
    },
  );
});

describe("an idempotency key that three vendors share is the key of three answers", () => {
  test.each(["/api/v1/cover/product", "/graphql"])("at %s", async (url) => {
    const product = { name: "Coffee", partnerProductId: `coffee${url}` };
    const query =
      "mutation R($input: RegisterCoverProductInput!) { registerCoverProduct(input: $input) { product { id } } }";
    const payload = url === "/graphql" ? { query, variables: { input: product } } : product;
    const answers = [];
    for (const { token } of vendors) {
      const headers = { "secret-token": token, "idempotency-key": `key${url}` };
      const { body, headers: answered } = await gateway.gateway.server.inject({
        method: "POST",
        url,
        headers,
        payload,
      });
      expect(answered["idempotency-replayed"]).toBeUndefined();
      answers.push(body);
    }
    expect(new Set(answers).size).toBe(3);
  });
});

describe("a cursor of another vendor leads to own rows only", () => {
  const lists = schemaOperations.filter(({ field }) => field.args.some(({ name }) => name === "after"));
  /** The key that distinguishes rows. */
  const keys: Readonly<Record<string, string>> = { childVendors: "id: uuid", productsToApprove: "product { id }" };
  const numbers: Readonly<Record<string, string>> = { storedPaymentMethods: "databaseId", ledgerEntries: "databaseId" };
  /** The vendors that have any: a child has no children, and nothing of theirs to decide about. */
  const othersWith = (name: string) => (name in keys || modelLists.has(name) ? [2] : [1, 2]);
  /** A child vendor's retries are learned from by its parent's model. */
  const modelLists = new Set(["recoveryModels", "recoveryTrainings", "recoveryModelEvents"]);

  beforeAll(async () => {
    for (const of of [child, await createTestChild(gateway, {}, stranger)]) {
      const catalogue = new TestCatalogue(gateway, of);
      const { databaseId } = await catalogue.createProduct({ type: "DRAFT", draftOf: "BOX" });
      await catalogue.createPlan(databaseId);
      await catalogue.runMutation("submitProduct", { productId: String(databaseId) }, "product { id }");
    }
    await numberEvents(gateway);
  });

  test.each(named(lists))("in %s", async (_, { field: { name } }) => {
    const read = async (index: number, after?: string) => {
      const query = `query Read($after: String) { ${name}(first: 100, after: $after) { edges { cursor node { ${keys[name] ?? numbers[name] ?? "id"} } } } }`;
      const { edges } = (await gateway.queryRawData(query, { after }, vendors[index]))[name];
      return (edges as { cursor: string; node: object }[]).map(({ cursor, node }) => ({
        cursor,
        id: JSON.stringify(node),
      }));
    };
    const own = (await read(0)).map(({ id }) => id);
    expect(own.length).toBeGreaterThan(0);
    for (const theirs of othersWith(name)) {
      const { cursor } = (await read(theirs))[0]!;
      const seen = (await read(0, cursor)).map(({ id }) => id);
      expect(seen.filter((id) => !own.includes(id))).toEqual([]);
    }
  });
});
