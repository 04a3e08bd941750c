import axe from "axe-core";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { DEMO_TOKEN, startDemo } from "../demo/demo-gateway.ts";
import { listenOnLoopback, openBrowser } from "../support/test-browser.ts";

const gateway = await startDemo();
const address = await listenOnLoopback(gateway);
const browser = await openBrowser();

/** The violated rules of a page, with the elements that violate them. */
async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))`,
  );
}

/** A tab that is signed in to the demo. */
async function openDemo(path = "/", options: Parameters<typeof browser.openPayerPage>[0] = {}): Promise<Page> {
  const page = await browser.openPayerPage({ viewport: { width: 1280, height: 900 }, ...options });
  await page.goto(address + path);
  await page.getByRole("button", { name: /^(Open the demo|데모 열기)$/ }).click();
  await page.getByRole("navigation", { name: /^(Main navigation|주 메뉴)$/ }).waitFor();
  return page;
}

const openPageFromNavigation = async (page: Page, name: string) => {
  await page.getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
};

const headingOf = (page: Page) => page.getByRole("heading", { level: 1 });

describe("the sign-in page", () => {
  test("signs in with an API token, and out again", async () => {
    const page = await browser.openPayerPage();
    await page.goto(address);
    await page.getByLabel("API token").first().fill(DEMO_TOKEN);
    await page.getByRole("button", { name: "Sign in" }).click();
    expect(await headingOf(page).innerText()).toBe("Home");
    await page.getByRole("button", { name: "Sign out" }).click();
    expect(await headingOf(page).innerText()).toBe("Sign in");
    await page.reload();
    expect(await headingOf(page).innerText()).toBe("Sign in");
  });

  test("says why a token is not accepted", async () => {
    const page = await browser.openPayerPage();
    await page.goto(address);
    await page.getByRole("button", { name: "Sign in" }).click();
    expect(await page.getByRole("alert").innerText()).toBe("Paste the API token of your vendor.");
    await page.getByLabel("API token").first().fill("no-such-token");
    await page.keyboard.press("Enter");
    await page.getByText("The Secret-Token is unknown or was revoked.").waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  test("keeps the token in the tab, so that another tab must sign in", async () => {
    const page = await openDemo();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    const other = await page.context().newPage();
    await other.goto(address);
    expect(await headingOf(other).innerText()).toBe("Sign in");
  });
});

describe("a recovery that REST reports", () => {
  let recovered: string;

  beforeAll(async () => {
    const { coverOrder } = await gateway.queryData(
      '{ coverOrder(partnerOrderId: "renewal-open") { databaseId subscription { databaseId } } }',
      {},
      { token: DEMO_TOKEN },
    );
    const { databaseId: orderId, subscription } = coverOrder!;
    const body = { subscriptionId: subscription!.databaseId, orderId, errorCode: "51", errorMessage: "no funds" };
    const started = await gateway.sendRest("POST", "/cover/recovery", body, { token: DEMO_TOKEN });
    recovered = String((started.body as { coverId: number }).coverId);
  });

  test("is seen as a story with its next retry, and as recovered when it is paid", async () => {
    const page = await openDemo();
    await openPageFromNavigation(page, "Recovery");
    const table = page.getByRole("table", { name: "Recovery" });
    const row = table.getByRole("row").nth(1);
    expect(await row.innerText()).toContain("In progress");
    await row.getByRole("link").click();
    await page.waitForURL(`${address}/recovery/${recovered}`);
    const story = page.getByRole("region", { name: "What happened" });
    await story.getByText("First failure, attempt 1: Insufficient funds").waitFor();
    expect(await story.innerText()).toContain("Code 51 · no funds");
    expect(await page.getByRole("region", { name: "Next retry" }).innerText()).toContain(
      "In the payer's time zone, Asia/Seoul",
    );
    const { coverOrder } = await gateway.queryData(
      '{ coverOrder(partnerOrderId: "renewal-open") { databaseId } }',
      {},
      { token: DEMO_TOKEN },
    );
    await gateway.sendRawRest("PATCH", `/cover/order/success/${coverOrder!.databaseId}`, undefined, {
      token: DEMO_TOKEN,
    });
    await page.reload();
    await page.getByText("Recovered", { exact: true }).first().waitFor();
  });
});

describe("each page", () => {
  const pages = [
    ["Home", "/", "홈"],
    ["Recovery", "/recovery", "회복"],
  ] as const;

  test("is in the navigation once, and has its word as the heading and a table", async () => {
    const page = await openDemo();
    for (const [name] of pages) {
      expect(await page.getByRole("link", { name, exact: true }).count()).toBe(1);
      await openPageFromNavigation(page, name);
      await page.getByRole("table").first().waitFor();
      expect(await page.title()).toBe(`${name} · Recoup`);
    }
  });

  test.each(pages)("violates no rule of accessibility: %s", async (_name, path) => {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await openDemo(path, { colorScheme });
      await page.getByRole("table").first().waitFor();
      expect(await findViolations(page)).toEqual([]);
    }
  });

  test.each(pages)("fits a phone, in Korean by the browser's language: %s", async (_name, path, korean) => {
    const page = await openDemo(path, { locale: "ko-KR", viewport: { width: 390, height: 844 } });
    await page.getByRole("heading", { level: 1, name: korean, exact: true }).waitFor();
    await page.getByRole("table").first().waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("ko");
    expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
    expect(await findViolations(page)).toEqual([]);
  });
});

describe("a list", () => {
  test("is filtered, and keeps the filter in the address", async () => {
    const page = await openDemo("/recovery");
    const table = page.getByRole("table", { name: "Recovery" });
    await table.getByText("In progress").first().waitFor();
    await page.getByLabel("State").selectOption("RECOVERED");
    await page.waitForURL(/state=RECOVERED/);
    await expect.poll(() => table.innerText()).not.toContain("In progress");
    const rows = await table.getByRole("row").count();
    expect(rows).toBeGreaterThan(1);
    await page.reload();
    await expect.poll(() => table.getByRole("row").count()).toBe(rows);
    expect(await page.getByLabel("State").inputValue()).toBe("RECOVERED");
  });

  test("says that nothing matches", async () => {
    const page = await openDemo("/recovery/999999999");
    await page.getByText("There is no such record.").waitFor();
    await page.goto(`${address}/nothing`);
    expect(await headingOf(page).innerText()).toBe("Page not found");
  });
});

test("a page without a gateway says so, and loads when it is asked again", async () => {
  const page = await openDemo();
  await page.route("**/graphql", (route) => route.abort());
  await openPageFromNavigation(page, "Recovery");
  await page.getByRole("alert").getByText("The gateway cannot be reached.").waitFor();
  await page.unroute("**/graphql");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("table", { name: "Recovery" }).waitFor();
});
