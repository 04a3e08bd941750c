import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { afterAll, afterEach, expect } from "vitest";
import type { TestGateway } from "./test-gateway.ts";

const executablePaths = [process.env["CHROMIUM"], "/usr/bin/chromium", "/usr/bin/google-chrome"];

/** A phone with the smallest usual width. */
export const phoneViewport = {
  viewport: { width: 360, height: 740 },
  isMobile: true,
  hasTouch: true,
  deviceScaleFactor: 2,
};

/**
 * A real browser. It is closed after the file's tests, and no page may have reported an error meanwhile: of its content
 * policy, or any other.
 */
export async function openBrowser(): Promise<TestBrowser> {
  const executablePath = executablePaths.find((path) => path !== undefined && existsSync(path));
  if (!executablePath)
    throw new Error("There is no Chromium: install Debian's (apt-get install chromium), or set CHROMIUM to one.");
  // Chromium's own sandbox refuses to run as root, and everything it opens here is part of the project.
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const test = new TestBrowser(browser);
  afterEach(async () => {
    const complaints = test.consoleMessages.splice(0);
    await Promise.all(browser.contexts().map((context) => context.close()));
    expect(complaints).toEqual([]);
  });
  afterAll(() => browser.close());
  return test;
}

export class TestBrowser {
  readonly consoleMessages: string[] = [];

  constructor(private readonly browser: Browser) {}

  /** A tab of a payer without other sessions. */
  async openPayerPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({ locale: "en-US", ...options });
    context.setDefaultTimeout(30_000);
    context.on("console", (message) => {
      const isComplaint = ["error", "warning"].includes(message.type());
      // A page that is answered with a refusal is no error, and the page of a shop has no icon.
      if (isComplaint && !message.text().startsWith("Failed to load resource"))
        this.consoleMessages.push(message.text());
    });
    return context.newPage();
  }
}

/** Lets a gateway listen on loopback, and returns its address. */
export const listenOnLoopback = (gateway: TestGateway): Promise<string> =>
  gateway.gateway.server.listen({ port: 0, host: "127.0.0.1" });
