import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { exec } from "node:child_process";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { RawData } from "../support/raw-data.ts";
import { projectFile } from "../../src/kernel/project-files.ts";
import { buildOnce } from "../support/build-once.ts";
import { verifyWebhook, WebhookReceiver } from "../support/webhook-receiver.ts";

/*
 * The README's own commands, run as a newcomer would: the built gateway, on an embedded database of its own, and curl.
 */

const receiver = await WebhookReceiver.start();
let folder: string;
let gateway: ChildProcess;
let output = "";
let address: string;

beforeAll(async () => {
  await buildOnce();
  folder = await mkdtemp(join(tmpdir(), "recoup-readme-"));
  await chmod(folder, 0o755);
  const { DATABASE_URL: _none, ...inherited } = process.env;
  gateway = spawn(process.execPath, [projectFile("dist/src/main.js")], {
    env: { ...inherited, PORT: "0", DATA_DIR: folder, LOG_LEVEL: "info", DRAIN_SECONDS: "0" },
  });
  gateway.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  gateway.stderr?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await vi.waitFor(() => expect(output).toContain("Recoup is ready."), { timeout: 90_000, interval: 50 });
  address = /GraphQL\s+(\S+)\/graphql/.exec(output)![1]!;
}, 120_000);

afterAll(async () => {
  if (gateway.exitCode === null) {
    gateway.kill("SIGTERM");
    await once(gateway, "exit");
  }
  await rm(folder, { recursive: true, force: true });
});

const PAGES = ["docs/guides/tutorial.md", "README.md", "docs/guides/legacy-integrations.md"];

const curlsOf = (page: string) =>
  [...readFileSync(projectFile(page), "utf8").matchAll(/^curl (?:.*\\\n)*.*$/gm)].map(([command]) =>
    command.replaceAll("http://127.0.0.1:4000", address).replaceAll("http://127.0.0.1:3000", receiver.origin),
  );

/** The answers of the pages' commands, run once each, in order. */
const answers: RawData[] = [];

test("every command of the tutorial, the README and the page for REST answers without an error", async () => {
  for (const command of PAGES.flatMap(curlsOf)) {
    const { stdout } = await promisify(exec)(command);
    answers.push(JSON.parse(stdout));
  }
  expect(answers.length).toBeGreaterThan(8);
  for (const answer of answers) expect(answer).not.toHaveProperty("errorCode");
});

test("the tutorial's recovery works word for word", () => {
  const [, started, moved, paid] = answers;
  expect(started).toEqual({
    coverId: expect.any(Number),
    retryDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  });
  const wait = Date.parse(moved.data.advanceTestClock.now) - Date.parse(started.retryDate);
  expect(Math.abs(wait)).toBeLessThan(60_000);
  expect(paid).toMatchObject({ status: "PAID", partnerOrderId: "renewal-open", retryDate: null });
});

test("the tutorial's recovery ends with a webhook that arrives and that the library verifies", async () => {
  const [{ data }, started] = answers;
  const recovered = () => receiver.received.find(({ message }) => message.type === "cover.recovered");
  await vi.waitFor(() => expect(recovered()).toBeDefined(), { timeout: 30_000, interval: 50 });
  expect(verifyWebhook(data.createWebhookEndpoint.secret, recovered()!)).toMatchObject({
    data: { subject: "COVER", statusAfter: "RECOVERED" },
  });
  // Nothing of the demo's history came. On the day after, a renewal of the demo may fail too, and be told first.
  for (const { message } of receiver.received) {
    expect(message.data.coverId).toBeGreaterThanOrEqual(started.coverId);
  }
  const ofCover = receiver.received.filter(({ message }) => message.data.coverId === started.coverId);
  expect(ofCover.map(({ message }) => message.type)).toEqual(["cover.started", "cover.recovered"]);
});

test("the README's billing commands show orders, a customer, a product, a new order and an invoice", () => {
  const [, , , , , toSend, searched, customer, product, order, invoice] = answers;
  expect(toSend).toMatchObject({ size: 2, content: [{ items: expect.any(Array) }, {}] });
  expect(searched.content[0].customerName).toMatch(/kim/i);
  expect(customer).toMatchObject({ id: 2, subscriptions: [expect.anything()] });
  expect(customer.orders).toContainEqual(expect.objectContaining({ type: "RECURRING_INITIAL" }));
  expect(product).toMatchObject({ code: "product_HouseBean", prices: [{}, { code: "price_HouseBea2" }, {}] });
  expect(order).toMatchObject({ type: "ONE_TIME", paidAmount: 0, productName: "House blend" });
  expect(invoice).toEqual({ id: expect.any(Number) });
});

test("the page for REST reads customers, creates an order once, and reads the feed", async () => {
  const [customers, order, feed] = answers.slice(-3);
  expect(customers).toMatchObject({ size: 2, content: [{}, {}] });
  expect(feed.events).toHaveLength(5);
  const [, create] = curlsOf(PAGES.at(-1)!);
  const { stdout } = await promisify(exec)(create!.replace("curl -s", "curl -si"));
  expect(stdout).toMatch(/^idempotency-replayed: true\r$/im);
  expect(stdout).toContain(JSON.stringify(order));
});

test("the terminal's output leads to a page, a contract and a token", async () => {
  const token = /Secret-Token: (\S+)/.exec(output)![1]!;
  const page = await fetch(`${address}/graphql`, { headers: { accept: "text/html" } });
  const html = await page.text();
  expect(page.headers.get("content-type")).toContain("text/html");
  expect(html).toContain(token);
  expect(html).toContain("Dashboard");
  expect(html).toContain("RunningRecoveries");
  expect(await (await fetch(`${address}/openapi.json`)).json()).toMatchObject({ openapi: "3.1.0" });
});

/** Runs an operation as the demo vendor. */
async function run(query: string, operationName: string): Promise<RawData> {
  const response = await fetch(`${address}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", "secret-token": "demo-secret-token" },
    body: JSON.stringify({ query, operationName, variables: { orderId: "3", subscriptionId: "1" } }),
  });
  return response.json();
}

const namesIn = (document: string) => [...document.matchAll(/^(?:query|mutation) (\w+)/gm)].map(([, name]) => name!);

/** Root fields with an empty answer: null, or a list without rows. */
const silent = (data: Record<string, RawData>) =>
  Object.entries(data).filter(([, value]) => value === null || (value.nodes ?? value.rows ?? [value]).length === 0);

test("every example operation of the Sandbox runs, and has data to show", async () => {
  const query = readFileSync(projectFile("docs/examples.graphql"), "utf8");
  for (const name of namesIn(query)) {
    const { data, errors } = await run(query, name);
    // The order was recovered above, so that another report of its failure is answered by its ended cover.
    expect(errors, name).toBeUndefined();
    expect(silent(data), name).toEqual([]);
  }
});

test("every operation in the guide for dashboards runs, and has data to show", async () => {
  const guide = readFileSync(projectFile("docs/graphql.md"), "utf8");
  const documents = [...guide.matchAll(/```graphql\n([\s\S]*?)```/g)].map(([, document]) => document!);
  expect(documents.length).toBeGreaterThan(2);
  for (const document of documents) {
    const { data, errors } = await run(document, namesIn(document)[0]!);
    expect(errors, document).toBeUndefined();
    expect(silent(data), document).toEqual([]);
  }
});

test("SIGTERM drains and the process ends by itself", async () => {
  gateway.kill("SIGTERM");
  const [code] = await once(gateway, "exit");
  expect(code).toBe(0);
});
