import { describe, expect, test } from "vitest";
import { readCover, readCoverOrder } from "../../support/cover-reads.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { registerCoverOrder, registerCoverFixture } from "../../support/fixtures/cover-fixture.ts";
import { DAY, HOUR, MINUTE } from "../../support/test-clock.ts";

const gateway = await startGateway();
const shop = await registerCoverFixture(gateway);
const beginning = new Date("2026-03-01T09:30:00.000Z").getTime();

/** The decline of a failed attempt at a merchant's gateway. */
const funds = { errorCode: "51", errorMessage: "잔액부족" };
const refused = { errorCode: "05", errorMessage: "거절" };
const silent = {};

/** One report: its time after the first failure, its decline, and the day of the answered date. */
type Report = readonly [after: number, says: object, answeredDay: number | null];

interface Story {
  reports: readonly Report[];
  /** The attempts of the cover in the end: F for the first failure, S for scheduled, U for unscheduled. */
  attempts: string;
  ends?: readonly [state: string, endReason: string | null];
}

const days = (count: number) => count * DAY;
const running = ["IN_PROGRESS", null] as const;
const exhausted = ["EXHAUSTED", "NO_TRIES_LEFT"] as const;
const forbidden = ["STOPPED", "MUST_NOT_RETRY"] as const;
const lost = { errorMessage: "분실 카드" };

// prettier-ignore
const stories: Record<string, Story> = {
  "five retries, each reported on its date, and then none": {
    reports: [[0, funds, 1], [days(1), funds, 3], [days(3), funds, 5], [days(5), funds, 10], [days(10), funds, 14], [days(14), funds, null]],
    attempts: "FSSSSS",
    ends: exhausted,
  },
  "five retries without any code": {
    reports: [[0, silent, 1], [days(1), silent, 3], [days(3), silent, 5], [days(5), silent, 10], [days(10), silent, 14], [days(14), silent, null]],
    attempts: "FSSSSS",
    ends: exhausted,
  },
  "a report five minutes before its date belongs to the retry": {
    reports: [[0, funds, 1], [days(1) - 5 * MINUTE, funds, 3], [days(3) - 5 * MINUTE, funds, 5]],
    attempts: "FSS",
  },
  "a report slightly earlier than that is a repeat": {
    reports: [[0, funds, 1], [days(1) - 5 * MINUTE - 1, funds, 1]],
    attempts: "F",
  },
  "a second report with the same code, message, both or neither is a repeat": {
    reports: [[0, funds, 1], [MINUTE, funds, 1], [HOUR, silent, 1], [2 * HOUR, { errorCode: "51" }, 1], [3 * HOUR, { errorMessage: "잔액부족" }, 1]],
    attempts: "F",
  },
  "a repeat after a report that came early is a repeat of that": {
    reports: [[0, funds, 1], [days(1) - 3 * MINUTE, funds, 3], [days(1) - 2 * MINUTE, funds, 3], [days(1), funds, 3], [days(2), funds, 3]],
    attempts: "FS",
  },
  "another code before the date is an attempt outside the schedule, and the date stays": {
    reports: [[0, funds, 1], [HOUR, refused, 1], [days(1), refused, 3]],
    attempts: "FUS",
  },
  "another message before the date is an attempt outside the schedule": {
    reports: [[0, funds, 1], [HOUR, { errorCode: "51", errorMessage: "한도초과" }, 1]],
    attempts: "FU",
  },
  "a code after a report without one is an attempt outside the schedule": {
    reports: [[0, silent, 1], [HOUR, funds, 1], [2 * HOUR, silent, 1]],
    attempts: "FU",
  },
  "a decline counts as repeated only when it is the last one": {
    reports: [[0, funds, 1], [HOUR, refused, 1], [2 * HOUR, refused, 1], [3 * HOUR, funds, 1], [4 * HOUR, refused, 1]],
    attempts: "FUUU",
  },
  "attempts outside the schedule use up no offset": {
    reports: [[0, funds, 1], [1, refused, 1], [2, funds, 1], [3, refused, 1], [4, funds, 1], [5, refused, 1], [6, funds, 1], [days(1), funds, 3]],
    attempts: "FUUUUUUS",
  },
  "offsets that passed unreported are no attempts": {
    reports: [[0, funds, 1], [days(6), funds, 10], [days(10), funds, 14]],
    attempts: "FSS",
  },
  "the next date is strictly after now": {
    reports: [[0, funds, 1], [days(3), funds, 5], [days(14) - 5 * MINUTE - 1, funds, 14]],
    attempts: "FSS",
  },
  "the next date is after the date whose retry was reported early, whichever dates passed before it": {
    reports: [[0, funds, 1], [days(3) - 5 * MINUTE, funds, 5], [days(3) - MINUTE, funds, 5], [days(3), funds, 5], [days(14) - 1, funds, null]],
    attempts: "FSS",
    ends: exhausted,
  },
  "a report after the last offset ends the recovery": {
    reports: [[0, funds, 1], [days(30), funds, null], [days(31), funds, null]],
    attempts: "FS",
    ends: exhausted,
  },
  "a report at the last offset, the others unreported, ends the recovery": {
    reports: [[0, funds, 1], [days(14), funds, null]],
    attempts: "FS",
    ends: exhausted,
  },
  "an ended recovery stays ended, whatever is reported": {
    reports: [[0, { errorCode: "43" }, null], [HOUR, funds, null], [days(1), refused, null], [days(40), silent, null]],
    attempts: "F",
    ends: forbidden,
  },
  "a first report with a never code starts an ended recovery": { reports: [[0, { errorCode: "41" }, null]], attempts: "F", ends: forbidden },
  "a first report with a never message starts an ended recovery": { reports: [[0, lost, null]], attempts: "F", ends: forbidden },
  "a never message with an unknown code ends the recovery": {
    reports: [[0, { errorCode: "PAY_PROCESS_CANCELED", ...lost }, null]],
    attempts: "F",
    ends: forbidden,
  },
  "a never code before the date ends the recovery": {
    reports: [[0, funds, 1], [MINUTE, { errorCode: "41" }, null]],
    attempts: "FU",
    ends: forbidden,
  },
  "a never message before the date ends the recovery": {
    reports: [[0, funds, 1], [MINUTE, lost, null]],
    attempts: "FU",
    ends: forbidden,
  },
  "a never code on the date ends the recovery": {
    reports: [[0, funds, 1], [days(1), { errorCode: "43" }, null]],
    attempts: "FS",
    ends: forbidden,
  },
  "a never code late ends the recovery": {
    reports: [[0, funds, 1], [days(4), { errorCode: "41" }, null]],
    attempts: "FS",
    ends: forbidden,
  },
};

