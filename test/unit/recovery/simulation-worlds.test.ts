import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { Temporal } from "temporal-polyfill";
import { projectFile } from "../../../src/kernel/project-files.ts";
import { classifyDecline } from "../../../src/recovery/engine/decline.ts";
import { RandomSource } from "../../../src/recovery/simulation/random-source.ts";
import { generatePayments } from "../../../src/recovery/simulation/population.ts";
import { simulateWorld } from "../../../src/recovery/simulation/simulate-world.ts";
import { loadWorld, findWorldFiles } from "../../../src/recovery/simulation/load-world.ts";
import type { FailedPayment, World } from "../../../src/recovery/simulation/world.ts";

const DAY_MS = 86_400_000;
const CASES = 400;

const support = (name: string) => import(pathToFileURL(projectFile(`test/worlds/support/${name}.mjs`)).href);
const named = (name: string): Promise<World> => loadWorld(projectFile(`test/worlds/${name}.mjs`));
const drawn = (world: World, seed = 5, n = CASES): FailedPayment[] =>
  generatePayments(world, new RandomSource(seed), n);
const shareOf = <T>(all: readonly T[], holds: (one: T) => boolean) => all.filter(holds).length / all.length;

const files = await findWorldFiles("test/worlds", [projectFile(".")]);

test("there is a world for each kind of failure", async () => {
  const worlds = await Promise.all(files.map(loadWorld));
  expect(worlds.map(({ name }) => name).sort()).toEqual([
    "drifting law",
    "issuer outages",
    "mixed networks",
    "no calendar",
    "salary days, Korea",
    "salary days, United States",
    "silent callers",
    "unmapped codes",
    "velocity limits",
  ]);
});

describe.each(files.map((file) => file.split("/").at(-1)!.replace(".mjs", "")))("the world %s", (name) => {
  let world: World;
  beforeAll(async () => {
    world = await named(name);
  });

  /** All possible charges of payments, at fixed times. */
  const seen = (payments: FailedPayment[]) =>
    payments.map((payment) => ({
      ...payment,
      answers: [0.4, 2, 9.3, 21].map((days) => payment.attempt(new Date(payment.failedAt.getTime() + days * DAY_MS))),
      bound: payment.firstPayableAt(payment.failedAt, new Date(payment.failedAt.getTime() + 28 * DAY_MS)),
      attempt: null,
      firstPayableAt: null,
    }));

  test("is the same for the same seed, and different for another", () => {
    expect(seen(drawn(world))).toEqual(seen(drawn(world)));
    expect(seen(drawn(world, 6))).not.toEqual(seen(drawn(world)));
  });

  test("declines the failed charge again, with the decline of the report", () => {
    for (const payment of drawn(world)) {
      const { code, message, adviceCode, failedAt } = payment;
      const said = Object.entries({ code, message, adviceCode }).filter(([, value]) => value !== undefined);
      expect(payment.attempt(failedAt)).toEqual({ approved: false, ...Object.fromEntries(said) });
    }
  });

  test("returns a true bound: a charge succeeds then, and at no hour before", () => {
    const [asked, before] = [drawn(world), drawn(world)];
    let works = 0;
    for (const [index, payment] of asked.entries()) {
      const start = payment.failedAt.getTime();
      const bound = payment.firstPayableAt(payment.failedAt, new Date(start + 28 * DAY_MS));
      if (bound) expect(payment.attempt(bound)).toEqual({ approved: true });
      if (bound) works++;
      // With few attempts only: some issuers decline more after many.
      for (let ms = start + 5 * DAY_MS; ms < (bound?.getTime() ?? start + 28 * DAY_MS); ms += 5 * DAY_MS)
        expect(before[index]!.attempt(new Date(ms)).approved).toBe(false);
    }
    expect(works).toBeGreaterThan(CASES / 3);
  });

  test("has plausible rates: more and later retries recover more, none exceeds the bound, and no rule is broken", () => {
    const rate = (policy: string) => {
      const { outcome, cases } = simulateWorld(world, policy, { cases: CASES, seed: 3, history: 0 });
      expect(outcome.firstBreach).toBeNull();
      return shareOf(
        [...outcome.days].filter((_, index) => !cases.hard[index]),
        (days) => !Number.isNaN(days),
      );
    };
    const [ladder, few, many, bound] = ["ladder-1-3-5-10-14", "even-4", "even-8", "clairvoyant"].map(rate) as [
      number,
      number,
      number,
      number,
    ];
    expect(ladder).toBeGreaterThan(0.15);
    expect(many).toBeGreaterThanOrEqual(few);
    expect(many).toBeGreaterThan(ladder);
    expect(bound).toBeGreaterThanOrEqual(many);
    expect(bound).toBeGreaterThan(0.45);
    expect(bound).toBeLessThan(0.95);
  });
});

