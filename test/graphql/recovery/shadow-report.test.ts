import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { RawData } from "../../support/raw-data.ts";
import { projectFile } from "../../../src/kernel/project-files.ts";
import { createPolicy } from "../../../src/recovery/engine/policy.ts";
import type { PastPayment } from "../../../src/recovery/estimates/past-payment.ts";
import { publishedModel } from "../../../src/recovery/models/published-prior.ts";
import { fixedBaselines } from "../../../src/recovery/simulation/baselines.ts";
import { engineStrategyOf } from "../../../src/recovery/simulation/engine-strategies.ts";
import { loadWorld } from "../../../src/recovery/simulation/load-world.ts";
import { queryRows } from "../../hostile/query-rows.ts";
import { buildOnce } from "../../support/build-once.ts";
import { recordShadowCovers } from "../../support/fixtures/shadow-covers.ts";
import { playedPayments, recoveredShare } from "../../support/simulated-failures.ts";
import { DAY } from "../../support/test-clock.ts";
import { startGateway, type TestVendor } from "../../support/test-gateway.ts";

/* What the advice of shadow mode would have been worth: cases of a simulated world, whose truth is known, in the database. */

const gateway = await startGateway({ now: "2026-06-01T00:00:00.000Z" });
const PERIOD = { from: "2025-01-01T00:00:00Z", until: "2026-05-01T00:00:00Z" };
const advice = {
  policy: createPolicy("SMART-4/21", { kind: "SMART", tries: 4, windowInDays: 21 }),
  model: publishedModel(),
};
const world = await loadWorld(projectFile("test/worlds/salary-united-states.mjs"));
const ownSchedule = fixedBaselines.find(({ name }) => name === "ladder-2-5-7-7")!;

const page = readFileSync(projectFile("docs/shadow-mode.md"), "utf8");
const steps = [...page.matchAll(/```graphql\n(.*?)```\n\n```json\n(.*?)```/gs)].map(([, query, answer]) => ({
  query: query!,
  answer: JSON.parse(answer!) as Record<string, RawData>,
}));

let shop: TestVendor;
let payments: PastPayment[];
beforeAll(async () => {
  await buildOnce();
  shop = await gateway.openVendor({ currency: "USD" });
  // A renewed payment method that was charged at once has no failure of its own.
  payments = playedPayments(world, ownSchedule, 500, 3).filter(({ tries }) => !tries[0]!.approved);
  await recordShadowCovers(gateway, shop.id, payments, advice);
}, 600_000);

const FIGURE = "{ value low high }";
const FIELDS = `cases runningCases unusableCases noFigureReason coveredShare own { recoveredShare }
  difference { recoveredShare ${FIGURE} } amounts { currency cases failedAmount ownAmount difference ${FIGURE} }`;
const report = async (options: { token: string }, period: Record<string, string> = PERIOD) =>
  gateway.sendGraphQL(
    `query ($from: DateTime, $until: DateTime) { shadowReport(from: $from, until: $until) { ${FIELDS} } }`,
    period,
    options,
  );
const figuresOf = async (...args: Parameters<typeof report>) => {
  const { data, errors } = await report(...args);
  expect(errors).toBeUndefined();
  return data!.shadowReport;
};

interface Interval {
  value: number | string;
  low: number | string;
  high: number | string;
}

/** Estimates move a little with the prior that ships: one is as the page says if it lies within the page's interval. */
function expectLike(answer: unknown, example: unknown): void {
  if (typeof example !== "object" || example === null) {
    expect(answer).toEqual(example);
    return;
  }
  expect(Object.keys(answer as object)).toEqual(Object.keys(example));
  if ("low" in example) {
    const [found, expected] = [answer, example] as [Interval, Interval];
    expect(Number(found.value)).toBeGreaterThan(Number(expected.low));
    expect(Number(found.value)).toBeLessThan(Number(expected.high));
    return;
  }
  for (const [name, part] of Object.entries(example))
    if (name !== "attemptsPerCase") expectLike((answer as Record<string, unknown>)[name], part);
}

