import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { EventType } from "../../schema/vocabulary.ts";
import { projectFile } from "../../src/kernel/project-files.ts";
import { createDatabase } from "../faults/harness/fault-databases.ts";
import { GatewayProcess, TOKEN } from "../faults/harness/gateway-process.ts";
import { waitUntil } from "../faults/harness/wait-until.ts";
import { buildOnce } from "../support/build-once.ts";
import type { RawData } from "../support/raw-data.ts";
import { SECRETS_KEY } from "../support/test-gateway.ts";
import { commandsOn, recordOf } from "./command-line.ts";

/* Commands that call the API of a running gateway, and what all commands share. */

const LIMIT_MS = 60_000;
const run = promisify(execFile);
let gateway: GatewayProcess;
const recoup = (...words: string[]) => commandsOn({ RECOUP_URL: gateway.address }, LIMIT_MS).recoup(...words);

async function query(text: string): Promise<RawData> {
  const answer = await fetch(`${gateway.address}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", "secret-token": TOKEN },
    body: JSON.stringify({ query: text }),
  });
  const { data, errors } = (await answer.json()) as RawData;
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

beforeAll(async () => {
  await buildOnce();
  const settings = { SECRETS_KEY: SECRETS_KEY.toString("base64"), DATABASE_URL: await createDatabase(), ROLE: "both" };
  gateway = await GatewayProcess.start(settings);
  await query("mutation { configurePaymentGateway(input: { paymentGateway: HOUSE }) { account { databaseId } } }");
}, LIMIT_MS);

test("recoup trigger makes events occur, which webhooks listen forwards signed", async () => {
  const secret = `whsec_${Buffer.alloc(32, "listen").toString("base64")}`;
  const received: { id: string; type: string }[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const headers = request.headers as Record<string, string>;
      received.push(new Webhook(secret).verify(Buffer.concat(chunks).toString(), headers) as (typeof received)[number]);
      response.writeHead(received.length === 1 ? 500 : 204).end();
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void receiver.close());
  await once(receiver, "listening");
  const names = ["order.created", "order.paid", "payment.failed", "subscription.activated", "cover.recovered"];

  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`;
  const words = ["webhooks", "listen", "--forward-to", url, "--types", names.join(","), "--secret", secret, "--json"];
  const listening = spawn(process.execPath, [projectFile("dist/src/commands/recoup.js"), ...words], {
    env: { PATH: process.env["PATH"], RECOUP_URL: gateway.address },
  });
  onTestFinished(() => void listening.kill("SIGKILL"));
  let [out, notes] = ["", ""];
  listening.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  listening.stderr.on("data", (chunk: Buffer) => (notes += chunk.toString()));
  await waitUntil("it was listening", async () => notes.includes("Forwarding events"), LIMIT_MS);
  // Its stream is open once an event has come.
  const isOpen = async () => {
    recordOf(await recoup("trigger", "customer.created"));
    return received.length > 0;
  };
  await waitUntil("the stream was open", isOpen, LIMIT_MS);
  for (const name of names) expect(recordOf(await recoup("trigger", name))["event"]).toBe(name);
  await waitUntil(
    "all were forwarded",
    async () => names.every((name) => received.some(({ type }) => type === name)),
    LIMIT_MS,
  );
  const lines = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: string; type: string; status: number });
  expect(lines.map(({ id, type }) => ({ id, type }))).toEqual(
    received.slice(0, lines.length).map(({ id, type }) => ({ id, type })),
  );
  expect(lines.map(({ status }) => status)).toEqual([500, ...lines.slice(1).map(() => 204)]);
  expect(new Set(received.map(({ id }) => id)).size).toBe(received.length);
  listening.kill("SIGKILL");
});

test("recoup trigger says of each event how it occurs, and asks before it advances the clock", async () => {
  const rows = (await recoup("trigger", "--list")).out.trimEnd().split("\n").slice(1);
  expect(rows).toHaveLength(Object.keys(EventType).length);
  expect(rows).toContain("order.paid\trecoup trigger");
  expect(rows).toContain("subscription.renewed\trecoup trigger, with --advance-clock");
  const { vendor } = await query("{ vendor { now } }");
  const refusals = [
    [["subscription.renewed"], "subscription.renewed needs time to pass: add --advance-clock."],
    [["customer.dormant", "--advance-clock"], "customer.dormant cannot be triggered. A year without an order"],
    [["order.eaten"], "The event must be one of: order.created, order.paid,"],
    [["toString"], "The event must be one of: "],
  ] as const;
  for (const [words, sentence] of refusals) {
    const { code, err } = await recoup("trigger", ...words);
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
  }
  const elapsed = Date.parse((await query("{ vendor { now } }")).vendor.now) - Date.parse(vendor.now);
  expect(elapsed).toBeLessThan(LIMIT_MS);
});

