import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { startDemo } from "../demo/demo-gateway.ts";
import { buildOnce } from "../support/build-once.ts";
import { ConsoleBrowser } from "../support/console-browser.ts";
import { openPersonSession } from "../support/fixtures/console-person.ts";
import { numberEvents } from "../support/number-events.ts";
import { listenOnLoopback, openBrowser } from "../support/test-browser.ts";
import { startGateway } from "../support/test-gateway.ts";

await buildOnce();
const demo = await startDemo();
const address = await listenOnLoopback(demo);
const shop = await startGateway();
const shopAddress = await listenOnLoopback(shop);
const browser = await openBrowser();
const tabs = new ConsoleBrowser(browser, address);

const INTERNET = (url: URL) => url.hostname !== "127.0.0.1";
const SANDBOX_SCRIPT = /^https:\/\/embeddable-sandbox\.cdn\.apollographql\.com\//;
const SANDBOX_FRAME = "https://sandbox.embed.apollographql.com/";

/** A tab that reaches no other host than the gateway. */
async function openOffline(): Promise<Page> {
  const page = await browser.openPayerPage({ viewport: { width: 1280, height: 900 } });
  await page.route(INTERNET, (route) => route.abort());
  return page;
}

const footerOf = (page: Page) => page.locator(".explorer-access");

/** GraphiQL knows the operations of a document once it has the schema. */
const awaitSchema = (page: Page) => page.getByRole("tab").getByText("Dashboard").waitFor();

/** Runs the only operation of the query editor, or of several the one with a name. */
async function runOperation(page: Page, name?: string): Promise<void> {
  const button = page.getByRole("button", { name: "Execute query (Ctrl-Enter)" });
  if (name === undefined) return button.click();
  // The button has a menu once GraphiQL knows the operations.
  await button.and(page.locator("[aria-haspopup=menu]")).click();
  await page.getByRole("menuitem", { name }).click();
}

/** What the gateway answered, as the page shows it. */
const answerOf = (page: Page) => page.getByRole("region", { name: "Result Window" });

async function writeQuery(page: Page, query: string): Promise<void> {
  await page.getByRole("region", { name: "Query Editor" }).locator(".CodeMirror").click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(query);
  await page.getByRole("tab").getByText("<untitled>").waitFor();
}

describe("the explorer", () => {
  test("is GraphiQL where Apollo's host is blocked, and runs an example with the demo's token", async () => {
    const page = await openOffline();
    await page.goto(`${address}/graphql`);
    await footerOf(page).getByText("Sent with the demo vendor's Secret-Token.").waitFor();
    expect(page.url()).toBe(`${address}/graphql?explorer=graphiql`);
    await awaitSchema(page);
    await runOperation(page, "Dashboard");
    await answerOf(page).getByText("customerName").first().waitFor();
    expect(await page.getByRole("region", { name: "Variables" }).innerText()).toContain('"subscriptionId": "1"');
  });

  test("shows the descriptions of the schema", async () => {
    const page = await openOffline();
    await page.goto(`${address}/graphql?explorer=graphiql`);
    await page.getByRole("button", { name: "Show Documentation Explorer" }).click();
    await page.getByRole("link", { name: "Query", exact: true }).click();
    await page.getByRole("link", { name: "coverOrder", exact: true }).waitFor();
  });

  test("streams a subscription", async () => {
    const page = await openOffline();
    await page.goto(`${address}/graphql?explorer=graphiql`);
    await awaitSchema(page);
    await writeQuery(page, "subscription { events { name } }");
    const stream = page.waitForResponse((response) => response.request().headers()["accept"] === "text/event-stream");
    await runOperation(page);
    await stream;
    await demo.queryRawData('mutation { updateCustomer(input: { id: "1", name: "Kim" }) { customer { name } } }', {});
    await numberEvents(demo);
    await answerOf(page).getByText("customer.updated").waitFor();
    await page.getByRole("button", { name: "Stop query (Ctrl-Enter)" }).click();
  });

  test("stays Apollo Sandbox where that loads, however long a person reads", async () => {
    const page = await openOffline();
    await page.clock.install();
    await page.route(SANDBOX_FRAME, (route) =>
      route.fulfill({
        contentType: "text/html",
        body: "<script>parent.postMessage({ name: 'listening' }, '*')</script>",
      }),
    );
    await page.route(SANDBOX_SCRIPT, (route) =>
      route.fulfill({
        contentType: "text/javascript",
        body: `window.EmbeddedSandbox = class { constructor({ target }) {
          addEventListener("message", () => { document.title = "loaded"; });
          const frame = document.createElement("iframe"); frame.src = "${SANDBOX_FRAME}";
          document.querySelector(target).append(frame);
        } };`,
      }),
    );
    await page.goto(`${address}/graphql`);
    await page.waitForFunction('document.title === "loaded"');
    await page.clock.fastForward(60_000);
    expect(page.url()).toBe(`${address}/graphql`);
  });

  test("becomes GraphiQL after ten seconds where packets to Apollo's host are dropped", async () => {
    const page = await openOffline();
    await page.clock.install();
    await page.route(SANDBOX_SCRIPT, () => undefined);
    await page.goto(`${address}/graphql`, { waitUntil: "commit" });
    await page.waitForTimeout(200);
    expect(page.url()).toBe(`${address}/graphql`);
    await page.clock.fastForward(10_000);
    await footerOf(page).waitFor();
    expect(page.url()).toBe(`${address}/graphql?explorer=graphiql`);
  });

  test("sends the token of the tab's sign-in, or one of the headers editor", async () => {
    const page = await new ConsoleBrowser(browser, shopAddress).openWithToken(shop.vendor.token);
    await page.goto(`${shopAddress}/graphql?explorer=graphiql`);
    await footerOf(page).getByText("Sent with the Secret-Token of your sign-in to the console.").waitFor();
    await awaitSchema(page);
    await writeQuery(page, "{ vendor { name } }");
    await runOperation(page);
    await answerOf(page).getByText("Test vendor").waitFor();
    await page.getByRole("button", { name: "Headers" }).click();
    await page.getByRole("region", { name: "Headers" }).locator(".CodeMirror").last().click();
    await page.keyboard.insertText('{"secret-token": "nobody"}');
    await runOperation(page);
    await answerOf(page).getByText('"TOKEN_INVALID"').waitFor();
  });

  test("sends the session of a person who is signed in to the console", async () => {
    const owner = { email: "owner@example.com", password: "correct horse" };
    await openPersonSession(shop, shop.vendor.id, { email: owner.email, role: "OWNER" });
    const page = await new ConsoleBrowser(browser, shopAddress).openAsPerson(owner);
    await page.goto(`${shopAddress}/graphql?explorer=graphiql`);
    await footerOf(page).getByText("Sent with your session of the console.").waitFor();
    await awaitSchema(page);
    await writeQuery(page, "{ vendor { name } }");
    await runOperation(page);
    await answerOf(page).getByText("Test vendor").waitFor();
    await answerOf(page).getByText('"requested"').waitFor();
  });

  test("is not loaded by the console's first page", async () => {
    const page = await tabs.openDemo();
    const scripts = await page.evaluate<string[]>(
      'performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.endsWith(".js"))',
    );
    expect(scripts.length).toBeGreaterThan(3);
    expect(scripts.filter((name) => /explorer|codemirror/.test(name))).toEqual([]);
  });
});
