import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { projectFile } from "../../src/kernel/project-files.ts";
import { createDatabase } from "../faults/harness/fault-databases.ts";
import { GatewayProcess, TOKEN } from "../faults/harness/gateway-process.ts";
import { waitUntil } from "../faults/harness/wait-until.ts";
import { buildOnce } from "../support/build-once.ts";
import { SECRETS_KEY } from "../support/test-gateway.ts";

/* The files in deploy name what exists. Images are not built here: that takes a container engine. */

const LIMIT_MS = 90_000;
const settings = { SECRETS_KEY: SECRETS_KEY.toString("base64"), METRICS_PORT: "0" };
const read = (name: string) => readFile(projectFile(name), "utf8");

beforeAll(buildOnce);

const metricsPortOf = (output: string): string => /"port":(\d+),"msg":"metrics can be read"/.exec(output)![1]!;

/** The names of all series of a scrape. */
async function scrape(output: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${metricsPortOf(output)}/metrics`);
  return answer.text();
}

test("the dashboard and the alerts ask for metrics and labels that a process has", async () => {
  const gateway = await GatewayProcess.start({ ...settings, DATABASE_URL: await createDatabase(), ROLE: "both" });
  await fetch(`${gateway.address}/api/v1/orders?size=1`, { headers: { "secret-token": TOKEN } });
  await waitUntil("metrics were open", async () => gateway.output.includes("metrics can be read"), LIMIT_MS);
  const text = await scrape(gateway.output);
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!));
  const dashboard = JSON.parse(await read("deploy/dashboard.json")) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  const alerts = [...(await read("deploy/alerts.yaml")).matchAll(/expr: (.*)$/gm)].map(([, expr]) => expr!);
  const documented = [...(await read("docs/operations.md")).matchAll(/^\| `(recoup_\w+)`/gm)].map(([, name]) => name!);
  expect(alerts).toHaveLength(15);
  const expressions = [...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)), ...alerts];
  const asked = expressions.flatMap((expr) => expr.match(/\b(?:recoup|nodejs|process)_\w+/g) ?? []);
  expect(asked.length).toBeGreaterThan(20);
  const unknown = asked.filter((name) => !known.has(name) && !known.has(name.replace(/_(?:bucket|count|sum)$/, "")));
  expect(unknown).toEqual([]);
  expect(documented.filter((name) => !known.has(name))).toEqual([]);
  // Every metric of ours is documented.
  expect([...known].filter((name) => name.startsWith("recoup_") && !documented.includes(name))).toEqual([]);
  const selectors = expressions.flatMap((expr) => [...expr.matchAll(/(\w+)\{([^}]*)\}/g)]);
  for (const [, name, labels] of selectors) {
    for (const [label] of labels!.matchAll(/\w+(?==)/g)) {
      const metric = name!.replace(/_(?:bucket|count|sum)$/, "");
      // A payment gateway that was not called has no series yet.
      const help = new RegExp(`^${metric}(?:_bucket|_count)?\\{[^}]*\\b${label}="`, "m");
      if (metric !== "recoup_payment_gateway_seconds") expect(text).toMatch(help);
    }
  }
  // `rate` sees the first event of a type only if its series was there before, at 0.
  for (const type of ["payment.unknown", "payment.disputed", "cover.recovered"])
    expect(text).toMatch(new RegExp(`^recoup_events_total\\{type="${type}"\\} \\d+$`, "m"));
  await gateway.stop();
});

