import { describe, expect, test } from "vitest";
import { queryRows } from "../../hostile/query-rows.ts";
import { openPersonSession, postJson } from "../../support/fixtures/console-person.ts";
import { numberEvents } from "../../support/number-events.ts";
import { startGateway, type TestVendor } from "../../support/test-gateway.ts";

/* Changes of settings and of webhook endpoints name their author in the log of events, and no values. */

const gateway = await startGateway();

const EVENTS = "{ events(last: 100) { nodes { name data author { kind name } } } }";

async function eventsOf(vendor: TestVendor) {
  await numberEvents(gateway);
  const { events } = await gateway.queryRawData(EVENTS, {}, vendor);
  return events.nodes.map(
    ({ name, data, author }: { name: string; data: Record<string, unknown>; author: object }) => ({
      ...{ name, change: data["change"], facts: data["facts"], author },
      states: [data["statusBefore"], data["statusAfter"]],
    }),
  );
}

const BY_KEY = { kind: "KEY", name: "test" };

describe("a change of settings", () => {
  test("is an event with the names of the sent fields and the key", async () => {
    const vendor = await gateway.openVendor({ sandbox: true });
    const run = (document: string) => gateway.queryRawData(`mutation { ${document} }`, {}, vendor);
    await run(`updateVendor(input: { name: "Renamed", email: "secret@example.com" }) { vendor { name } }`);
    await run(`updateVendorSettings(input: { vatIncluded: true, zoneId: "Asia/Seoul" }) { vendor { name } }`);
    await run(`updateVendorSettings(input: {}) { vendor { name } }`);
    await run(`setExchangeRate(input: { currency: "USD", rate: "0.00075" }) { exchangeRates { currency } }`);
    await run(`removeExchangeRate(input: { currency: "USD" }) { exchangeRates { currency } }`);
    await run(`updateMessageSettings(input: { senderName: "Secret sender" }) { settings { senderName } }`);
    await run(`configurePaymentGateway(input: { adapter: SIMULATED, priority: 3 }) { account { priority } }`);
    const events = await eventsOf(vendor);
    const changes = events.map(({ change, facts }: { change: string; facts: object }) => [change, facts]);
    expect(changes).toEqual([
      ["updateVendor", { changedFields: ["email", "name"] }],
      ["updateVendorSettings", { changedFields: ["vatIncluded", "zoneId"] }],
      ["setExchangeRate", { changedFields: ["USD"] }],
      ["removeExchangeRate", { changedFields: ["USD"] }],
      ["updateMessageSettings", { changedFields: ["senderName"] }],
      ["configurePaymentGateway", { changedFields: ["adapter", "gateway", "priority"] }],
    ]);
    for (const event of events) expect(event).toMatchObject({ name: "vendor.settings_changed", author: BY_KEY });
    expect(JSON.stringify(events)).not.toContain("ecret");
  });

  test("names the person of the console, and is no event when it is refused", async () => {
    const vendor = await gateway.openVendor();
    const { cookie } = await openPersonSession(gateway, vendor.id, { email: "kim@example.com", role: "OWNER" });
    const send = (query: string) => postJson(gateway, "/graphql", { query }, { cookie });
    await send(`mutation { updateVendorSettings(input: { vatIncluded: false }) { vendor { name } } }`);
    const refused = await send(
      `mutation { updateVendorSettings(input: { customDomain: "not a domain" }) { vendor { name } } }`,
    );
    expect(refused.json().errors[0].extensions.code).toBe("INVALID_ARGUMENT");
    const changes = (await eventsOf(vendor)).filter(({ name }: { name: string }) => name === "vendor.settings_changed");
    expect(changes).toMatchObject([{ author: { kind: "PERSON", name: "kim@example.com" } }]);
  });
});

describe("a change of a webhook endpoint", () => {
  test("is an event with the key, without the URL and the secret", async () => {
    const vendor = await gateway.openVendor();
    const run = (document: string) => gateway.queryRawData(`mutation { ${document} }`, {}, vendor);
    const created = await gateway.sendRawGraphQL(
      "mutation ($url: String!) { createWebhookEndpoint(input: { url: $url }) { secret endpoint { databaseId } } }",
      { url: "https://hooks.example.com/a" },
      vendor,
    );
    const { secret, endpoint } = created.data.createWebhookEndpoint;
    const id = `endpointId: "${endpoint.databaseId}"`;
    await run(
      `updateWebhookEndpoint(input: { ${id}, description: "hunter2", eventTypes: ["order.paid"] }) { endpoint { id } }`,
    );
    await run(`disableWebhookEndpoint(input: { ${id} }) { endpoint { id } }`);
    await run(`disableWebhookEndpoint(input: { ${id} }) { endpoint { id } }`);
    await run(`enableWebhookEndpoint(input: { ${id} }) { endpoint { id } }`);
    await run(`rotateWebhookSecret(input: { ${id} }) { secret }`);
    await run(`deleteWebhookEndpoint(input: { ${id} }) { endpoint { id } }`);
    const events = await eventsOf(vendor);
    const rows = events.map(
      ({ name, change, states, facts }: { name: string; change: string; states: unknown; facts: object }) => [
        ...[name, change, states, facts],
      ],
    );
    expect(rows).toEqual([
      ["webhook_endpoint.created", "createWebhookEndpoint", [null, "ENABLED"], {}],
      [
        ...["webhook_endpoint.changed", "updateWebhookEndpoint", ["ENABLED", "ENABLED"]],
        { changedFields: ["description", "eventTypes"] },
      ],
      ["webhook_endpoint.changed", "disableWebhookEndpoint", ["ENABLED", "DISABLED"], { changedFields: ["enabled"] }],
      ["webhook_endpoint.changed", "enableWebhookEndpoint", ["DISABLED", "ENABLED"], { changedFields: ["enabled"] }],
      ["webhook_endpoint.changed", "rotateWebhookSecret", ["ENABLED", "ENABLED"], { changedFields: ["secret"] }],
      ["webhook_endpoint.deleted", "deleteWebhookEndpoint", ["ENABLED", "DELETED"], {}],
    ]);
    for (const event of events) expect(event.author).toEqual(BY_KEY);
    const stored = JSON.stringify(
      await queryRows(gateway, `select e::text as row from event_log e where vendor_id = ${vendor.id}`),
    );
    for (const word of ["hunter2", "hooks.example.com", secret]) expect(stored).not.toContain(word);
  });
});
