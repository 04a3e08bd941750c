import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { buildOnce } from "../support/build-once.ts";
import { createDatabase, openSession } from "./harness/fault-databases.ts";
import { createFolder } from "./harness/data-folders.ts";
import { GatewayProcess } from "./harness/gateway-process.ts";
import { MixedLoad } from "./harness/mixed-load.ts";
import { roundCount, logMeasurement } from "./harness/fault-rounds.ts";

/*
 * a gateway under mixed load releases everything that it used to answer: objects, handles, listeners and
 * connections are as many after many requests as after some. The long form lasts ten minutes (`SOAK_MINUTES` overrides
 * it) and also requires that memory grows by less than a megabyte a minute.
 */
const MINUTES = roundCount(0, Number(process.env["SOAK_MINUTES"] ?? 10));
/** In the short form enough that the filling of caches alone does not add in each of them. */
const BATCHES = roundCount(4, MINUTES * 2);
const SECONDS_OF_A_BATCH = 30;
/** Requests of a batch in the short form: each kind of request comes five times. */
const BATCH = 90;
/** Requests before the first count: each of ten wordings comes twice, and is then compiled and prepared. */
const WARM_UP = 4 * BATCH;
const MOST_CONNECTIONS = 20;

/** The counts of a gateway's process, as harness/probe.mjs reports them. */
interface Holding {
  held: Record<string, number>;
  megabytes: number;
  rss: number;
}

beforeAll(buildOnce);

test(
  "a gateway retains nothing of the requests that it answered",
  async () => {
    const url = await createDatabase();
    const probe = join(await createFolder(), "probe");
    const script = new URL("harness/probe.mjs", import.meta.url).href;
    const settings = {
      DATABASE_URL: url,
      PROBE: probe,
      ROLE: "both",
      LOG_LEVEL: "warn",
      NODE_OPTIONS: `--expose-gc --import ${script}`,
    };
    const gateway = await GatewayProcess.start(settings);
    const load = await MixedLoad.start(gateway.address);
    const few = (count = BATCH, goal = load.sentCount + count) => load.run(() => load.sentCount < goal);
    const long = (end = Date.now() + SECONDS_OF_A_BATCH * 1000) => load.run(() => Date.now() < end);
    // Caches fill, and the pool opens its connections.
    await few(WARM_UP);
    const samples: (Holding & { sent: number; minute: number })[] = [];
    const begun = Date.now();
    for (let round = 0; round <= BATCHES; round++) {
      await (MINUTES > 0 ? long() : few());
      // Requests whose callers hung up are still being processed.
      await sleep(2_000);
      samples.push({ ...(await ask(probe)), sent: load.sentCount, minute: (Date.now() - begun) / 60_000 });
    }
    const [first, last] = [samples[0]!, samples.at(-1)!];
    const requests = last.sent - first.sent;
    const memory = slope(samples.map(({ minute, megabytes }) => [minute, megabytes]));
    logMeasurement(
      `mixed load: ${load.sentCount} requests in ${last.minute.toFixed(1)} minutes, by status ${JSON.stringify([...load.statuses])}; ${first.megabytes.toFixed(1)} → ${last.megabytes.toFixed(1)} MB after collection (${memory.toFixed(3)} MB a minute), ${first.rss.toFixed(0)} → ${last.rss.toFixed(0)} MB resident; held ${JSON.stringify(first.held)} → ${JSON.stringify(last.held)}`,
    );
    const grown = Object.entries(last.held).map(([name, count]) => [name, count - first.held[name]!] as const);
    // One kind of request that leaks one object each time adds at least a twentieth of all requests; caches are full by
    // then.
    if (MINUTES > 0) expect(grown.filter(([, more]) => more > requests / 20)).toEqual([]);
    // In the short form caches still fill, but not in every round; a leak in every request adds to each.
    const leaks = Object.keys(last.held).filter((name) =>
      samples
        .slice(1)
        .every(
          (sample, round) =>
            sample.held[name]! - samples[round]!.held[name]! > 0.8 * (sample.sent - samples[round]!.sent),
        ),
    );
    expect(leaks).toEqual([]);
    for (const name of ["listeners", "timers", "handles", "files"])
      expect(last.held[name]! - first.held[name]!, name).toBeLessThan(20);
    const [{ connections }] = await openSession(url)<[{ connections: number }]>`
      select count(*)::int as connections from pg_stat_activity where datname = current_database() and application_name like 'recoup%'`;
    expect(connections).toBeLessThanOrEqual(MOST_CONNECTIONS);
    expect([...load.statuses.keys()].filter((status) => status >= 500)).toEqual([]);
    if (MINUTES > 0) expect(memory).toBeLessThan(1);
    expect(await gateway.stop()).toBe(0);
  },
  600_000 + MINUTES * 90_000,
);

/** The current counts of the process. */
async function ask(probe: string): Promise<Holding> {
  const socket = connect(probe);
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await once(socket, "close");
  return JSON.parse(text) as Holding;
}

/** The median of the slopes between all pairs of points: requests in progress at one moment do not move it. */
function slope(points: readonly (readonly [number, number])[]): number {
  const slopes = points.flatMap(([x, y], place) =>
    points.slice(place + 1).map(([later, more]) => (more - y) / (later - x)),
  );
  return slopes.toSorted((one, other) => one - other)[Math.floor(slopes.length / 2)]!;
}
