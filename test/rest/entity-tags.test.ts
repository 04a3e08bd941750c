import { beforeAll, describe, expect, test } from "vitest";
import { listenToGraphQL } from "../support/event-stream-reader.ts";
import { exchange } from "../support/http-exchange.ts";
import { startGateway } from "../support/test-gateway.ts";

/* Reads over REST have an ETag; If-None-Match saves the body (decision 101). */

const gateway = await startGateway();
const origin = new URL(await listenToGraphQL(gateway)).origin;
const get = (path: string, headers: Record<string, string> = {}) =>
  exchange(origin + path, { headers: { "secret-token": gateway.vendor.token, ...headers } });

let details = "";

async function createCustomer(): Promise<number> {
  const { createCustomer: created } = await gateway.queryRawData(
    `mutation { createCustomer(input: { name: "Kim", email: "kim@example.com", phone: "1" }) { customer { databaseId } } }`,
  );
  return created.customer.databaseId;
}

beforeAll(async () => {
  details = `/api/v1/customers/${await createCustomer()}`;
});

describe("If-None-Match", () => {
  test.each(["/api/v1/customers?size=5", "/openapi.json"])(
    "with the tag of %s is answered with 304, the headers and no body",
    async (path) => {
      const first = await get(path);
      expect(first.headers.etag).toMatch(/^W\/"[\w-]{43}"$/);
      const tag = first.headers.etag!;
      for (const named of [tag, tag.slice(2), `"other", ${tag}`, "*"]) {
        const again = await get(path, { "if-none-match": named, "accept-encoding": "br" });
        expect([again.status, again.bytes.length, again.headers["content-type"]]).toEqual([304, 0, undefined]);
        expect(again.headers).toMatchObject({
          etag: tag,
          "cache-control": "no-store",
          vary: "Origin, accept-encoding",
        });
      }
      const other = await get(path, { "if-none-match": `"other"` });
      expect([other.status, other.bytes.equals(first.bytes)]).toEqual([200, true]);
    },
  );

  test("is answered with the body when a record of the list has changed", async () => {
    const { headers } = await get("/api/v1/customers?size=5");
    await createCustomer();
    const changed = await get("/api/v1/customers?size=5", { "if-none-match": headers.etag! });
    expect(changed.status).toBe(200);
    expect(changed.headers.etag).not.toBe(headers.etag);
  });

  test("of a record is answered with 304 until the record changes", async () => {
    const { headers } = await get(details);
    expect((await get(details, { "if-none-match": headers.etag! })).status).toBe(304);
    const { id } = JSON.parse((await get(details)).bytes.toString());
    await gateway.queryRawData(
      `mutation ($id: ID!) { updateCustomer(input: { id: $id, name: "Lee" }) { customer { name } } }`,
      { id: String(id) },
    );
    const changed = await get(details, { "if-none-match": headers.etag! });
    expect([changed.status, JSON.parse(changed.bytes.toString()).name]).toEqual([200, "Lee"]);
  });

  test("counts for no refusal, and another vendor's tag reveals nothing", async () => {
    const missing = await get("/api/v1/customers/999999", { "if-none-match": "*" });
    expect([missing.status, missing.headers.etag]).toEqual([400, undefined]);
    const stranger = await gateway.openVendor();
    const tag = (await get("/api/v1/customers?size=5")).headers.etag!;
    const theirs = await get("/api/v1/customers?size=5", { "secret-token": stranger.token, "if-none-match": tag });
    expect(theirs.status).toBe(200);
    const denied = await get("/api/v1/customers?size=5", { "secret-token": "wrong", "if-none-match": tag });
    expect(denied.status).toBe(403);
  });

  test("is ignored by a write", async () => {
    const answer = await exchange(`${origin}/api/v1/cover/customer`, {
      method: "POST",
      headers: { "secret-token": gateway.vendor.token, "content-type": "application/json", "if-none-match": "*" },
      body: JSON.stringify({ name: "Kim", email: "kim@example.com", phone: "1", partnerCustomerId: "c-1" }),
    });
    expect([answer.status, answer.headers.etag]).toEqual([201, undefined]);
  });
});