test("recoup export writes each record of each list once, with the ids of what it belongs to", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recoup-export-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const list of ["customers", "products", "orders", "subscriptions", "invoices", "payments", "covers"]) {
    const file = join(folder, `${list}.jsonl`);
    const { records } = recordOf(await recoup("export", list, "--output", file));
    const rows = (await readFile(file, "utf8"))
      .trimEnd()
      .split("\n")
      .map((line): RawData => JSON.parse(line));
    expect(new Set(rows.map(({ databaseId }) => databaseId)).size).toBe(Number(records));
    expect((await query(`{ ${list}(first: 1) { totalCount } }`))[list].totalCount).toBe(Number(records));
    if (list === "orders")
      expect(rows[0]).toMatchObject({ code: expect.any(String), customer: { databaseId: expect.any(Number) } });
  }
  const events = await recoup("export", "events");
  expect(events.out.split("\n").length).toBeGreaterThan(100);
});

test("recoup recovery explain and clock advance show what the API says", async () => {
  const { cover } = await query(
    `{ cover(id: 1) { state decisions(first: 9) { nodes { explanation(language: KOREAN) } } } }`,
  );
  const explained = await recoup("recovery", "explain", "1", "--language", "KOREAN");
  expect(explained).toMatchObject({ code: 0, err: "" });
  expect(explained.out).toContain(`state: ${cover.state}`);
  for (const { explanation } of cover.decisions.nodes) expect(explained.out).toContain(explanation);
  const before = recordOf(await recoup("clock", "advance", "PT0S"))["now"]!;
  const after = JSON.parse((await recoup("clock", "advance", "PT1H", "--json")).out) as { now: string };
  expect(Date.parse(after.now) - Date.parse(before)).toBeGreaterThanOrEqual(3_600_000);
});

test("recoup customer export and erase answer a customer's request", async () => {
  const { createCustomer } = await query(
    'mutation { createCustomer(input: { name: "Minji Kim", email: "minji@quillfeather.example", phone: "1" }) { customer { databaseId code } } }',
  );
  const { databaseId, code } = createCustomer.customer;
  const id = String(databaseId);
  const printed = await recoup("customer", "export", id);
  expect(printed).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse(printed.out).records.customers[0]).toMatchObject({ email: "minji@quillfeather.example" });
  const folder = await mkdtemp(join(tmpdir(), "recoup-customer-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "customer.json");
  expect(JSON.parse((await recoup("customer", "export", id, "--output", file, "--json")).out)).toEqual({
    ...{ customer: id, file, records: expect.any(Number) },
  });
  expect((await readFile(file, "utf8")).trimEnd().slice(-40)).toBe(printed.out.trimEnd().slice(-40));
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  expect(await recoup("customer", "erase", id)).toMatchObject({ code: 2, err: expect.stringContaining("--confirm") });
  expect(await recoup("customer", "erase", id, "--confirm", "customer_wrong")).toMatchObject({
    ...{ code: 1, out: "", err: expect.stringContaining("must be the code of the customer") },
  });
  const erased = await recoup("customer", "erase", id, "--confirm", code, "--json");
  expect([erased.code, JSON.parse(erased.out)]).toEqual([0, { customer: id, code, erased: expect.any(String) }]);
  expect((await query(`{ customer(id: "${id}") { email } }`)).customer.email).toBe("");
  expect(await recoup("customer", "export", "99999999")).toMatchObject({
    ...{ code: 1, err: expect.stringContaining("CUSTOMER_NOT_FOUND") },
  });
});

test("commands end with the exit codes of docs/command-line.md", async () => {
  expect(await recoup("recovery", "explain", "1")).toMatchObject({ code: 0 });
  expect(await recoup("clock", "advance", "P1X")).toMatchObject({
    code: 1,
    err: expect.stringContaining("must be an ISO 8601 duration such as P1D"),
  });
  expect(await recoup("trigger", "order.paid", "--token", "unknown")).toMatchObject({
    code: 1,
    err: expect.stringContaining("TOKEN_INVALID"),
  });
  for (const words of [
    ["nothing"],
    [],
    ["keys", "nothing"],
    ["clock", "advance"],
    ["recovery", "explain", "1", "--nothing"],
    ["export", "orders", "--output", "/nowhere/orders.jsonl"],
    ["restore", "nowhere.backup"],
    ["backup", "."],
    ["backup", ".", "--replace"],
  ])
    expect(await recoup(...words)).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("The arguments are wrong"),
    });
  expect(await recoup("clock", "advance", "P1D", "--url", "http://127.0.0.1:1")).toMatchObject({ code: 3, out: "" });
  expect(await commandsOn({ DATABASE_URL: "postgres://127.0.0.1:1/x" }).recoup("backup", "x")).toMatchObject({
    code: 3,
  });
  expect(await commandsOn({ PORT: "x", DATA_DIR: "/dev/null" }).recoup("demo", "--port", "y")).toMatchObject({
    code: 2,
    err: expect.stringContaining("PORT must be a number"),
  });
  expect(await commandsOn({ DATABASE_URL: "postgres://127.0.0.1:1/x", PORT: "0" }).recoup("start")).toMatchObject({
    code: 3,
    out: "",
  });
});