test("every operation of docs/shadow-mode.md answers what the page says, and the interval holds the truth", async () => {
  expect(steps).toHaveLength([...page.matchAll(/^```graphql$/gm)].length);
  const [settings, reported] = await Promise.all(steps.map(({ query }) => gateway.queryRawData(query, {}, shop)));
  expect(settings).toEqual(steps[0]!.answer);
  expectLike(reported, steps[1]!.answer);
  const { low, high } = reported!["shadowReport"].difference.recoveredShare;
  const truth =
    recoveredShare(world, engineStrategyOf("SMART-4/21", advice.model)!, 1000, 901) -
    recoveredShare(world, ownSchedule, 1000, 901);
  expect(truth).toBeGreaterThan(Math.max(0, low));
  expect(truth).toBeLessThan(high);
}, 240_000);

describe("a shadow report", () => {
  test("without cases has no figure, and a period that makes no sense is refused", async () => {
    const other = await gateway.openVendor();
    expect(await figuresOf(other)).toEqual({
      ...{ cases: 0, runningCases: 0, unusableCases: 0, noFigureReason: "TOO_FEW_CASES", coveredShare: 0 },
      ...{ own: null, difference: null, amounts: [] },
    });
    for (const period of [
      { from: PERIOD.until, until: PERIOD.from },
      { from: "2020-01-01T00:00:00Z", until: PERIOD.until },
    ])
      expect((await report(other, period)).errors).toMatchObject([{ extensions: { code: "INVALID_ARGUMENT" } }]);
    const { errors } = await report(shop, { from: "2025-01-01T00:00:00Z", until: "2025-01-02T00:00:00Z" });
    expect(errors).toBeUndefined();
  });

  test("counts covers in shadow mode of the vendor and its children only, those that are too young apart", async () => {
    const parent = await gateway.openVendor({ currency: "USD" });
    const child = await gateway.openVendor({ currency: "EUR", parentId: parent.id });
    await recordShadowCovers(gateway, parent.id, payments.slice(0, 20), advice);
    const inEuros = payments.slice(20, 26).map((payment) => ({ ...payment, currency: "EUR" }));
    await recordShadowCovers(gateway, child.id, inEuros, advice);
    // One is no shadow, one has lost its facts.
    const ofParent = `vendor_id = ${parent.id} and order_id = (select`;
    await queryRows(
      gateway,
      `update covers set shadow = false where ${ofParent} min(order_id) from covers where vendor_id = ${parent.id})`,
    );
    await queryRows(
      gateway,
      `update cover_decisions set inputs = '{"case": {"attempts": 1}}' where vendor_id = ${parent.id}
        and cover_id = (select max(id) from covers where vendor_id = ${parent.id})`,
    );
    const [family, ofChild] = await Promise.all([figuresOf(parent), figuresOf(child)]);
    expect(family).toMatchObject({ cases: 24, unusableCases: 1, runningCases: 0, noFigureReason: "TOO_FEW_CASES" });
    expect(family.amounts).toMatchObject([
      { currency: "EUR", cases: 6, difference: null },
      { currency: "USD", cases: 18, difference: null },
    ]);
    expect(family.own!.recoveredShare).toBeGreaterThan(0);
    expect(ofChild).toMatchObject({ cases: 6, amounts: [{ currency: "EUR", cases: 6 }] });
    const failed = inEuros.reduce((sum, { amount }) => sum + Number(amount), 0);
    expect(Number(ofChild.amounts[0]!.failedAmount)).toBeCloseTo(failed, 6);
    // The advised window of three weeks, with three days of grace, is not over: neither for those that have been paid.
    gateway.clock.setTo(new Date(payments[0]!.tries[0]!.at.getTime() + 23 * DAY).toISOString());
    expect(await figuresOf(parent)).toMatchObject({ cases: 0, runningCases: 24, own: null });
    gateway.clock.setTo("2026-06-01T00:00:00.000Z");
  });

  test("without tries at the advised times says so", async () => {
    const month = { policy: createPolicy("EVEN-8/60", { kind: "EVEN", tries: 8, windowInDays: 60 }), model: null };
    const vendor = await gateway.openVendor();
    await recordShadowCovers(gateway, vendor.id, payments.slice(0, 220), month);
    expect(await figuresOf(vendor)).toMatchObject({ noFigureReason: "NO_OVERLAP", difference: null });
  });

  test("waits while another is computed, and is refused where too many of the vendor wait", async () => {
    const vendor = await gateway.openVendor();
    await recordShadowCovers(gateway, vendor.id, payments.slice(0, 5), advice);
    const answers = await Promise.all(Array.from({ length: 5 }, () => report(vendor)));
    const refused = answers.flatMap(({ errors }) => errors ?? []);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(5);
    for (const { extensions } of refused)
      expect(extensions).toMatchObject({ code: "ESTIMATES_BUSY", details: { retryAfter: 60 } });
  });
});
