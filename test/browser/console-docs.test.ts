import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { projectFile } from "../../src/kernel/project-files.ts";
import { buildOnce } from "../support/build-once.ts";
import {
  ConsoleBrowser,
  findContrastViolations,
  findStructureViolations,
  findViolations,
  headingOf,
} from "../support/console-browser.ts";
import { listenOnLoopback, openBrowser } from "../support/test-browser.ts";
import { startGateway } from "../support/test-gateway.ts";

await buildOnce();
const address = await listenOnLoopback(await startGateway());
const openApi = JSON.parse(readFileSync(projectFile("schema/openapi.json"), "utf8")) as {
  paths: Record<string, Record<string, unknown>>;
};
const tabs = new ConsoleBrowser(await openBrowser(), address);

describe("the docs", () => {
  test("are read without a sign-in, on a phone too, and link to places that exist", async () => {
    const page = await tabs.open("/docs", { viewport: { width: 390, height: 844 } });
    await page.getByRole("heading", { level: 2, name: "Begin" }).waitFor();
    const list = page.getByRole("region").getByRole("link");
    expect(await list.first().innerText()).toBe("Tutorial: a recovered payment in ten minutes");
    expect(await findViolations(page)).toEqual([]);
    const guides: string[] = await list.evaluateAll((links) => links.map((link) => String(link.getAttribute("href"))));
    expect(guides.length).toBeGreaterThan(15);
    const paths = [...guides, "/docs/rest"];
    const places = new Set([...paths, "/docs/errors", "/openapi.json"]);
    const targets = new Set<string>();
    for (const path of paths) {
      await page.goto(address + path);
      const article = page.getByRole("article");
      await article.waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), path).toBe(true);
      const ids: string[] = await article.locator("[id]").evaluateAll((parts) => parts.map((part) => part.id));
      for (const id of ids) places.add(`${path}#${id}`);
      const links: string[] = await article
        .getByRole("link")
        .evaluateAll((found) => found.map((link) => String(link.getAttribute("href"))));
      for (const link of links)
        if (link.startsWith("#")) targets.add(path + link);
        else if (link.startsWith("/")) targets.add(link);
    }
    expect([...targets].filter((target) => !places.has(target))).toEqual([]);
    expect(targets.size).toBeGreaterThan(30);
  });

  test("show a guide with its tables and code, in light and in dark", async () => {
    const page = await tabs.open("/docs", { colorScheme: "light" });
    await page.getByRole("link", { name: "The recovery scenario" }).click();
    expect(await headingOf(page).innerText()).toBe("The recovery scenario");
    await page.getByRole("table").first().waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await findContrastViolations(page)).toEqual([]);
    await page.getByRole("article").getByRole("link", { name: "One failed payment" }).click();
    await page.getByRole("heading", { level: 1, name: /^One failed payment/ }).waitFor();
    await page.goto(`${address}/docs/nothing`);
    await page.getByText("There is no such guide.").waitFor();
  });

  test("show the REST interface with its calls, fields and answers", async () => {
    const page = await tabs.open("/docs");
    await page.getByRole("link", { name: "REST reference" }).click();
    await page.getByRole("heading", { level: 3, name: "POST /api/v1/cover/recovery" }).waitFor();
    const field = page.getByRole("row", { name: /^subscriptionId / }).first();
    expect(await field.innerText()).toContain("The registered subscription whose payment failed.");
    const calls = Object.values(openApi.paths).flatMap((methods) => Object.keys(methods));
    expect(await page.getByRole("heading", { name: /^(?:GET|POST|PUT|PATCH|DELETE) / }).count()).toBe(calls.length);
    expect(await findStructureViolations(page)).toEqual([]);
  });
});
