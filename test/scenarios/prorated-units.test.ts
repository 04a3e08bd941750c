import { expect, test } from "vitest";
import { Diary } from "../support/scenario.ts";

const diary = await Diary.open("2026-09-01T03:00:00.000Z");

test("postpaid accounts that change within a month are charged by the time that each was there", async () => {
  // 1 September: nothing is charged; two accounts are in use from the start.
  const claim = { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" };
  const plan = { type: "UNIT_BASED", price: "3000", claim };
  const id = await diary.subscribe(await diary.offer({ plan }));
  const [{ code: itemCode }] = (await diary.read(id, "items { code }")).items;
  const use = (units: number) =>
    diary.till.done("setUnits", { subscriptionId: id, itemCode, units }, "subscription { status }");
  await use(2);

  // 16 September: six. 26 September: three.
  await diary.until("2026-09-16T03:00:00.000Z");
  await use(6);
  await diary.until("2026-09-26T03:00:00.000Z");
  await use(3);

  // 1 October: 2 for 30 days, 4 more for 15, 3 fewer for 5 are 2 × 30 + 4 × 15 − 3 × 5 = 105 days of an account; a month
  // has 30, so 105 / 30 × 3000 = 10500.
  await diary.until("2026-10-01T03:00:00.000Z");
  const [first] = (await diary.read(id, "latestOrders { items { unitCount unitChangeHistory { changedCount days } } }"))
    .latestOrders;
  expect(first.items).toEqual([
    {
      unitCount: "3.5",
      unitChangeHistory: [
        { changedCount: 2, days: 30 },
        { changedCount: 4, days: 15 },
        { changedCount: -3, days: 5 },
      ],
    },
  ]);

  // October has 31 days and begins with the three that are there: 3 × 3000 = 9000. On the 11th of November, after 10 of 30
  // days, it is cancelled: 3 × 3000 × 10 / 30 = 3000.
  await diary.until("2026-11-11T03:00:00.000Z");
  await diary.till.done("cancelSubscription", { subscriptionId: id }, "subscription { status }");
  await diary.work();
  await diary.until("2026-12-31T03:00:00.000Z");
  expect(await diary.states(id)).toEqual(["2026-09-01 ACTIVE", "2026-11-11 CANCELED"]);
  expect(await diary.orders()).toEqual([
    "2026-09-01 RECURRING_INITIAL 0 PAID",
    "2026-10-01 RECURRING 10500 PAID",
    "2026-11-01 RECURRING 9000 PAID",
    "2026-11-11 RECURRING 3000 PAID",
  ]);
  expect(await diary.books()).toEqual([
    "2026-10-01 APPROVED 10500",
    "2026-11-01 APPROVED 9000",
    "2026-11-11 APPROVED 3000",
  ]);
  expect(await diary.ledger()).toEqual([10_500, 9_000, 3_000].map((sum) => ({ CLEARING: sum, SALES: -sum })));
});
