import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm, chmod } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectFile } from "../src/kernel/project-files.ts";
import { median, runLoad } from "./support/http-load.ts";
import { startMeasuredProcess } from "./support/measured-process.ts";

/*
 * `npm run bench:tracing`: a list of 20 orders of the demo vendor, by GraphQL, from a gateway without traces and from one that exports
 * all of them to a collector, in turn. The figure is the ratio of their throughput.
 */

const SECONDS = Number(process.env["SECONDS"] ?? 5);
const ROUNDS = 5;
const TOKEN = "demo-secret-token";
const QUERY = "{ orders(first: 20) { nodes { code amount customer { name } items { status } } } }";

const collector = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(200).end("{}"));
});
collector.listen(0, "127.0.0.1");
await once(collector, "listening");
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

const folder = await mkdtemp(join(tmpdir(), "recoup-bench-"));
await chmod(folder, 0o755);
const common = { PORT: "0", LOG_LEVEL: "warn", ROLE: "gateway", DRAIN_SECONDS: "0", DATA_DIR: folder };
const program = [projectFile("dist/src/main.js")];
const off = await startMeasuredProcess(program, common);
const on = await startMeasuredProcess(program, { ...common, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });

const measure = (address: string, seconds: number) =>
  runLoad(`${address}/graphql`, "POST", { "secret-token": TOKEN }, () => JSON.stringify({ query: QUERY }), {
    seconds,
    connections: 8,
  });
for (const { address } of [off, on]) await measure(address, 2);
const ratios: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const without = await measure(off.address, SECONDS);
  const traced = await measure(on.address, SECONDS);
  if (without.failed + traced.failed > 0) throw new Error("Requests failed.");
  ratios.push(traced.perSecond / without.perSecond);
  console.log(
    `off ${without.perSecond.toFixed(0)}/s (p99 ${without.p99} ms), on ${traced.perSecond.toFixed(0)}/s (p99 ${traced.p99} ms)`,
  );
}
console.log(`with traces ${(median(ratios) * 100).toFixed(1)}% of the throughput without; Node ${process.version}`);
await on.stop();
await off.stop();
collector.close();
await rm(folder, { recursive: true, force: true });
process.exit(0);
