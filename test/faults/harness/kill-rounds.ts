import { expect } from "vitest";
import { findInconsistencies } from "./consistency-checker.ts";
import { openSession } from "./fault-databases.ts";
import { GatewayProcess, type GatewayEnvironment } from "./gateway-process.ts";
import { MerchantLoad } from "./merchant-load.ts";
import { MAX_RESTART_MS, logMeasurement } from "./fault-rounds.ts";

/** Which gateway is killed, how often, and how much it does in between. */
interface KillRounds {
  /** The name under which the measured times are printed. */
  name: string;
  settings: GatewayEnvironment;
  times: number;
  requestsBetween: number;
  databaseUrl: () => string | Promise<string>;
}

/**
 * Kills a gateway again and again under load, restarts it each time, and expects that nothing it acknowledged was lost.
 * @returns the gateway that runs in the end.
 */
export async function expectSurvivesKills(options: KillRounds): Promise<GatewayProcess> {
  const { name, times, requestsBetween, databaseUrl } = options;
  // With the default settings: it charges the demo's renewals beside the requests, and dies during both.
  const settings = { ROLE: "both", ...options.settings };
  let gateway = await GatewayProcess.start(settings);
  const load = new MerchantLoad(() => gateway.address);
  await load.start();
  const restartTimes: number[] = [];
  for (let round = 0; round < times; round++) {
    await load.waitForProgress(requestsBetween);
    await gateway.kill();
    const killedAt = Date.now();
    const next = GatewayProcess.launch(settings);
    await next.waitUntilReady();
    gateway = next;
    restartTimes.push(Date.now() - killedAt);
  }
  await load.waitForProgress(requestsBetween);
  await load.stop();
  expect(await findInconsistencies(openSession(await databaseUrl()), load.log)).toEqual([]);
  // Without an open request at the moment of the kill this would have shown nothing.
  expect(load.log.some(({ attempts }) => attempts.some(({ status }) => status === undefined))).toBe(true);
  expect(Math.max(...restartTimes)).toBeLessThan(MAX_RESTART_MS);
  logMeasurement(`${name}: ${load.acceptedCount} acknowledged, ready again after ${restartTimes.join(", ")} ms`);
  return gateway;
}
