import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { DEMO_TOKEN, startDemo } from "../demo/demo-gateway.ts";
import { buildOnce } from "../support/build-once.ts";
import { ConsoleBrowser, findContrastViolations, findViolations, headingOf } from "../support/console-browser.ts";
import { copyCovers } from "../support/copied-covers.ts";
import { createCoverFixture, createCoverOrder, runMutation } from "../support/cover-mutations.ts";
import { listenOnLoopback, openBrowser } from "../support/test-browser.ts";
import { DAY } from "../support/test-clock.ts";
import type { TestVendor } from "../support/test-gateway.ts";

/* The console's pages about how payments are retried. */

const NOW = "2026-03-01T09:30:00.000Z";

await buildOnce();
const gateway = await startDemo(NOW);
const tabs = new ConsoleBrowser(await openBrowser(), await listenOnLoopback(gateway));

/** A vendor with 150 failed payments: of three, one is paid on the first day, one on the fifth, one never. */
let shop: TestVendor;

beforeAll(async () => {
  shop = await gateway.openVendor({ zoneId: "UTC" });
  const fixture = await createCoverFixture(gateway, {}, shop);
  for (const paidOn of [1, 5, null]) {
    gateway.clock.setTo(NOW);
    const order = await createCoverOrder(gateway, fixture, { paymentFailed: true, errorCode: "51" }, shop);
    const orderId = order.databaseId;
    for (const days of [1, 3, 5, 10, 14]) {
      gateway.clock.setTo(new Date(Date.parse(NOW) + days * DAY).toISOString());
      if (days === paidOn) {
        await runMutation(gateway, "reportCoverOrderPaid", { orderId }, undefined, shop);
        break;
      }
      const report = { orderId, subscriptionId: fixture.subscriptionId, errorCode: "51" };
      await runMutation(gateway, "startRecovery", report, undefined, shop);
    }
  }
  gateway.clock.setTo(new Date(Date.parse(NOW) + 60 * DAY).toISOString());
  await copyCovers(gateway, shop.id, 49);
});

const regionOf = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** Waits until a page has its sections, or the sentence that an empty list shows. */
const waitForContent = (page: Page) =>
  page
    .getByRole("region")
    .or(page.getByText(/^You have started no experiment|^아직 시작한 실험이/))
    .first()
    .waitFor();

