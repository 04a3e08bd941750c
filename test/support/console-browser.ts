import axe, { type RunOptions } from "axe-core";
import type { BrowserContextOptions, Page } from "playwright-core";
import type { TestBrowser } from "./test-browser.ts";

/** The violated rules of a page's accessibility, with the elements that violate them. */
export const findViolations = (page: Page): Promise<string[]> => runAxe(page, {});

/** Those that other colours can violate; the rest does not depend on them. */
export const findContrastViolations = (page: Page): Promise<string[]> => runAxe(page, { runOnly: ["color-contrast"] });

/** Those that do not depend on colours: on a page of thousands of cells, contrast takes most of the time. */
export const findStructureViolations = (page: Page): Promise<string[]> =>
  runAxe(page, { rules: { "color-contrast": { enabled: false } } });

async function runAxe(page: Page, options: RunOptions): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate<string[]>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))`,
  );
}

export const headingOf = (page: Page) => page.getByRole("heading", { level: 1 });

/** The console of a gateway in a browser. */
export class ConsoleBrowser {
  constructor(
    private readonly browser: TestBrowser,
    private readonly address: string,
  ) {}

  /** A tab that is not signed in. */
  async open(path = "/", options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.browser.openPayerPage({ viewport: { width: 1280, height: 900 }, ...options });
    await page.goto(this.address + path);
    return page;
  }

  /** A tab that is signed in to the demo. */
  async openDemo(path = "/", options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.open(path, options);
    await page.getByRole("button", { name: /^(Open the demo|데모 열기)$/ }).click();
    await page.getByRole("navigation", { name: /^(Main navigation|주 메뉴)$/ }).waitFor();
    return page;
  }

  /** A tab that is signed in with a token. */
  async openWithToken(token: string, path = "/"): Promise<Page> {
    const page = await this.open(path);
    await page.getByRole("button", { name: "Use an API token instead" }).click();
    await page.getByLabel("API token").first().fill(token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("navigation", { name: "Main navigation" }).waitFor();
    return page;
  }

  /** A tab that a person is signed in to. */
  async openAsPerson(credentials: { email: string; password: string }, path = "/"): Promise<Page> {
    const page = await this.open(path);
    await this.signIn(page, credentials);
    return page;
  }

  /** Fills and sends the form of the sign-in page. */
  async signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password", { exact: true }).first().fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("navigation", { name: "Main navigation" }).waitFor();
  }
}
