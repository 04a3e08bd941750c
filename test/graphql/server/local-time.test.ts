import { describe, expect, test } from "vitest";
import { runMutation, createCoverOrder, createCoverFixture } from "../../support/cover-mutations.ts";
import { startGateway, type RequestOptions } from "../../support/test-gateway.ts";

const gateway = await startGateway();

/** The five retry dates of an order whose payment fails now. */
async function datesOf(payer: object, options?: RequestOptions): Promise<string[]> {
  const shop = await createCoverFixture(gateway, payer, options);
  const { databaseId } = await createCoverOrder(gateway, shop, { paymentFailed: true }, options);
  const { coverOrder } = await gateway.queryRawData(
    `{ coverOrder(id: ${databaseId}) { retryDate cover { decision { retryDate alternatives } } } }`,
    {},
    options,
  );
  const { retryDate, alternatives } = coverOrder.cover.decision;
  expect(coverOrder.retryDate).toBe(retryDate);
  return [retryDate, ...alternatives];
}

/* The payer's zone, the time of the failure, and the five dates: 1, 3, 5, 10 and 14 days later by the payer's clock. */
const cases: [why: string, timeZone: string, failed: string, dates: string[]][] = [
  [
    "spring forward in New York: 20:00 stays 20:00, an hour earlier by UTC",
    "America/New_York",
    "2026-03-08T01:00:00.000Z",
    ["2026-03-09T00:00", "2026-03-11T00:00", "2026-03-13T00:00", "2026-03-18T00:00", "2026-03-22T00:00"],
  ],
  [
    "spring forward in New York: 02:30 on 8 March does not exist, so the retry moves to 03:30",
    "America/New_York",
    "2026-03-07T07:30:00.000Z",
    ["2026-03-08T07:30", "2026-03-10T06:30", "2026-03-12T06:30", "2026-03-17T06:30", "2026-03-21T06:30"],
  ],
  [
    "fall back in New York: 09:00 stays 09:00, an hour later by UTC",
    "America/New_York",
    "2026-10-31T13:00:00.000Z",
    ["2026-11-01T14:00", "2026-11-03T14:00", "2026-11-05T14:00", "2026-11-10T14:00", "2026-11-14T14:00"],
  ],
  [
    "fall back in New York: 01:30 on 1 November exists twice, the first one counts",
    "America/New_York",
    "2026-10-31T05:30:00.000Z",
    ["2026-11-01T05:30", "2026-11-03T06:30", "2026-11-05T06:30", "2026-11-10T06:30", "2026-11-14T06:30"],
  ],
  [
    "summer time begins in Berlin between the second date and the third",
    "Europe/Berlin",
    "2026-03-25T08:00:00.000Z",
    ["2026-03-26T08:00", "2026-03-28T08:00", "2026-03-30T07:00", "2026-04-04T07:00", "2026-04-08T07:00"],
  ],
  [
    "half an hour of daylight saving on Lord Howe Island",
    "Australia/Lord_Howe",
    "2026-04-04T10:00:00.000Z",
    ["2026-04-05T10:30", "2026-04-07T10:30", "2026-04-09T10:30", "2026-04-14T10:30", "2026-04-18T10:30"],
  ],
  [
    "Seoul has one time all year; the schedule crosses the end of the month",
    "Asia/Seoul",
    "2026-02-26T15:30:00.000Z",
    ["2026-02-27T15:30", "2026-03-01T15:30", "2026-03-03T15:30", "2026-03-08T15:30", "2026-03-12T15:30"],
  ],
  [
    "the 31st is followed by the 1st",
    "Asia/Seoul",
    "2026-01-31T00:00:00.000Z",
    ["2026-02-01T00:00", "2026-02-03T00:00", "2026-02-05T00:00", "2026-02-10T00:00", "2026-02-14T00:00"],
  ],
  [
    "a leap year has a 29 February",
    "UTC",
    "2028-02-28T23:59:59.999Z",
    [
      "2028-02-29T23:59:59.999Z",
      "2028-03-02T23:59:59.999Z",
      "2028-03-04T23:59:59.999Z",
      "2028-03-09T23:59:59.999Z",
      "2028-03-13T23:59:59.999Z",
    ],
  ],
  [
    "the schedule crosses the end of the year",
    "Pacific/Auckland",
    "2026-12-30T12:00:00.000Z",
    ["2026-12-31T12:00", "2027-01-02T12:00", "2027-01-04T12:00", "2027-01-09T12:00", "2027-01-13T12:00"],
  ],
];

const whole = (date: string): string => (date.endsWith("Z") ? date : `${date}:00.000Z`);

test.each(cases)("%s", async (_why, timeZone, failed, dates) => {
  gateway.clock.setTo(failed);
  expect(await datesOf({ timeZone })).toEqual(dates.map(whole));
});

describe("the zone of the payer", async () => {
  const failed = "2026-03-08T01:00:00.000Z";
  const inNewYork = { token: (await gateway.openVendor({ zoneId: "America/New_York" })).token };
  const [keepingNewYork, keepingUtc] = ["2026-03-09T00:00:00.000Z", "2026-03-09T01:00:00.000Z"];

  test.each([
    ["is the customer's when it was given", { timeZone: "UTC" }, keepingUtc],
    ["is the vendor's when the customer's was not given", {}, keepingNewYork],
    ["is the vendor's when the customer's is null", { timeZone: null }, keepingNewYork],
    ["is not that of the customer's country", { country: "KR" }, keepingNewYork],
  ])("%s", async (_name, payer, first) => {
    gateway.clock.setTo(failed);
    expect((await datesOf(payer, inNewYork))[0]).toBe(first);
  });

  test("is the one at the start of the cover, however the customer moves", async () => {
    gateway.clock.setTo(failed);
    const partnerCustomerId = "moves-away";
    const shop = await createCoverFixture(gateway, { timeZone: "UTC", partnerCustomerId }, inNewYork);
    const order = await createCoverOrder(gateway, shop, { paymentFailed: true }, inNewYork);
    const moved = { name: "Kim", email: "a@b.kr", phone: "1", partnerCustomerId, replaceIfExists: true };
    await runMutation(
      gateway,
      "registerCoverCustomer",
      { ...moved, timeZone: "America/New_York" },
      undefined,
      inNewYork,
    );
    gateway.clock.setTo("2026-03-09T01:00:00Z");
    const report = { orderId: order.databaseId, subscriptionId: shop.subscriptionId };
    const { cover } = await runMutation(gateway, "startRecovery", report, undefined, inNewYork);
    expect(cover.retryDate).toBe("2026-03-11T01:00:00.000Z");
  });
});

test("each retry is on time after the change, when it is reported in local time", async () => {
  gateway.clock.setTo("2026-03-07T14:00:00Z");
  const shop = await createCoverFixture(gateway, { timeZone: "America/New_York" });
  const { databaseId: orderId, retryDate } = await createCoverOrder(gateway, shop, { paymentFailed: true });
  const told = [retryDate];
  while (told.at(-1) !== null) {
    gateway.clock.setTo(told.at(-1)!);
    const report = { orderId, subscriptionId: shop.subscriptionId };
    told.push((await runMutation(gateway, "startRecovery", report)).cover.retryDate);
  }
  expect(told).toEqual([
    "2026-03-08T13:00:00.000Z",
    "2026-03-10T13:00:00.000Z",
    "2026-03-12T13:00:00.000Z",
    "2026-03-17T13:00:00.000Z",
    "2026-03-21T13:00:00.000Z",
    null,
  ]);
});
