import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { buildOnce } from "../support/build-once.ts";
import { findInconsistencies } from "./harness/consistency-checker.ts";
import {
  customerBody,
  keyedRequest,
  createFaultFixture,
  orderBody,
  sendRequest,
  type LoggedRequest,
} from "./harness/fault-client.ts";
import { createDatabase, openSession } from "./harness/fault-databases.ts";
import { GatewayProcess } from "./harness/gateway-process.ts";
import { roundCount, logMeasurement } from "./harness/fault-rounds.ts";

/* callers who do not wait send many more requests than the gateway can serve. */

/** Enough callers to saturate the gateway, and more than may wait. */
const [FEW, MANY] = [8, 300];

/** Refused callers try again sooner than Retry-After asks. */
const AGAIN_AFTER_MS = 100;
const SECONDS = roundCount(3, 60);

/** Callers who each send one request after another for so long; returns what they sent. */
async function flood(callers: number, seconds: number, next: () => Omit<LoggedRequest, "attempts">, address: string) {
  const log: LoggedRequest[] = [];
  const end = Date.now() + seconds * 1_000;
  const call = async (): Promise<void> => {
    while (Date.now() < end) {
      const entry: LoggedRequest = { ...next(), attempts: [] };
      log.push(entry);
      const answer = await sendRequest(address, entry);
      entry.attempts.push(answer);
      if (answer.status === 201) entry.acknowledged = answer.body;
      else await sleep(AGAIN_AFTER_MS);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return log;
}

const taken = (log: readonly LoggedRequest[]) => log.filter(({ acknowledged }) => acknowledged).length;

test(
  "an overloaded gateway refuses the excess requests, and loses nothing of what it accepted",
  async () => {
    await buildOnce();
    const url = await createDatabase();
    const gateway = await GatewayProcess.start({ DATABASE_URL: url });
    const { address } = gateway;
    const shop = await createFaultFixture(address);
    let turn = 0;
    const next = () =>
      turn++ % 2 === 0
        ? keyedRequest("/cover/customer", customerBody())
        : keyedRequest("/cover/order", orderBody(shop));

    const usual = await flood(FEW, SECONDS, next, address);
    const flooded = await flood(MANY, SECONDS, next, address);
    const over = Date.now();
    const after: LoggedRequest[] = [];
    while (after.slice(-10).filter(({ acknowledged }) => acknowledged).length < 10) {
      after.push(...(await flood(1, 0.05, next, address)));
      expect(Date.now() - over).toBeLessThan(60_000);
      await sleep(10);
    }
    logMeasurement(
      `R-17: ${FEW} callers had ${taken(usual)} taken in ${SECONDS} s, ${MANY} callers ${taken(flooded)} of ${flooded.length}; ten in a row were taken ${Date.now() - over} ms later`,
    );

    const answers = flooded.flatMap(({ attempts }) => attempts);
    expect(answers.filter(({ status }) => ![201, 429, 503].includes(status!))).toEqual([]);
    const shed = answers.filter(({ status }) => status !== 201);
    expect(shed.length).toBeGreaterThan(0);
    expect(shed.filter(({ retryAfter }) => !retryAfter)).toEqual([]);
    expect(taken(flooded)).toBeGreaterThan(0);
    expect(gateway.isRunning).toBe(true);
    const acknowledged = [...usual, ...flooded, ...after].filter((entry) => entry.acknowledged);
    expect(await findInconsistencies(openSession(url), acknowledged)).toEqual([]);
  },
  120_000 + SECONDS * 4_000,
);
