import "reflect-metadata";
import type { AddressInfo } from "node:net";
import { Agent, request } from "node:http";
import { pino } from "pino";
import postgres from "postgres";
import { openDatabase } from "../src/database/client.ts";
import { openGateway } from "../src/gateway.ts";
import { dispatchToCells } from "../src/http/cell-dispatch.ts";
import { systemClock } from "../src/kernel/clock.ts";
import { openBenchStore } from "./support/bench-store.ts";
import { median } from "./support/http-load.ts";
import { recoupOrdersQuery } from "./support/orders-queries.ts";
import { seedOrders } from "./support/orders-seed.ts";
import { addVendors, createToken } from "./support/vendor-seed.ts";

/*
 * `npm run bench:cells`: a page of 50 orders of a vendor of the home database, with and without the search for the request's cell. One
 * server on one port changes its listener between rounds, so that nothing else differs. ROUNDS is the number of pairs of rounds, PAGES
 * the number of pages of a round.
 */

const ROUNDS = Number(process.env["ROUNDS"] ?? 200);
const PAGES = Number(process.env["PAGES"] ?? 20);

type Listener = (...values: unknown[]) => void;

const { store, remove } = await openBenchStore();
const database = openDatabase({ url: store.url });
const sql = postgres(store.url, { max: 1, onnotice: () => undefined });
const vendorIds = await addVendors(database, 1);
await seedOrders(sql, { vendorIds, ordersEach: 1_000, lines: 3, customersEach: 100, productsEach: 20 });
await sql.end();
const token = await createToken(database, vendorIds[0]!);
const { server, close } = await openGateway({
  ...{ database, clock: systemClock, logger: pino({ level: "silent" }), vocabulary: {} },
});
const listenersWithout = server.server.listeners("request") as Listener[];
dispatchToCells(server, {
  findServer: () => Promise.reject(new Error("Only the home database is asked.")),
  isHomeOrder: () => Promise.resolve(true),
});
const listenersWith = server.server.listeners("request") as Listener[];
await server.listen({ port: 0, host: "127.0.0.1" });
const { port } = server.server.address() as AddressInfo;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const body = JSON.stringify({ query: recoupOrdersQuery });
const options = {
  ...{ agent, port, host: "127.0.0.1", path: "/graphql", method: "POST" },
  headers: { "secret-token": token, "content-type": "application/json", "content-length": Buffer.byteLength(body) },
};

/** Reads one page. @throws if it is refused. */
const readPage = (): Promise<void> =>
  new Promise((resolve, reject) => {
    request(options, (response) => {
      response.resume().on("end", () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`The page was answered ${String(response.statusCode)}.`));
      });
    })
      .on("error", reject)
      .end(body);
  });

/** Milliseconds of a page, in the middle of a round's. */
async function measureRound(listeners: readonly Listener[]): Promise<number> {
  server.server.removeAllListeners("request");
  for (const listener of listeners) server.server.on("request", listener);
  const times: number[] = [];
  for (let page = 0; page < PAGES; page++) {
    const startedAt = performance.now();
    await readPage();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

for (let round = 0; round < 20; round++) await measureRound(round % 2 === 0 ? listenersWith : listenersWithout);
const [withCells, without, ratios]: number[][] = [[], [], []];
for (let round = 0; round < ROUNDS; round++) {
  // The second of a pair must not always be the same one.
  const isFirst = round % 2 === 0;
  const first = await measureRound(isFirst ? listenersWith : listenersWithout);
  const second = await measureRound(isFirst ? listenersWithout : listenersWith);
  const [dispatched, direct] = isFirst ? [first, second] : [second, first];
  withCells!.push(dispatched);
  without!.push(direct);
  ratios!.push(dispatched / direct);
}
const sorted = ratios!.toSorted((a, b) => a - b);
const percent = (ratio: number) => `${((ratio - 1) * 100).toFixed(2)} %`;
console.log(
  `a page of 50 orders: ${median(withCells!).toFixed(3)} ms with the search for the cell, ${median(without!).toFixed(3)} ms without; ` +
    `${ROUNDS} pairs of rounds of ${PAGES}, the middle difference ${percent(median(ratios!))}, ` +
    `half of them between ${percent(sorted[Math.floor(ROUNDS / 4)]!)} and ${percent(sorted[Math.floor((ROUNDS * 3) / 4)]!)}; Node ${process.version}`,
);
agent.destroy();
await close();
await remove();
process.exit(0);