const letters: Record<string, string> = { FIRST_FAILURE: "F", SCHEDULED: "S", UNSCHEDULED: "U" };
const dateOn = (day: number | null) => day && new Date(beginning + days(day)).toISOString();

describe("the recovery scenario", () => {
  test.each(Object.entries(stories))("%s", async (_, { reports, attempts, ends = running }) => {
    gateway.clock.setTo(new Date(beginning));
    const order = await registerCoverOrder(gateway, shop, { subscriptionId: shop.subscriptionId });
    const answers: { coverId?: number; retryDate?: string | null }[] = [];
    for (const [after, says] of reports) {
      gateway.clock.setTo(new Date(beginning + after));
      const { status, body } = await gateway.post("/cover/recovery", {
        subscriptionId: shop.subscriptionId,
        orderId: order.id,
        ...says,
      });
      expect(status).toBe(201);
      answers.push(body);
    }
    const coverId = answers[0]!.coverId!;
    expect(answers).toEqual(reports.map(([, , day]) => ({ coverId, retryDate: dateOn(day) })));
    const cover = await readCover(gateway, coverId);
    expect(cover.attempts.map(({ kind }: { kind: string }) => letters[kind]).join("")).toBe(attempts);
    expect([cover.state, cover.endReason]).toEqual(ends);
    expect((await readCoverOrder(gateway, order.id)).covers).toHaveLength(1);
  });

  test("a repeat changes nothing at all, however often it comes", async () => {
    gateway.clock.setTo(new Date(beginning));
    const order = await registerCoverOrder(gateway, shop);
    const report = { subscriptionId: shop.subscriptionId, orderId: order.id, ...funds };
    const first = await gateway.post("/cover/recovery", report);
    const before = await readCover(gateway, first.body.coverId!);
    gateway.clock.advance(HOUR);
    for (let time = 0; time < 3; time++)
      expect((await gateway.post("/cover/recovery", report)).body).toEqual(first.body);
    expect(await readCover(gateway, first.body.coverId!)).toEqual(before);
  });

  test("an order that is only read shows the next future date, and none when all have passed", async () => {
    gateway.clock.setTo(new Date(beginning));
    const order = await registerCoverOrder(gateway, shop, { paymentFailed: true, ...funds });
    const again = { partnerOrderId: order.partnerOrderId, replaceIfExists: true };
    const seen: unknown[] = [];
    for (const day of [0, 0.9, 1.5, 4, 9, 13.9, 14.1]) {
      gateway.clock.setTo(new Date(beginning + days(day)));
      const { retryDate, status } = await registerCoverOrder(gateway, shop, again);
      seen.push([status, retryDate]);
    }
    expect(seen).toEqual([1, 1, 3, 5, 10, 14, null].map((day) => ["PAYMENT_FAILURE", dateOn(day)]));
  });

  test("the dates have the local time of the first failure through a change of clocks", async () => {
    const newYork = await gateway.openVendor({ zoneId: "America/New_York", country: "US", currency: "USD" });
    const options = { token: newYork.token };
    gateway.clock.setTo("2026-03-07T15:00:00Z");
    const own = await registerCoverFixture(gateway, options);
    const order = await registerCoverOrder(gateway, own, {}, options);
    const report = { subscriptionId: own.subscriptionId, orderId: order.id };
    const started = await gateway.post("/cover/recovery", report, options);
    expect(started.body.retryDate).toBe("2026-03-08T14:00:00.000Z");
    gateway.clock.setTo("2026-03-08T14:00:00Z");
    expect((await gateway.post("/cover/recovery", report, options)).body.retryDate).toBe("2026-03-10T14:00:00.000Z");
  });
});
