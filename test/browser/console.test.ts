import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { projectFile } from "../../src/kernel/project-files.ts";
import { DEMO_TOKEN, startDemo } from "../demo/demo-gateway.ts";
import { buildOnce } from "../support/build-once.ts";
import { ConsoleBrowser, findContrastViolations, findViolations, headingOf } from "../support/console-browser.ts";
import { listenOnLoopback, openBrowser } from "../support/test-browser.ts";

await buildOnce();
const gateway = await startDemo();
const address = await listenOnLoopback(gateway);
const browser = await openBrowser();
const tabs = new ConsoleBrowser(browser, address);

const openPageFromNavigation = async (page: Page, name: string) => {
  await page.getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
};

describe("the sign-in page", () => {
  test("signs in with an API token, and out again", async () => {
    const page = await tabs.openWithToken(DEMO_TOKEN);
    expect(await headingOf(page).innerText()).toBe("Home");
    await page.getByRole("button", { name: "Sign out" }).click();
    expect(await headingOf(page).innerText()).toBe("Sign in");
    await page.reload();
    expect(await headingOf(page).innerText()).toBe("Sign in");
  });

  test("signs a person in with e-mail and password, in all tabs, and out again", async () => {
    const credentials = { email: "owner@example.com", password: "correct horse" };
    await gateway.queryRawData(
      "mutation ($input: CreateChildVendorInput!) { createChildVendor(input: $input) { child { uuid } } }",
      { input: { name: "Bean Corner", ...credentials } },
      { token: DEMO_TOKEN },
    );
    const page = await tabs.openAsPerson(credentials);
    await page.getByText("Bean Corner").waitFor();
    const other = await page.context().newPage();
    await other.goto(address);
    await other.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    const signedOut = page.waitForResponse(`${address}/console/sign-out`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await signedOut;
    expect(await headingOf(page).innerText()).toBe("Sign in");
    await other.getByRole("link", { name: "Orders", exact: true }).click();
    await other.getByText("You are signed out. Sign in again.").waitFor();
    expect(await findViolations(other)).toEqual([]);
    await tabs.signIn(other, credentials);
    await other.getByRole("heading", { level: 1, name: "Orders" }).waitFor();
  });

  test("says that e-mail address or password is wrong", async () => {
    const page = await tabs.open();
    await page.getByLabel("E-mail address").fill("nobody@example.com");
    await page.getByLabel("Password", { exact: true }).first().fill("wrong horse");
    await page.keyboard.press("Enter");
    await page.getByText("The e-mail address or the password is wrong.").waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  test("offers a link to set a new password, and sets it by the link", async () => {
    const page = await tabs.open();
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByLabel("E-mail address").fill("nobody@example.com");
    await page.getByRole("button", { name: "Send the link" }).click();
    await page.getByRole("status").getByText("a mail with a link is on its way").waitFor();
    expect(await findViolations(page)).toEqual([]);
    const byLink = await tabs.open("/password#used-up");
    await byLink.getByLabel("New password", { exact: true }).first().fill("a new password");
    await byLink.getByRole("button", { name: "Save the password" }).click();
    await byLink.getByText("The link was used, has expired, or was replaced by a newer one.").waitFor();
    expect(await findViolations(byLink)).toEqual([]);
  });

  test("says why a token is not accepted", async () => {
    const page = await tabs.open();
    await page.getByRole("button", { name: "Use an API token instead" }).click();
    await page.getByRole("button", { name: "Sign in" }).click();
    expect(await page.getByRole("alert").innerText()).toBe("Paste the API token of your vendor.");
    await page.getByLabel("API token").first().fill("no-such-token");
    await page.keyboard.press("Enter");
    await page.getByText("The Secret-Token is unknown or was revoked.").waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  test("keeps the token in the tab, so that another tab must sign in", async () => {
    const page = await tabs.openDemo();
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
    const page = await tabs.openDemo();
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
    ["Orders", "/orders", "주문"],
    ["Customers", "/customers", "고객"],
    ["Subscriptions", "/subscriptions", "구독"],
    ["Products", "/products", "상품"],
    ["Invoices", "/invoices", "청구서"],
    ["Payments", "/payments", "결제"],
    ["Developers", "/developers", "개발자"],
  ] as const;
  const lists = pages.filter(([, path]) => !["/", "/developers"].includes(path));

  test("is in the navigation once, and has its word as the heading and a table", async () => {
    const page = await tabs.openDemo();
    for (const [name] of pages) {
      expect(await page.getByRole("link", { name, exact: true }).count()).toBe(1);
      await openPageFromNavigation(page, name);
      await page.getByRole("table").first().waitFor();
      expect(await page.title()).toBe(`${name} · Recoup`);
    }
  });

  test("violates no rule of accessibility, in light and in dark", async () => {
    const page = await tabs.openDemo("/", { colorScheme: "light" });
    for (const [name, path] of pages) {
      await page.goto(address + path);
      await page.getByRole("table").first().waitFor();
      expect(await findViolations(page), name).toEqual([]);
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await findContrastViolations(page), name).toEqual([]);
      await page.emulateMedia({ colorScheme: "light" });
    }
  });

  test("leads from a list to a page of each record, and back", async () => {
    const page = await tabs.openDemo();
    for (const [name, path] of lists) {
      await openPageFromNavigation(page, name);
      const link = page.getByRole("table", { name, exact: true }).getByRole("rowheader").first().getByRole("link");
      const recordPath = (await link.getAttribute("href"))!;
      await link.click();
      await page.waitForURL(address + recordPath);
      await page.getByRole("heading", { level: 2, name: "Details" }).waitFor();
      expect(await headingOf(page).innerText()).not.toBe(name);
      expect(await page.getByRole("link", { name, exact: true }).getAttribute("aria-current")).toBe("page");
      expect(await findViolations(page), name).toEqual([]);
      await page.getByRole("link", { name: /^Back to all / }).click();
      await page.waitForURL(address + path);
    }
  });

  test("fits a phone, in Korean by the browser's language", async () => {
    const page = await tabs.openDemo("/", { locale: "ko-KR", viewport: { width: 390, height: 844 } });
    for (const [name, path, korean] of pages) {
      await page.goto(address + path);
      await page.getByRole("heading", { level: 1, name: korean, exact: true }).waitFor();
      await page.getByRole("table").first().waitFor();
      expect(await page.locator("html").getAttribute("lang")).toBe("ko");
      expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), name).toBe(true);
      expect(await findViolations(page), name).toEqual([]);
    }
  });
});

describe("the navigation", () => {
  test("has counts beside its links, as the API counts them", async () => {
    const page = await tabs.openDemo();
    const { covers, subscriptions } = await gateway.queryData(
      "{ covers(first: 1, filter: { states: [IN_PROGRESS] }) { totalCount } subscriptions(first: 1, filter: { status: UNPAID }) { totalCount } }",
      {},
      { token: DEMO_TOKEN },
    );
    expect([covers.totalCount, subscriptions.totalCount]).not.toContain(0);
    const entries = page.getByRole("navigation", { name: "Main navigation" }).getByRole("listitem");
    const entryOf = (name: string) => entries.filter({ has: page.getByRole("link", { name, exact: true }) });
    await entryOf("Recovery")
      .getByText(new RegExp(`^${covers.totalCount} recover(?:y|ies) in progress$`))
      .waitFor();
    const unpaid = new RegExp(`^${subscriptions.totalCount} unpaid subscriptions?$`);
    await entryOf("Subscriptions").getByText(unpaid).waitFor();
    expect((await entryOf("Orders").innerText()).trim()).toBe("Orders");
  });

  test("does not request its counts with each page", async () => {
    const page = await tabs.openDemo();
    let requests = 0;
    page.on("request", (request) => {
      if (request.postData()?.includes("NavigationCounts")) requests += 1;
    });
    for (const name of ["Recovery", "Orders", "Payments"]) await openPageFromNavigation(page, name);
    await page.getByRole("table", { name: "Payments" }).waitFor();
    expect(requests).toBe(0);
  });
});

describe("the due retries of Home", () => {
  test("are those of the list behind them, with a date that has passed", async () => {
    const { covers } = await gateway.queryData(
      "{ covers(first: 100, filter: { states: [IN_PROGRESS] }) { nodes { decision { retryDate } } } }",
      {},
      { token: DEMO_TOKEN },
    );
    const dates = covers.nodes.flatMap(({ decision }) => decision?.retryDate ?? []).map((date) => Date.parse(date));
    const passed = new Date(Math.min(...dates) + 60_000);
    gateway.clock.setTo(passed.toISOString());
    const due = dates.filter((date) => date <= passed.getTime() + 86_400_000).length;
    const page = await tabs.openDemo();
    await page.getByText("Due retries").locator("..").getByText(String(due), { exact: true }).waitFor();
    const upcoming = page.getByRole("table", { name: "Next retries" });
    await upcoming
      .getByText(/, (?:not reported yet|being charged)$/)
      .first()
      .waitFor();
    const first = await upcoming.getByRole("row").nth(1).innerText();
    await page.getByRole("link", { name: "Now or within 24 hours" }).click();
    const rows = page.getByRole("table", { name: "Recovery" }).getByRole("row");
    await rows.nth(1).waitFor();
    expect(await rows.count()).toBe(due + 1);
    const [, date = ""] = /((?:\w+ \d+, \d+).*)$/.exec(first) ?? [];
    expect(date).not.toBe("");
    expect(await rows.nth(1).innerText()).toContain(date);
    await page.getByLabel("Next retry").selectOption("Date has passed");
    await expect.poll(() => rows.count()).toBe(dates.filter((one) => one <= passed.getTime()).length + 1);
  });
});

describe("a list", () => {
  test("is filtered, and keeps the filter in the address", async () => {
    const page = await tabs.openDemo("/recovery");
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

  test("of recoveries is filtered by its end and its start, and keeps both in the address", async () => {
    const page = await tabs.openDemo("/recovery");
    const results = page.getByText(/^\d+ results?$/);
    await results.waitFor();
    await page.getByLabel("End", { exact: true }).selectOption("Paid");
    await page.waitForURL(/end=PAID/);
    const read = (filter: string) =>
      gateway.queryRawData(`{ covers(first: 1, filter: ${filter}) { totalCount } }`, {}, { token: DEMO_TOKEN });
    const expected = async (filter: string) => {
      const { totalCount } = (await read(filter)).covers;
      expect(totalCount).toBeGreaterThan(0);
      await expect.poll(() => results.innerText()).toBe(totalCount === 1 ? "1 result" : `${totalCount} results`);
    };
    await expected("{ endReasons: [PAID] }");
    await page.getByLabel("Failed on").selectOption("Last 30 days");
    await page.waitForURL(/end=PAID&started=30/);
    const from = new Date(gateway.clock.now().getTime() - 30 * 86_400_000).toISOString();
    await expected(`{ endReasons: [PAID], startedAt: { from: "${from}" } }`);
    await page.reload();
    expect(await page.getByLabel("Failed on").inputValue()).toBe("30");
    await expected(`{ endReasons: [PAID], startedAt: { from: "${from}" } }`);
  });

  test("is searched and turned by the keyboard, and keeps both in the address", async () => {
    const page = await tabs.openDemo("/orders");
    const table = page.getByRole("table", { name: "Orders" });
    await table.waitFor();
    await page.getByLabel("Search").focus();
    await page.keyboard.type("grinder");
    await page.keyboard.press("Enter");
    await page.waitForURL(/search=grinder/);
    await page.getByText(/^\d+ results$/).waitFor();
    const firstPage = await table.innerText();
    expect(firstPage).toContain("grinder");
    await page.getByRole("button", { name: "Next page" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/search=grinder&after=/);
    await expect.poll(() => table.innerText()).not.toBe(firstPage);
    await page.getByRole("button", { name: "Previous page" }).click();
    await expect.poll(() => table.innerText()).toBe(firstPage);
    await page.getByLabel("Search").fill("no such thing");
    await page.keyboard.press("Enter");
    await page.getByText("No order matches these filters.").waitFor();
  });

  test("says that nothing matches", async () => {
    const page = await tabs.openDemo("/recovery/999999999");
    await page.getByText("There is no such record.").waitFor();
    await page.goto(`${address}/nothing`);
    expect(await headingOf(page).innerText()).toBe("Page not found");
  });
});

test("a page without a gateway says so, and loads when it is asked again", async () => {
  const page = await tabs.openDemo();
  await page.route("**/graphql", (route) => route.abort());
  await openPageFromNavigation(page, "Recovery");
  await page.getByRole("alert").getByText("The gateway cannot be reached.").waitFor();
  await page.unroute("**/graphql");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("table", { name: "Recovery" }).waitFor();
});

test("a live vendor without records sees what each list is for, and no test clock", async () => {
  const { token } = await gateway.openVendor({ name: "New shop" });
  const page = await tabs.openWithToken(token);
  await page.getByText("No payment was recovered in this period yet.").waitFor();
  for (const [name, sentence] of [
    ["Recovery", "No payment failed that matches these filters."],
    ["Orders", "No order matches these filters."],
    ["Products", "No product matches these filters."],
    ["Developers", "No server gets events yet."],
  ] as const) {
    await openPageFromNavigation(page, name);
    await page.getByText(sentence).waitFor();
  }
  expect(await page.getByRole("alert").count()).toBe(0);
  expect(await page.getByRole("region", { name: "Test clock" }).count()).toBe(0);
});

test("the first load of Home is below 250 kB, and nothing moves when its figures come", async () => {
  const page = await browser.openPayerPage({ viewport: { width: 1280, height: 900 } });
  await page.addInitScript(
    `sessionStorage.setItem("recoup.token", "${DEMO_TOKEN}");
    globalThis.shift = 0;
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) globalThis.shift += value;
    }).observe({ type: "layout-shift", buffered: true });`,
  );
  await page.goto(address);
  await page.getByRole("table").first().waitFor();
  await page.getByRole("img").nth(1).waitFor();
  const bytes = await page.evaluate<number>(
    '[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce((sum, { transferSize }) => sum + transferSize, 0)',
  );
  expect(bytes).toBeGreaterThan(80_000);
  expect(bytes).toBeLessThan(250_000);
  expect(await page.evaluate<number>("globalThis.shift")).toBe(0);
});

/** `UPDATE_PICTURE=true` takes it again. */
test("the picture in the README is a small one of Home with the demo's figures", async () => {
  const size = { width: 1280, height: 860 };
  const page = await tabs.openDemo("/", { viewport: size, colorScheme: "light" });
  await page.getByRole("img").nth(1).waitFor();
  await page.getByRole("table").nth(1).waitFor();
  const file = projectFile("docs/console.png");
  if (process.env["UPDATE_PICTURE"] === "true") await page.screenshot({ path: file });
  const picture = readFileSync(file);
  expect({ width: picture.readUInt32BE(16), height: picture.readUInt32BE(20) }).toEqual(size);
  expect(picture.length).toBeLessThan(150_000);
});