test("the files that the image copies are all that a gateway and a worker need", async () => {
  const lines = (await read("deploy/Dockerfile")).split("\n");
  const image = await mkdtemp(join(tmpdir(), "recoup-image-"));
  onTestFinished(() => rm(image, { recursive: true, force: true }));
  for (const line of lines) {
    const [, from, to] = /^COPY --from=build \/app\/(\S+) (\S+)$/.exec(line) ?? [];
    if (from === undefined || to === undefined) continue;
    const target = join(image, to);
    await mkdir(dirname(target), { recursive: true });
    await (from === "node_modules"
      ? symlink(projectFile(from), target)
      : cp(projectFile(from), target, { recursive: true }));
  }
  const entry = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(lines.join("\n"))![1]!) as [string, string];
  const command = JSON.parse(/^CMD (.*)$/m.exec(lines.join("\n"))![1]!) as string[];
  expect(command).toEqual(["start"]);
  const url = await createDatabase();
  const start = (role: string) => {
    const child = spawn(process.execPath, [entry[1], ...command], {
      cwd: image,
      env: { PATH: process.env["PATH"], ...settings, DATABASE_URL: url, PORT: "0", ROLE: role, DRAIN_SECONDS: "0" },
    });
    const state = { output: "", child };
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (part: Buffer) => (state.output += part.toString()));
    onTestFinished(() => void child.kill("SIGKILL"));
    return state;
  };
  const [gateway, worker] = [start("gateway"), start("worker")];
  await waitUntil("the gateway was ready", async () => gateway.output.includes("OpenAPI "), LIMIT_MS);
  await waitUntil("the worker was ready", async () => worker.output.includes("Recoup works"), LIMIT_MS);
  const address = /GraphQL\s+(\S+)\/graphql/.exec(gateway.output)![1]!;
  for (const path of ["/", "/openapi.json", "/checkout/nothing"])
    expect([path, (await fetch(address + path, { headers: { accept: "text/html" } })).status]).toEqual([
      path,
      path === "/checkout/nothing" ? 403 : 200,
    ]);
  // The health check of the image, as the engine runs it.
  const [, health] = /^HEALTHCHECK .* CMD (.*)$/m.exec(lines.join("\n"))!;
  const [, ...words] = JSON.parse(health!) as string[];
  for (const { output } of [gateway, worker]) {
    const env = { PATH: process.env["PATH"], METRICS_PORT: metricsPortOf(output) };
    const check = spawn(process.execPath, words, { env });
    await waitUntil("the check had ended", async () => check.exitCode !== null, LIMIT_MS);
    expect(check.exitCode).toBe(0);
  }
  for (const { child } of [gateway, worker]) {
    child.kill("SIGTERM");
    await waitUntil("it had stopped", async () => child.exitCode !== null, LIMIT_MS);
    expect(child.exitCode).toBe(0);
  }
});

test("compose file, balancer and unit name files, services and settings that exist", async () => {
  const [compose, balancer, unit, dockerfile, readme] = await Promise.all(
    ["deploy/compose.yaml", "deploy/balancer.conf", "deploy/recoup.service", "deploy/Dockerfile", "README.md"].map(
      read,
    ),
  );
  const services = [
    ...compose!.slice(compose!.indexOf("services:"), compose!.indexOf("networks:")).matchAll(/^ {2}([\w-]+):$/gm),
  ];
  const names = services.map(([, name]) => name!);
  expect(names).toEqual(["postgres", "gateway-1", "gateway-2", "worker", "balancer"]);
  const servers = [...balancer!.matchAll(/server ([\w-]+):(\d+)/g)].map(([, name, port]) => [name, port]);
  expect(servers).toEqual([
    ["gateway-1", "4000"],
    ["gateway-2", "4000"],
  ]);
  const haproxy = await read("deploy/haproxy.cfg");
  expect([...haproxy.matchAll(/^ {4}server (\S+ \S+)$/gm)].map(([, server]) => server)).toEqual([
    "gateway-1 gateway-1:4000",
    "gateway-2 gateway-2:4000",
  ]);
  const [, , defaults] = /^(ENV) (.*)$/m.exec(dockerfile!)!;
  expect(defaults).toContain("PORT=4000");
  await stat(projectFile(/dockerfile: (\S+)/.exec(compose!)![1]!));
  await stat(projectFile(join("deploy", /- (\S+):\/etc\/nginx/.exec(compose!)![1]!)));
  await stat(projectFile(/ExecStart=\S+ (\S+)/.exec(unit!)![1]!));
  const set = [
    ...compose!.matchAll(/^ {2,6}([A-Z_]+): /gm),
    ...defaults!.matchAll(/([A-Z_]+)=/g),
    ...unit!.matchAll(/Environment=([A-Z_]+)=/g),
  ];
  const settingsOfOthers = ["POSTGRES_USER", "POSTGRES_PASSWORD", "POSTGRES_DB", "NODE_ENV"];
  const settingNames = set.map(([, name]) => name!).filter((name) => !settingsOfOthers.includes(name));
  for (const name of settingNames) expect(readme).toContain(`\`${name}\``);
});
