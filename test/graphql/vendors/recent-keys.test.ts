import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { openDatabase } from "../../../src/database/client.ts";
import { openGateway } from "../../../src/gateway.ts";
import { RecentKeys } from "../../../src/http/authentication/recent-keys.ts";
import { ApiKeyRepository } from "../../../src/vendors/keys/api-key.repository.ts";
import { hashToken } from "../../../src/vendors/keys/api-key.service.ts";
import { startGateway } from "../../support/test-gateway.ts";

const gateway = await startGateway();

const read = (token: string) => gateway.sendGraphQL("{ vendor { timeZone: zoneId } }", {}, { token });
const createKey = async () => {
  const { createApiKey } = await gateway.queryData(
    'mutation { createApiKey(input: { name: "reports", scopes: [READ] }) { token key { id } } }',
  );
  return { token: createApiKey.token, id: createApiKey.key.id };
};

describe("the look-up of a token", () => {
  test("is used again by the requests of the same second", async () => {
    let lookUps = 0;
    const { server, close } = await openGateway({
      database: openDatabase({
        url: gateway.databaseUrl,
        onStatement: (text) => (lookUps += text.includes('"api_keys"."hash" = ') ? 1 : 0),
      }),
      clock: gateway.clock,
      logger: gateway.gateway.server.log,
      vocabulary: {},
    });
    const headers = { "secret-token": gateway.vendor.token };
    const startedAt = performance.now();
    for (let request = 0; request < 20; request++)
      expect((await server.inject({ url: "/api/v1/customers", headers })).statusCode).toBe(200);
    const seconds = Math.ceil((performance.now() - startedAt) / 1_000);
    await close();
    expect(lookUps).toBeGreaterThan(0);
    expect(lookUps).toBeLessThanOrEqual(seconds);
  });

  test("ends with a transaction of the process: a revoked key is refused at once", async () => {
    const { token, id } = await createKey();
    expect((await read(token)).status).toBe(200);
    await gateway.queryData("mutation ($id: ID!) { revokeApiKey(input: { keyId: $id }) { key { id } } }", { id });
    expect((await read(token)).status).toBe(403);
  });

  test("ends after a second: a key that another gateway revoked is refused then", async () => {
    const { token } = await createKey();
    expect((await read(token)).status).toBe(200);
    await gateway.database.handle.execute(
      sql`update api_keys set revoked_at = now() where ending = ${token.slice(-4)}`,
    );
    await sleep(1_050);
    expect((await read(token)).status).toBe(403);
  });

  test("goes on with a transaction that writes neither keys nor vendors", async () => {
    const createCustomer = (email: string) =>
      gateway.queryRawData(
        `mutation { createCustomer(input: { name: "Kim", email: "${email}", phone: "010-1234-5678" }) { customer { id } } }`,
      );
    await createCustomer("first@example.com");
    gateway.statements.length = 0;
    const startedAt = performance.now();
    for (let call = 0; call < 10; call++) await createCustomer(`${call}@example.com`);
    const seconds = Math.ceil((performance.now() - startedAt) / 1_000);
    const lookUps = gateway.statements.filter(({ text }) => text.includes('"api_keys"."hash" = '));
    expect(lookUps.length).toBeLessThanOrEqual(seconds);
  });

  describe("is kept only if", () => {
    const lookUp = () => new ApiKeyRepository(gateway.database.handle).findActive(hashToken(gateway.vendor.token));

    /** How often a token is looked up by two requests, if these statements are sent in a transaction during the first one. */
    async function countLookUps(...statements: string[]): Promise<number> {
      const keys = new RecentKeys();
      let count = 0;
      const countedLookUp = () => {
        count++;
        return lookUp();
      };
      await keys.find("token", async () => {
        const found = await countedLookUp();
        await keys.endAfter(() => {
          for (const statement of statements) keys.noteStatement(statement);
          return Promise.resolve();
        });
        return found;
      });
      await keys.find("token", countedLookUp);
      return count;
    }

    test.each([
      { statement: 'update "vendors" set "name" = $1', lookUps: 2 },
      { statement: "insert into api_keys (id) values (1)", lookUps: 2 },
      { statement: "with changed as (update vendors set name = 'x' returning id) select id from changed", lookUps: 2 },
      { statement: 'select "api_keys"."id" from "api_keys"', lookUps: 1 },
      { statement: 'insert into "customers" ("vendor_id") values ($1)', lookUps: 1 },
    ])("no transaction wrote keys or vendors meanwhile: $statement", async ({ statement, lookUps }) => {
      expect(await countLookUps(statement)).toBe(lookUps);
    });

    test("no transaction that was open then has still to end", async () => {
      const keys = new RecentKeys();
      let commit = () => {};
      const transaction = keys.endAfter(() => new Promise<void>((resolve) => (commit = resolve)));
      keys.noteStatement('update "vendors" set "enabled" = false');
      await keys.find("token", lookUp);
      commit();
      await transaction;
      let count = 0;
      await keys.find("token", () => {
        count++;
        return lookUp();
      });
      expect(count).toBe(1);
    });
  });
});
