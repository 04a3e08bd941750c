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

  test("is kept only if no transaction ended meanwhile", async () => {
    const keys = new RecentKeys();
    let count = 0;
    const lookUp = () => {
      count++;
      return new ApiKeyRepository(gateway.database.handle).findActive(hashToken(gateway.vendor.token));
    };
    await keys.find("token", async () => {
      const found = await lookUp();
      await keys.endAfter(() => Promise.resolve());
      return found;
    });
    await keys.find("token", lookUp);
    expect(count).toBe(2);
    await keys.find("token", lookUp);
    expect(count).toBe(2);
  });
});
