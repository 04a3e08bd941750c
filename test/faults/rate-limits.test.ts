import { beforeAll, expect, test } from "vitest";
import { buildOnce } from "../support/build-once.ts";
import { awaitTimeInMinute } from "../support/minute-start.ts";
import { createDatabase } from "./harness/fault-databases.ts";
import { GatewayProcess, TOKEN } from "./harness/gateway-process.ts";

const LIMIT = 300;
/** What each gateway may let through before it learns what the other did. */
const SECONDS_SHARE = LIMIT / 60;

beforeAll(buildOnce);

test("two gateways on one database limit a key together", async () => {
  const settings = { DATABASE_URL: await createDatabase(), RATE_LIMIT: String(LIMIT) };
  const gateways = await Promise.all([GatewayProcess.start(settings), GatewayProcess.start(settings)]);
  await awaitTimeInMinute(40_000);
  const minute = Math.floor(Date.now() / 60_000);
  const call = async ({ address }: GatewayProcess) => {
    const answer = await fetch(`${address}/api/v1/customers?size=1`, { headers: { "secret-token": TOKEN } });
    await answer.arrayBuffer();
    return answer;
  };
  const statuses = new Map<number, number>();
  // Several callers at each gateway, together twice as many requests as are allowed.
  const send = async (gateway: GatewayProcess) => {
    for (let sent = 0; sent < LIMIT / 4; sent++) {
      const { status } = await call(gateway);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all([...gateways, ...gateways, ...gateways, ...gateways].map(send));
  const refused = await Promise.all(gateways.map(call));
  expect(Math.floor(Date.now() / 60_000)).toBe(minute);
  const allowed = statuses.get(200)!;
  expect([...statuses.keys()].sort()).toEqual([200, 429]);
  expect(allowed).toBeGreaterThanOrEqual(LIMIT);
  expect(allowed).toBeLessThanOrEqual(LIMIT + gateways.length * SECONDS_SHARE);
  for (const { status, headers } of refused) {
    expect([status, headers.get("ratelimit-policy")]).toEqual([429, `"minute";q=${LIMIT};w=60`]);
    expect(headers.get("ratelimit")).toMatch(/^"minute";r=0;t=\d+$/);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  }
});
