import { expect } from "vitest";
import { check } from "./consistency-checker.ts";
import { session } from "./fault-databases.ts";
import { GatewayProcess, type Settings } from "./gateway-process.ts";
import { Load } from "./merchant-load.ts";
import { READY_AGAIN_MS, seen } from "./fault-rounds.ts";

/** Which gateway is killed, how often, and how much it does in between. */
interface Deaths {
  /** The name under which the measured times are told. */
  name: string;
  settings: Settings;
  times: number;
  requestsBetween: number;
  databaseUrl: () => string | Promise<string>;
}

/**
 * Kills a gateway again and again under load, starts it anew each time, and expects that nothing it acknowledged was lost.
 * @returns the gateway that lives in the end.
 */
export async function survivesDeaths(deaths: Deaths): Promise<GatewayProcess> {
  const { name, times, requestsBetween, databaseUrl } = deaths;
  // As one is started without being told: it bills the demo's renewals beside the requests, and dies in both.
  const settings = { ROLE: "both", ...deaths.settings };
  let gateway = await GatewayProcess.start(settings);
  const load = new Load(() => gateway.address);
  await load.start();
  const waits: number[] = [];
  for (let round = 0; round < times; round++) {
    await load.progress(requestsBetween);
    await gateway.kill();
    const killed = Date.now();
    const next = GatewayProcess.launch(settings);
    await next.ready();
    gateway = next;
    waits.push(Date.now() - killed);
  }
  await load.progress(requestsBetween);
  await load.stop();
  expect(await check(session(await databaseUrl()), load.log)).toEqual([]);
  // Not one request was open when the gateway died: then this would have shown nothing.
  expect(load.log.some(({ tries }) => tries.some(({ status }) => status === undefined))).toBe(true);
  expect(Math.max(...waits)).toBeLessThan(READY_AGAIN_MS);
  seen(`${name}: ${load.taken} acknowledged, ready again after ${waits.join(", ")} ms`);
  return gateway;
}