describe("the special feature of each world", () => {
  test("wages in Korea come on the bank day before a holiday", async () => {
    const { paydays } = await support("paydays");
    const wages = (monthDays: number[]) => ({ country: "KR", zone: "Asia/Seoul", when: { monthDays }, hour: 9 });
    const days = (monthDays: number[], from: string, until: string) =>
      paydays(wages(monthDays), Date.parse(from), Date.parse(until)).map((at: number) => new Date(at).toISOString());
    // 25 January 2026 is a Sunday; 5 October 2025 lies in Chuseok, after a holiday and a weekend.
    expect(days([25], "2026-01-01", "2026-02-01")).toEqual(["2026-01-23T00:00:00.000Z"]);
    expect(days([5], "2025-09-30", "2025-10-20")).toEqual(["2025-10-02T00:00:00.000Z"]);
    expect(days([31], "2026-02-10", "2026-04-01")).toEqual(["2026-02-27T00:00:00.000Z", "2026-03-31T00:00:00.000Z"]);
  });

  test("wages in the United States come every other Friday, or the day before if that is a holiday", async () => {
    const { paydays } = await support("paydays");
    const when = { everyDays: 14, from: { year: 2025, month: 1, day: 3 } };
    const found = paydays(
      { country: "US", zone: "America/New_York", when, hour: 6 },
      Date.parse("2025-06-18"),
      Date.parse("2025-07-20"),
    );
    // 4 July 2025 is a Friday.
    expect(found.map((at: number) => new Date(at).toISOString())).toEqual([
      "2025-06-20T10:00:00.000Z",
      "2025-07-03T10:00:00.000Z",
      "2025-07-18T10:00:00.000Z",
    ]);
  });

  test("their clocks are those of the zones", async () => {
    const { localTime, instantOf } = await support("local-clock");
    const zones = [
      "Asia/Seoul",
      "America/New_York",
      "America/Chicago",
      "America/Los_Angeles",
      "Europe/London",
      "Europe/Berlin",
    ];
    for (const zone of zones)
      for (let ms = Date.UTC(2025, 0, 1); ms < Date.UTC(2026, 5, 1); ms += 7 * 3_600_000) {
        const { year, month, day, hour } = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
        expect(localTime(zone, ms)).toMatchObject({ year, month, day, hour });
        expect(instantOf(zone, { year, month, day }, 12)).toBe(
          Temporal.ZonedDateTime.from({ year, month, day, hour: 12, timeZone: zone }).epochMilliseconds,
        );
      }
  });

  test("issuers are down for hours, which cause most failures", async () => {
    const payments = drawn(await named("issuer-outages"));
    const down = payments.filter(
      ({ code, message }) =>
        classifyDecline({ code: code ?? null, message: message ?? null, adviceCode: null, network: null }) ===
        "TECHNICAL",
    );
    expect(down.length / payments.length).toBeGreaterThan(0.5);
    const back = shareOf(down, ({ attempt, failedAt }) => attempt(new Date(failedAt.getTime() + 3 * DAY_MS)).approved);
    expect(back).toBeGreaterThan(0.6);
  });

  test("issuers decline a payment more when it is retried every day", async () => {
    const world = await named("velocity-limits");
    const tired = drawn(world).map(({ attempt, failedAt }) =>
      [1, 2, 3, 4, 5].map((day) => attempt(new Date(failedAt.getTime() + day * DAY_MS))).at(-1)!,
    );
    const frequency = shareOf(tired, (answer) => !answer.approved && answer.code === "65");
    expect(frequency).toBeGreaterThan(0.5);
  });

  test("the pattern drifts: the payday on the 25th becomes the 10th", async () => {
    const payments = drawn(await named("drifting-law"), 5, 2_000);
    /** How often a charge succeeds on a day of the next month. */
    const on = (some: FailedPayment[], day: number) =>
      shareOf(some, ({ failedAt, attempt }) => {
        const month = failedAt.getUTCMonth() + (failedAt.getUTCDate() < day - 2 ? 0 : 1);
        return attempt(new Date(Date.UTC(failedAt.getUTCFullYear(), month, day, 12))).approved;
      });
    const [early, late] = [payments.slice(0, 400), payments.slice(-400)];
    expect(on(early, 25)).toBeGreaterThan(on(early, 11) + 0.1);
    expect(on(late, 11)).toBeGreaterThan(on(late, 25) + 0.1);
  });

  test("every fifth caller never reports again, and some stop later", async () => {
    const payments = drawn(await named("silent-callers"), 5, 1_000);
    const never = shareOf(payments, ({ silentFrom, failedAt }) => silentFrom?.getTime() === failedAt.getTime());
    const ever = shareOf(payments, ({ silentFrom }) => silentFrom !== undefined);
    expect(never).toBeCloseTo(0.2, 1);
    expect(ever - never).toBeCloseTo(1 / 6, 1);
    expect(shareOf(payments, ({ code, message }) => code === undefined && message === undefined)).toBeCloseTo(1 / 3, 1);
  });

  test("only one network gives advice; some cards are closed, some are renewed", async () => {
    const payments = drawn(await named("mixed-networks"), 5, 2_000);
    for (const { network, adviceCode } of payments) expect(adviceCode !== undefined).toBe(network === "MASTERCARD");
    const advice = new Set(payments.map(({ adviceCode }) => adviceCode));
    expect([...advice].filter(Boolean).sort()).toEqual([
      "01",
      "02",
      "03",
      "21",
      "24",
      "25",
      "26",
      "27",
      "28",
      "29",
      "30",
    ]);
    expect(new Set(payments.map(({ network }) => network))).toEqual(
      new Set(["VISA", "MASTERCARD", "AMEX", "OTHER", undefined]),
    );
    expect(shareOf(payments, ({ methodChangedAt }) => methodChangedAt !== undefined)).toBeGreaterThan(0.02);
    expect(shareOf(payments, ({ code }) => ["41", "43", "14", "46"].includes(code ?? ""))).toBeGreaterThan(0.05);
  });

  test("no list has the codes of the gateway with its own codes", async () => {
    for (const { code, message, network } of drawn(await named("unmapped-codes")))
      expect(
        classifyDecline(
          { code: code ?? null, message: message ?? null, adviceCode: null, network: network ?? null },
          { gateway: "PROVIDER_08", country: "KR" },
        ),
      ).toBe("UNKNOWN");
  });
});