describe("a retry policy", () => {
  test("is written with a preview, proposed, backtested, activated and retired", async () => {
    const page = await tabs.openWithToken(shop.token, "/recovery");
    await page.getByRole("link", { name: "Retry policies" }).click();
    await regionOf(page, "In force").getByText("1, 3, 5, 10, 14 days after the failure").waitFor();
    await page.getByText("You have proposed no policy yet.").waitFor();
    await page.getByRole("link", { name: "Write a new policy" }).click();
    const preview = page.getByRole("table", { name: "Preview" });
    await expect.poll(() => preview.getByRole("row").count()).toBe(6);
    const days = page.getByLabel("Days after the failure");
    await days.fill("soon");
    await page.getByText("Enter whole numbers with commas between, such as 1, 3, 5.").waitFor();
    expect(await page.getByRole("button", { name: "Propose the policy" }).isDisabled()).toBe(true);
    await days.fill("1, 3");
    await expect.poll(() => preview.getByRole("row").count()).toBe(3);
    await page.getByLabel("Decline", { exact: true }).selectOption("43: Must not be retried");
    await page.getByText("Nothing is retried after this decline.").waitFor();
    await page.getByRole("button", { name: "Propose the policy" }).click();
    await page.getByRole("heading", { level: 1, name: /^Retry policy: policy-\d+$/ }).waitFor();

    await page.getByRole("button", { name: "Activate" }).click();
    const dialog = page.getByRole("dialog", { name: "Activate the policy" });
    await dialog.getByText("It was not backtested.").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Run a backtest" }).click();
    await page.getByText("This policy would have recovered less.").waitFor();
    const share = page.getByRole("row", { name: /^Recovered payments/ });
    expect(await share.getByRole("cell").allInnerTexts()).toEqual([
      "66.7% (59.2% to 74.2%)",
      "33.3% (25.8% to 40.8%)",
      "-33.3% (-40.8% to -25.8%)",
    ]);
    expect(await findViolations(page)).toEqual([]);

    await page.getByRole("button", { name: "Activate" }).click();
    await dialog.getByText("In its last backtest this policy recovered less").waitFor();
    await dialog.getByRole("button", { name: "Activate the policy" }).click();
    await regionOf(page, "Details").getByText("Active", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Back to the retry policies" }).click();
    await regionOf(page, "In force").getByText("1, 3 days after the failure").waitFor();
    await page.getByRole("link", { name: /^policy-\d+$/ }).click();
    await page.getByRole("button", { name: "Retire" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Retire the policy" }).click();
    await regionOf(page, "Details").getByText("Retired", { exact: true }).waitFor();
  });

  test("shows each value that the gateway refuses, and keeps what was typed", async () => {
    const page = await tabs.openWithToken(shop.token, "/recovery/policies/new");
    await page.getByLabel("When to retry").selectOption("Chosen by a model");
    await page.getByLabel("Quiet hours begin").fill("late");
    await page.getByRole("button", { name: "Propose the policy" }).click();
    const alert = page.getByRole("alert").filter({ hasText: "INVALID_ARGUMENT" }).first();
    await alert.getByText(/input.terms.quietFrom must be a time of day/).waitFor();
    expect(await page.getByLabel("Quiet hours begin").inputValue()).toBe("late");
  });

  test("is written from another one with its exceptions", async () => {
    const { proposeRecoveryPolicy } = await gateway.queryData(
      `mutation {
        proposeRecoveryPolicy(
          input: {
            terms: {
              plan: { kind: SMART, maxRetries: 8, windowInDays: 28 }
              quietFrom: "22:00"
              quietUntil: "08:00"
              retryCost: "50"
              finalAction: PAUSE
              exploration: { share: 0.2 }
              overrides: [{ reasonClass: TECHNICAL, country: "US", plan: { kind: EVEN, maxRetries: 3, windowInDays: 5 } }]
            }
          }
        ) {
          policy {
            id
          }
        }
      }`,
      {},
      shop,
    );
    const page = await tabs.openWithToken(shop.token, `/recovery/policies/new?from=${proposeRecoveryPolicy.policy.id}`);
    expect(await page.getByRole("group", { name: "Exception 1" }).getByLabel("Country").inputValue()).toBe("US");
    await page.getByRole("button", { name: "Propose the policy" }).click();
    await page.getByRole("heading", { level: 1, name: /^Retry policy: / }).waitFor();
    const details = await regionOf(page, "Details").innerText();
    for (const text of [
      "Up to 8 in 28 days, at times that a model chooses",
      "22:00 to 08:00 in the payer's time zone",
      "Technical failure · US: 3 in 5 days, spread evenly",
      "₩50",
      "The subscription is paused",
      "20% of the recoveries",
    ])
      expect(details).toContain(text);
  });

  test("says in words why a backtest has no figures", async () => {
    const page = await tabs.openDemo("/recovery/policies/new");
    await page.getByRole("button", { name: "Run a backtest" }).click();
    await page.getByText("No figures: a backtest needs at least 100 finished failed payments").waitFor();
  });
});

test("Home compares the recovery curve with an even schedule, or says why it cannot", async () => {
  const page = await tabs.openDemo();
  await page.getByRole("button", { name: "Compare with an even schedule" }).click();
  await page.getByText("No figures: a backtest needs at least 100 finished failed payments").waitFor();
  const other = await tabs.openWithToken(shop.token);
  await other.getByRole("button", { name: "Compare with an even schedule" }).click();
  await other.getByText("No figures: the recorded retries hardly ever are").waitFor();
});

describe("an experiment", () => {
  test("is started with a holdout, shows its arms, and is stopped", async () => {
    const { token } = await gateway.openVendor({ name: "Experimenter" });
    const page = await tabs.openWithToken(token, "/recovery");
    await page.getByRole("link", { name: "Experiments" }).click();
    await page.getByRole("button", { name: "Start an experiment" }).click();
    const dialog = page.getByRole("dialog", { name: "Start an experiment" });
    await dialog.getByText("An experiment needs a policy of your own.").waitFor();
    const confirm = dialog.getByRole("button", { name: "Start an experiment" });
    expect(await confirm.isDisabled()).toBe(true);
    await page.keyboard.press("Escape");
    await gateway.queryRawData(
      "mutation { proposeRecoveryPolicy(input: { terms: { plan: { kind: EVEN, maxRetries: 8, windowInDays: 28 } } }) { policy { id } } }",
      {},
      { token },
    );
    await page.getByRole("button", { name: "Start an experiment" }).click();
    await dialog.getByLabel("Name").fill("Eight retries");
    await dialog.getByLabel("Payers of arm 1, in percent").fill("100");
    await dialog.getByText("Enter percents above 0 that leave some for the holdout.").waitFor();
    await dialog.getByLabel("Payers of arm 1, in percent").fill("90");
    await dialog.getByText("The holdout, 10% of the payers, has the built-in policy").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await confirm.click();
    await page.getByRole("heading", { level: 1, name: "Eight retries" }).waitFor();
    await regionOf(page, "Details").getByText("Running").waitFor();
    const arm = page.getByRole("table", { name: "Arms" }).getByRole("row", { name: /^Arm 1/ });
    expect(await arm.innerText()).toContain("8 in 28 days, spread evenly");
    await page.getByText("Fewer than 50 payers to compare").first().waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByLabel("Recoveries in progress").selectOption("They go over to the active policy");
    await page.getByRole("dialog").getByRole("button", { name: "Stop the experiment" }).click();
    const details = regionOf(page, "Details");
    await details.getByText("Stopped", { exact: true }).waitFor();
    expect(await details.innerText()).toContain("They go over to the active policy");
    await page.getByRole("link", { name: "Back to the experiments" }).click();
    await page.getByRole("link", { name: "Eight retries" }).waitFor();
  });

  test("ends with the promotion of an arm, whose policy is in force then", async () => {
    const { token } = await gateway.openVendor({ name: "Promoter" });
    const { proposeRecoveryPolicy } = await gateway.queryRawData(
      "mutation { proposeRecoveryPolicy(input: { terms: { plan: { kind: LADDER, offsetsInDays: [2, 4] } } }) { policy { id } } }",
      {},
      { token },
    );
    const { startRecoveryExperiment } = await gateway.queryRawData(
      "mutation ($arms: [ExperimentArmInput!]!) { startRecoveryExperiment(input: { arms: $arms }) { experiment { databaseId } } }",
      { arms: [{ policyId: proposeRecoveryPolicy.policy.id, share: "0.95" }] },
      { token },
    );
    const id = String(startRecoveryExperiment.experiment.databaseId);
    const page = await tabs.openWithToken(token, `/recovery/experiments/${id}`);
    await page.getByRole("button", { name: "Promote an arm" }).click();
    const dialog = page.getByRole("dialog", { name: "Promote an arm" });
    await dialog.getByText("This arm is not known to be better than the holdout.").waitFor();
    await dialog.getByRole("button", { name: "Promote an arm" }).click();
    await regionOf(page, "Details").getByText("Arm 1").waitFor();
    await page.goto(new URL("/recovery/policies", page.url()).href);
    await regionOf(page, "In force").getByText("2, 4 days after the failure").waitFor();
  });
});

test("the model's page says what decides, and requests a training", async () => {
  const page = await tabs.openWithToken(shop.token, "/recovery/model");
  await regionOf(page, "What decides").getByText("Comes with Recoup").waitFor();
  await page.getByRole("button", { name: "Train a model" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Train a model" }).click();
  await page.getByRole("table", { name: "Trainings" }).getByText("On request").waitFor();
});

test("an unmapped code is mapped after a backtest of its meaning", async () => {
  const fixture = await createCoverFixture(gateway, {}, shop);
  await createCoverOrder(gateway, fixture, { paymentFailed: true, errorCode: "Z-9" }, shop);
  const page = await tabs.openWithToken(shop.token, "/recovery/unmapped");
  await page.getByRole("button", { name: "Map code Z-9" }).click();
  const dialog = page.getByRole("dialog", { name: "Map code Z-9" });
  await dialog.getByRole("button", { name: "Backtest this meaning" }).click();
  await dialog.getByText("No figures: a backtest needs at least 100 finished failed payments").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await dialog.getByLabel("Meaning").selectOption("Technical failure");
  await dialog.getByRole("button", { name: "Map", exact: true }).click();
  await page.getByText("Every decline code has a known meaning.").waitFor();
});

describe("a recovery without a date", () => {
  test("says what it waits for", async () => {
    const { covers } = await gateway.queryData(
      "{ covers(filter: { states: [IN_PROGRESS] }) { nodes { databaseId retryDate } } }",
      {},
      { token: DEMO_TOKEN },
    );
    const overdue = covers.nodes.find(({ retryDate }) => retryDate === null)!;
    const page = await tabs.openDemo("/recovery?state=IN_PROGRESS");
    await page
      .getByRole("table", { name: "Recovery" })
      .getByText(/, not reported yet$/)
      .first()
      .waitFor();
    await page.goto(new URL(`/recovery/${overdue.databaseId}`, page.url()).href);
    await regionOf(page, "Next retry")
      .getByText(/was not reported yet/)
      .waitFor();
  });

  test("says on its page too that the date in the list has passed", async () => {
    const { coverOrder } = await gateway.queryData(
      '{ coverOrder(partnerOrderId: "renewal-open") { databaseId subscription { databaseId } } }',
      {},
      { token: DEMO_TOKEN },
    );
    const { databaseId: orderId, subscription } = coverOrder!;
    const body = { subscriptionId: subscription!.databaseId, orderId, errorCode: "51", errorMessage: "no funds" };
    const started = await gateway.sendRest("POST", "/cover/recovery", body, { token: DEMO_TOKEN });
    const { coverId } = started.body as { coverId: number };
    const findCover = async () => {
      const data = await gateway.queryRawData(
        `{ cover(id: "${coverId}") { databaseId retryDate decision { retryDate } } }`,
        {},
        { token: DEMO_TOKEN },
      );
      return data.cover as { databaseId: number; retryDate: string | null; decision: { retryDate: string } };
    };
    const { decision } = await findCover();
    gateway.clock.setTo(new Date(Date.parse(decision.retryDate) + 60_000).toISOString());
    const reported = await findCover();
    expect(reported.retryDate).not.toBeNull();
    const page = await tabs.openDemo(`/recovery/${reported.databaseId}`);
    await regionOf(page, "Next retry")
      .getByText(/was not reported yet/)
      .waitFor();
    expect(await findViolations(page)).toEqual([]);
  });
});

describe("each page about retries", () => {
  const pages = [
    ["Retry policies", "/recovery/policies", "재시도 정책"],
    ["New policy", "/recovery/policies/new", "새 정책"],
    ["Experiments", "/recovery/experiments", "실험"],
    ["Decision model", "/recovery/model", "결정 모델"],
  ] as const;

  test("violates no rule of accessibility, in light and in dark", async () => {
    const page = await tabs.openDemo("/recovery", { colorScheme: "light" });
    for (const [name, path] of pages) {
      await page.goto(new URL(path, page.url()).href);
      await waitForContent(page);
      expect(await headingOf(page).innerText()).toBe(name);
      expect(await findViolations(page), name).toEqual([]);
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await findContrastViolations(page), name).toEqual([]);
      await page.emulateMedia({ colorScheme: "light" });
    }
  });

  test("fits a phone, in Korean", async () => {
    const page = await tabs.openDemo("/recovery", { locale: "ko-KR", viewport: { width: 390, height: 844 } });
    for (const [name, path, korean] of pages) {
      await page.goto(new URL(path, page.url()).href);
      await page.getByRole("heading", { level: 1, name: korean, exact: true }).waitFor();
      await waitForContent(page);
      expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), name).toBe(true);
      expect(await findViolations(page), name).toEqual([]);
    }
  });
});
