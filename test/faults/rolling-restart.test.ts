import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { buildOnce } from "../support/build-once.ts";
import { LoadBalancer } from "./harness/load-balancer.ts";
import { customerBody } from "./harness/fault-client.ts";
import { createDatabase } from "./harness/fault-databases.ts";
import { GatewayProcess, TOKEN } from "./harness/gateway-process.ts";
import { timeLimitMs, roundCount, logMeasurement } from "./harness/fault-rounds.ts";
import { waitUntil } from "./harness/wait-until.ts";

/* two gateways behind a balancer are restarted one after the other, and no caller notices. */

const CALLERS = 4;
const times = roundCount(1, 6);
/** Long enough for a balancer on a machine that is busy testing to notice that a gateway is not ready any more. */
const DRAIN_SECONDS = "3";

beforeAll(buildOnce);

test(
  "no request fails while two gateways are restarted in turn behind a balancer",
  async () => {
    const settings = { DATABASE_URL: await createDatabase(), DRAIN_SECONDS };
    const balancer = await LoadBalancer.start();
    const started = async () => {
      const gateway = await GatewayProcess.start(settings);
      balancer.addBackend(gateway.address);
      await waitUntil("the gateway is ready", async () => balancer.isReady(gateway.address));
      return gateway;
    };
    const gateways = [await started(), await started()];
    // A server database brings no key of its own, and none is configured.
    expect(gateways[0]!.output).toContain("SECRETS_KEY is not set");

    const stopping = new AbortController();
    const statuses = new Map<number | string, number>();
    const headers = { "secret-token": TOKEN, "content-type": "application/json" };
    const call = async (turn: number) => {
      const path = turn % 4 === 0 ? "/cover/customer" : "/customers?size=2";
      const body = turn % 4 === 0 ? { method: "POST", body: JSON.stringify(customerBody()) } : {};
      const answer = await fetch(`${balancer.address}/api/v1${path}`, { headers, ...body });
      await answer.text();
      return answer.status;
    };
    const callers = Array.from({ length: CALLERS }, async (_, caller) => {
      for (let turn = caller; !stopping.signal.aborted; turn++) {
        const status = await call(turn).catch((error: unknown) => String(error));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        await sleep(2);
      }
    });

    for (let round = 0; round < times; round++) {
      for (const [index, gateway] of gateways.entries()) {
        const { address } = gateway;
        expect(await gateway.stop()).toBe(0);
        balancer.removeBackend(address);
        gateways[index] = await started();
      }
    }
    stopping.abort();
    await Promise.all(callers);
    logMeasurement(`rolling restarts: ${times} of two gateways, answers by status ${JSON.stringify([...statuses])}`);
    expect(balancer.failures).toEqual([]);
    expect([...statuses.keys()].toSorted()).toEqual([200, 201]);
  },
  timeLimitMs(times * 3),
);