test("recoup says its version, and what was probably meant", async () => {
  const { version } = JSON.parse(await readFile(projectFile("package.json"), "utf8")) as { version: string };
  const expected = { code: 0, out: `recoup: ${version}\nnode: ${process.versions.node}\n`, err: "" };
  expect(await recoup("--version")).toEqual(expected);
  expect(await recoup("version")).toEqual(expected);
  expect(JSON.parse((await recoup("-v", "--json")).out)).toEqual({ recoup: version, node: process.versions.node });
  expect((await recoup("help", "keys", "create")).out).toBe((await recoup("keys", "create", "--help")).out);
  expect((await recoup("exprt")).err).toContain("Options follow it. Did you mean export?");
  expect((await recoup("trigger", "order.payd")).err).toContain("Did you mean order.paid?");
});

test("recoup export stops in one sentence when nobody reads its output any more", async () => {
  const settings = { PATH: process.env["PATH"], RECOUP_URL: gateway.address };
  const command = `"${process.execPath}" dist/src/commands/recoup.js export events`;
  // The reader takes one line and ends, while there are pages to come.
  const script = `{ ${command}; echo "code $?" >&2; } | { read -r line; }`;
  const { stderr } = await run("sh", ["-c", script], { cwd: projectFile(""), env: settings });
  expect(stderr).toMatch(/^The output could not be written: write EPIPE\ncode 1\n$/);
});

test("recoup completion offers the commands, and the options of a command, in bash", async () => {
  const { out } = await recoup("completion", "bash");
  const complete = async (...words: string[]) => {
    const script = `${out}\nCOMP_WORDS=(recoup ${words.map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${words.length}; _recoup; echo "\${COMPREPLY[*]}"`;
    return (await run("bash", ["-c", script])).stdout.trim().split(" ");
  };
  expect(await complete("re")).toEqual(["restore", "recovery"]);
  expect(await complete("recovery", "")).toEqual([
    "simulate",
    "backtest",
    "explain",
    "replay",
    "report",
    "model",
    "train-prior",
  ]);
  expect(await complete("recovery", "model", "e")).toEqual(["export"]);
  expect(await complete("webhooks", "listen", "--url", "x", "--f")).toEqual(["--forward-to"]);
  expect(await complete("trigger", "order.pa")).toEqual(["order.paid", "order.payment_failed", "order.paid_late"]);
  expect(await complete("export", "cu")).toEqual(["customers"]);
});

/** Runs where it is installed. */
const FISH = "fish";
const hasFish = spawnSync(FISH, ["--version"]).status === 0;

test("recoup completion offers the same words in fish, each with its meaning", async () => {
  const { out } = await recoup("completion", "fish");
  const wordsAfter = (path: string): string[] => {
    const lines = out.split("\n");
    const quoted = lines[lines.indexOf(`    case '${path}'`) + 1]!.match(/'(?:[^'\\]|\\.)*'/g)!.slice(1);
    return quoted.filter((_, index) => index % 2 === 0).map((word) => word.slice(1, -1));
  };
  expect(wordsAfter(" recovery model")).toEqual(["list", "export", "import", "poolings"]);
  expect(wordsAfter(" webhooks listen")).toContain("--forward-to");
  expect(out).toContain("'restore' 'Restores a backup'");
  if (!hasFish) return;
  const complete = async (line: string) =>
    (await run(FISH, ["--no-config", "-c", `${out}\ncomplete -C "recoup ${line}"`])).stdout.trim().split("\n");
  expect((await complete("re")).map((line) => line.split("\t")[0])).toEqual(["recovery", "restore"]);
  expect(await complete("recovery model e")).toEqual([expect.stringMatching(/^export\tPrints a model/)]);
  expect(await complete("webhooks listen --url x --f")).toEqual([expect.stringMatching(/^--forward-to\t/)]);
  expect(await complete("recovery report packag")).toEqual(expect.arrayContaining(["package.json"]));
});

test("docs/command-line.md lists all commands, and its examples have the words of commands", async () => {
  const page = await readFile(projectFile("docs/command-line.md"), "utf8");
  const { out } = await recoup("--help");
  const [, names] = /USAGE recoup (\S+)/.exec(out)!;
  const rows = page
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .join("\n");
  for (const name of names!.split("|")) expect(rows).toMatch(new RegExp(`\`${name}[ \`]`));
  for (const [, words] of page.matchAll(/^npm run -s recoup -- (.*)$/gm)) {
    const help = await recoup(...words!.split(" ").slice(0, 2), "--help");
    expect(help.code).toBe(0);
    for (const [option] of words!.matchAll(/--[a-z-]+/g)) expect(help.out).toContain(option);
  }
});
