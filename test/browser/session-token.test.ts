import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { projectFile } from "../../src/kernel/project-files.ts";
import { SessionPages } from "../support/fixtures/session-pages.ts";
import { listenOnLoopback, openBrowser } from "../support/test-browser.ts";
import { startGateway } from "../support/test-gateway.ts";

/* A merchant's pages, at origins of their own, with the session tokens that their back end creates. */

const execute = promisify(execFile);

const gateway = await startGateway();
const address = await listenOnLoopback(gateway);
const back = new SessionPages(gateway, address);
const browser = await openBrowser();
const key = await back.createKey(["READ", "SESSIONS"]);

/** A web site that has one empty page. @returns its origin. */
async function openSite(): Promise<string> {
  const site = createServer((_request, response) =>
    response
      .setHeader("content-type", "text/html")
      .end("<!doctype html><link rel=icon href=data:,><title>Team</title>"),
  ).listen(0, "127.0.0.1");
  await once(site, "listening");
  afterAll(() => new Promise((resolve) => site.close(resolve)));
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
}

const ownSite = await openSite();
const otherSite = await openSite();

async function openPage(origin: string): Promise<Page> {
  const page = await browser.openPayerPage();
  await page.goto(origin);
  return page;
}

/** The examples of the guide, for the addresses of this test. */
const [backEndExample, pageExample] = [
  ...readFileSync(projectFile("docs/people-and-keys.md"), "utf8").matchAll(/```js\n(.*?)```/gs),
].map(([, code]) =>
  code!.replaceAll("https://billing.example.com", address).replaceAll("https://team.example.com", ownSite),
) as [string, string];

/** Runs the guide's example of a back end. @returns the token that it creates. */
async function runBackEnd(): Promise<string> {
  const program = `${backEndExample}; console.log(token);`;
  const env = { ...process.env, RECOUP_TOKEN: key.token };
  return (await execute(process.execPath, ["--input-type=module", "-e", program], { env })).stdout.trim();
}

/** Sends a query in a page with these options of fetch. @returns the answer's text, or why the page cannot read it. */
const fetchIn = (page: Page, options: object): Promise<string> =>
  page.evaluate(
    `fetch("${address}/graphql", ${JSON.stringify({
      method: "POST",
      body: JSON.stringify({ query: "{ vendor { name } }" }),
      ...options,
    })}).then((answer) => answer.text(), (error) => String(error))`,
  );

/** The reports of Chromium that it withheld an answer, which are expected here. */
function takeCorsReports(): number {
  const reports = browser.consoleMessages.splice(0);
  for (const report of reports) expect(report).toContain("CORS policy");
  return reports.length;
}

describe("a page of another origin", () => {
  test("reads with the token of its back end, as the guide shows", async () => {
    const page = await openPage(ownSite);
    const token = await runBackEnd();
    const data = await page.evaluate(
      `(async () => { const token = ${JSON.stringify(token)}; ${pageExample}; return data; })()`,
    );
    expect(data).toEqual({ vendor: { name: "Test vendor" } });
  });

  test("can read why its own token is refused", async () => {
    const page = await openPage(ownSite);
    const own = await back.createKey(["READ", "SESSIONS"]);
    const token = await back.createToken(own, { origin: ownSite });
    await gateway.queryRawData(`mutation { revokeApiKey(input: { keyId: "${own.id}" }) { key { id } } }`);
    const headers = { "content-type": "application/json", "session-token": token };
    expect(await fetchIn(page, { headers })).toContain("SESSION_TOKEN_INVALID");
  });

  test("cannot use the token of other pages, in a sandboxed frame neither", async () => {
    const token = await runBackEnd();
    const headers = { "content-type": "application/json", "session-token": token };
    expect(await fetchIn(await openPage(otherSite), { headers })).toContain("Failed to fetch");
    const page = await openPage(ownSite);
    await page.setContent(`<iframe sandbox="allow-scripts" srcdoc="<p>frame</p>"></iframe>`);
    const frame = page.frames().at(-1)!;
    await frame.getByText("frame").waitFor();
    const answer = await frame.evaluate(
      `fetch("${address}/graphql", { method: "POST", headers: ${JSON.stringify(headers)}, body: "{}" }).then(String, String)`,
    );
    expect([await frame.evaluate("origin"), answer]).toEqual(["null", expect.stringContaining("Failed to fetch")]);
    expect(takeCorsReports()).toBe(2);
  });

  test("can neither send cookies with a token nor a Secret-Token of a live vendor", async () => {
    const page = await openPage(ownSite);
    const json = { "content-type": "application/json" };
    const session = { ...json, "session-token": await runBackEnd() };
    expect(await fetchIn(page, { headers: session, credentials: "include" })).toContain("Failed to fetch");
    expect(await fetchIn(page, { headers: { ...json, "secret-token": key.token } })).toContain("Failed to fetch");
    expect(takeCorsReports()).toBe(2);
  });
});
