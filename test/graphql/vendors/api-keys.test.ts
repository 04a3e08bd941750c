import { describe, expect, test } from "vitest";
import type { KeyScope } from "../../../schema/vocabulary.ts";
import { ApiKeyRepository } from "../../../src/vendors/keys/api-key.repository.ts";
import { queryRows } from "../../hostile/query-rows.ts";
import { DAY, HOUR, MINUTE } from "../../support/test-clock.ts";
import { startGateway } from "../../support/test-gateway.ts";

/* Keys over the API: what they show, how they end, and that none gives more than its caller has. */

const gateway = await startGateway();

const FIELDS = "id databaseId name scopes ending createdAt expiresAt lastUsedAt rotatedAt revokedAt";
const LIST = `{ apiKeys { totalCount nodes { ${FIELDS} } } }`;
const CREATE = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { token key { ${FIELDS} } } }`;
const ROTATE = `mutation ($input: RotateApiKeyInput!) { rotateApiKey(input: $input) { token key { ${FIELDS} } previous { ${FIELDS} } } }`;
const REVOKE = `mutation ($input: RevokeApiKeyInput!) { revokeApiKey(input: $input) { key { ${FIELDS} } } }`;

type Options = { token: string; headers?: Record<string, string> };

const create = async (input: object, options?: Options) =>
  (await gateway.queryRawData(CREATE, { input }, options)).createApiKey;
const rotate = async (input: object, options?: Options) =>
  (await gateway.queryRawData(ROTATE, { input }, options)).rotateApiKey;
const list = async (options?: Options) => (await gateway.queryRawData(LIST, {}, options)).apiKeys;

/** The code of a refused document; undefined if it is accepted. */
async function codeOf(document: string, input: object, options?: Options): Promise<string | undefined> {
  return (await gateway.sendRawGraphQL(document, { input }, options)).errors?.[0]?.extensions.code;
}

const isAccepted = async (token: string) =>
  (await gateway.sendRawGraphQL("{ vendor { name } }", {}, { token })).status === 200;

const ago = (milliseconds: number) => new Date(gateway.clock.now().getTime() - milliseconds).toISOString();

describe("a key", () => {
  test("is created with scopes and a lifetime, shows its token once and is stored as a hash", async () => {
    const { key, token } = await create({ name: "reports", scopes: ["RECOVERY", "READ", "READ"], lifetimeDays: 90 });
    expect(key).toMatchObject({
      ...{ name: "reports", scopes: ["READ", "RECOVERY"], ending: token.slice(-4), lastUsedAt: null },
      ...{ createdAt: ago(0), expiresAt: ago(-90 * DAY), rotatedAt: null, revokedAt: null },
    });
    expect((await list()).nodes[0]).toEqual(key);
    const stored = JSON.stringify(
      await queryRows(gateway, "select k::text as row from api_keys k where vendor_id > 0"),
    );
    const events = await queryRows(gateway, "select e::text as row from event_log e where vendor_id > 0");
    for (const text of [stored, JSON.stringify(events), gateway.logLines.join()]) expect(text).not.toContain(token);
    expect(stored).not.toContain(Buffer.from(token).toString("hex"));
  });

  test("is refused after its lifetime by the real time, and when it is revoked", async () => {
    const { token } = await create({ name: "short", scopes: ["READ"], lifetimeDays: 1 });
    const { token: other, key } = await create({ name: "other", scopes: ["READ"] });
    expect([await isAccepted(token), await isAccepted(other)]).toEqual([true, true]);
    gateway.clock.advance(DAY);
    expect([await isAccepted(token), await isAccepted(other)]).toEqual([false, true]);
    const { revokeApiKey } = await gateway.queryRawData(REVOKE, { input: { keyId: key.id } });
    expect(revokeApiKey.key.revokedAt).toBe(ago(0));
    expect(await isAccepted(other)).toBe(false);
    expect(await codeOf(REVOKE, { keyId: key.id })).toBe("API_KEY_NOT_FOUND");
  });

  test("is replaced once, keeps its scopes and lifetime, and works beside the new one for the hours of grace", async () => {
    const old = await create({ name: "server", scopes: ["READ", "WRITE"], lifetimeDays: 30 });
    gateway.clock.advance(10 * DAY);
    const { key, token, previous } = await rotate({ keyId: old.key.databaseId, graceHours: 2 });
    expect(key).toMatchObject({ name: "server", scopes: ["READ", "WRITE"], expiresAt: ago(-30 * DAY) });
    expect(previous).toMatchObject({ id: old.key.id, rotatedAt: ago(0), expiresAt: ago(-2 * HOUR) });
    expect(await codeOf(ROTATE, { keyId: old.key.id })).toBe("API_KEY_ROTATED");
    expect([await isAccepted(old.token), await isAccepted(token)]).toEqual([true, true]);
    gateway.clock.advance(2 * HOUR);
    expect([await isAccepted(old.token), await isAccepted(token)]).toEqual([false, true]);
    expect(await codeOf(ROTATE, { keyId: old.key.id })).toBe("API_KEY_NOT_FOUND");
    const soon = await create({ name: "soon", scopes: ["READ"], lifetimeDays: 1 });
    const kept = await rotate({ keyId: soon.key.id, graceHours: 720 });
    expect(kept.previous.expiresAt).toBe(soon.key.expiresAt);
    const forever = await create({ name: "forever", scopes: ["READ"] });
    expect((await rotate({ keyId: forever.key.id })).key.expiresAt).toBeNull();
  });

  test("is replaced by one of two concurrent rotations only", async () => {
    const { key } = await create({ name: "raced", scopes: ["READ"] });
    const codes = await Promise.all([1, 2, 3].map(() => codeOf(ROTATE, { keyId: key.id })));
    expect(codes.toSorted()).toEqual(["API_KEY_ROTATED", "API_KEY_ROTATED", undefined]);
  });

  test("belongs to its vendor: others neither see, replace nor revoke it", async () => {
    const { key, token } = await create({ name: "mine", scopes: ["READ"] });
    const stranger = await gateway.openVendor();
    expect((await list(stranger)).nodes.map(({ name }: { name: string }) => name)).toEqual(["test"]);
    for (const document of [ROTATE, REVOKE])
      for (const keyId of [key.id, String(key.databaseId)])
        expect(await codeOf(document, { keyId }, stranger)).toBe("API_KEY_NOT_FOUND");
    const { node } = await gateway.queryRawData(`{ node(id: "${key.id}") { id } }`, {}, stranger);
    expect([node, await isAccepted(token)]).toEqual([null, true]);
  });

  test.each([
    [{ name: "", scopes: ["READ"] }],
    [{ name: "x", scopes: [] }],
    [{ name: "x", scopes: ["READ"], lifetimeDays: 3_651 }],
  ])("is refused with %j", async (input) => {
    expect(await codeOf(CREATE, input)).toBe("INVALID_ARGUMENT");
  });

  test("records its creation, rotation and revocation as events", async () => {
    const vendor = await gateway.openVendor();
    const { key } = await create({ name: "events", scopes: ["READ"] }, vendor);
    const rotated = await rotate({ keyId: key.id }, vendor);
    await gateway.queryRawData(REVOKE, { input: { keyId: key.id } }, vendor);
    const rows = await queryRows(
      gateway,
      `select type, subject_id::int as id, trigger from event_log where vendor_id = ${vendor.id} order by subject_id, type`,
    );
    expect(rows).toEqual([
      { type: "KEY_CREATED", id: key.databaseId, trigger: "createKey" },
      { type: "KEY_REVOKED", id: key.databaseId, trigger: "revokeKey" },
      { type: "KEY_CREATED", id: rotated.key.databaseId, trigger: "rotateKey" },
    ]);
  });
});

describe("a caller", () => {
  const keyWith = async (scopes: KeyScope[]) => ({ token: (await create({ name: "caller", scopes })).token as string });

  test("cannot create or replace a key that may do more than the caller", async () => {
    const admin = await keyWith(["ADMIN"]);
    for (const scopes of [["READ"], ["ADMIN", "WRITE"], ["READ", "WRITE", "RECOVERY", "ADMIN"]])
      expect(await codeOf(CREATE, { name: "more", scopes }, admin)).toBe("PERMISSION_DENIED");
    const { key } = await create({ name: "reader", scopes: ["READ", "ADMIN"] });
    expect(await codeOf(ROTATE, { keyId: key.id }, admin)).toBe("PERMISSION_DENIED");
    expect((await create({ name: "same", scopes: ["ADMIN"] }, admin)).key.scopes).toEqual(["ADMIN"]);
    expect(await codeOf(REVOKE, { keyId: key.id }, admin)).toBeUndefined();
  });

  test("without ADMIN can neither create, replace nor revoke a key", async () => {
    const { key } = await create({ name: "target", scopes: ["READ"] });
    const options = await keyWith(["READ", "WRITE", "RECOVERY"]);
    const codes = [
      await codeOf(CREATE, { name: "x", scopes: ["READ"] }, options),
      await codeOf(ROTATE, { keyId: key.id }, options),
      await codeOf(REVOKE, { keyId: key.id }, options),
    ];
    expect(codes).toEqual(["PERMISSION_DENIED", "PERMISSION_DENIED", "PERMISSION_DENIED"]);
  });

  test("gets the same token for a repeated request, but not with a key of fewer scopes", async () => {
    const headers = { "idempotency-key": "create a key" };
    const input = { name: "repeated", scopes: ["ADMIN"] };
    const first = await create(input, { ...gateway.vendor, headers });
    expect((await create(input, { ...gateway.vendor, headers })).token).toBe(first.token);
    const reader = await keyWith(["READ"]);
    const { errors, data } = await gateway.sendRawGraphQL(CREATE, { input }, { ...reader, headers });
    expect([data, errors![0]!.extensions.code]).toEqual([undefined, "IDEMPOTENCY_KEY_REUSED"]);
  });
});

describe("the last use of a key", () => {
  test("is written at most once a minute, however many gateways saw it", async () => {
    const { key } = await create({ name: "used", scopes: ["READ"] });
    const gateways = [1, 2].map(() => new ApiKeyRepository(gateway.database.handle));
    const use = { vendorId: gateway.vendor.id, keyId: Number(key.databaseId) };
    const saveUse = async () => {
      for (const keys of gateways) await keys.saveLastUses([{ ...use, at: gateway.clock.now() }]);
      const [row] = await queryRows<{ version: string }>(
        gateway,
        `select xmin::text as version from api_keys where vendor_id > 0 and id = ${use.keyId}`,
      );
      return row!.version;
    };
    const first = await saveUse();
    gateway.clock.advance(MINUTE - 1);
    expect(await saveUse()).toBe(first);
    gateway.clock.advance(1);
    expect(await saveUse()).not.toBe(first);
    expect((await list()).nodes.find(({ id }: { id: string }) => id === key.id).lastUsedAt).toBe(ago(0));
  });
});
