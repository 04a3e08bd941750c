import { describe, expect, test } from "vitest";
import { createServices } from "../../../src/graphql/services.ts";
import { queryRows } from "../../hostile/query-rows.ts";
import { openPersonSession, postJson } from "../../support/fixtures/console-person.ts";
import { createBillingFixture } from "../../support/fixtures/billing-fixture.ts";
import { numberEvents } from "../../support/number-events.ts";
import { startGateway } from "../../support/test-gateway.ts";

/* Each event names its author: the person, the key, or the kind of program. */

const gateway = await startGateway();

const CREATE = `mutation { createApiKey(input: { name: "made", scopes: [READ] }) { key { databaseId } } }`;
const EVENTS = "{ events(last: 100) { nodes { name data author { kind authorDatabaseId name } } } }";

async function keyEvents(vendor = gateway.vendor) {
  await numberEvents(gateway);
  const { events } = await gateway.queryRawData(EVENTS, {}, vendor);
  return events.nodes.filter(({ name }: { name: string }) => name.startsWith("key."));
}

describe("the author of an event", () => {
  test("is the key of the request, by its name, and has no name in the message to receivers", async () => {
    const vendor = await gateway.openVendor();
    await gateway.queryRawData(CREATE, {}, vendor);
    const [{ author, data }] = await keyEvents(vendor);
    const [key] = await queryRows<{ id: number }>(
      gateway,
      `select id::int as id from api_keys where vendor_id = ${vendor.id} and name = 'test'`,
    );
    expect(author).toEqual({ kind: "KEY", authorDatabaseId: key!.id, name: "test" });
    expect(data.author).toEqual({ kind: "KEY", keyId: key!.id });
  });

  test("is the person of the session, by the e-mail address, which receivers do not get", async () => {
    const person = { email: "kim@example.com", role: "OWNER" } as const;
    const { id, cookie } = await openPersonSession(gateway, gateway.vendor.id, person);
    await postJson(gateway, "/graphql", { query: CREATE }, { cookie, "idempotency-key": "by a person" });
    const { author, data } = (await keyEvents()).at(-1);
    expect(author).toEqual({ kind: "PERSON", authorDatabaseId: id, name: "kim@example.com" });
    expect(data.author).toEqual({ kind: "PERSON", personId: id });
    expect(JSON.stringify(data)).not.toContain("kim@example.com");
  });

  test("is named in the timeline of a record, with one statement for all events of a page", async () => {
    const { billingOrderId } = await createBillingFixture(gateway);
    const read = `query ($id: ID!) { order(id: $id) { timeline(first: 50) { nodes { title author { kind name } } } } }`;
    gateway.statements.length = 0;
    const { order } = await gateway.queryRawData(read, { id: String(billingOrderId) });
    expect(order.timeline.nodes.length).toBeGreaterThan(0);
    for (const { author } of order.timeline.nodes) expect(author).toEqual({ kind: "KEY", name: "test" });
    expect(
      gateway.statements.filter(({ text }) => /from "api_keys"/.test(text) && !/"hash" =/.test(text)),
    ).toHaveLength(1);
  });

  test("is the kind of program for a worker and the operator, and null for older events", async () => {
    const vendor = await gateway.openVendor();
    const recordBy = (author: { kind: "WORKER" | "OPERATOR"; id: null } | undefined) =>
      gateway.database.transaction((handle) =>
        createServices(handle, gateway.clock.now(), { author }).apiKeys.create(vendor.id, "by a program", false),
      );
    for (const author of [{ kind: "WORKER", id: null }, { kind: "OPERATOR", id: null }, undefined] as const)
      await recordBy(author);
    const authors = (await keyEvents(vendor)).map(({ author }: { author: { kind: string } | null }) => author?.kind);
    expect(authors.toSorted()).toEqual(["OPERATOR", "WORKER", undefined]);
  });
});
