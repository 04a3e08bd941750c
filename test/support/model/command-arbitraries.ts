import fc from "fast-check";
import type { Command } from "./model-command.ts";
import {
  activate,
  askForAccount,
  cancel,
  changeMethod,
  changeQuantity,
  changeQuota,
  deposit,
  MOST,
  order,
  orderAgain,
  pause,
  payByHand,
  payFirst,
  recordUsage,
  refund,
  sleep,
  trouble,
  turnCard,
  wait,
} from "./model-commands.ts";
import type { CardMood } from "./model-merchant.ts";
import type { ToldFinalAction, ToldPlan } from "./model-plan.ts";

const place = fc.nat({ max: MOST - 1 });
const plan: fc.Arbitrary<ToldPlan> = fc
  .record({
    interval: fc.constantFrom("WEEK" as const, "WEEK" as const, "MONTH" as const),
    price: fc.constantFrom(9_900, 12_345, 30_000),
    isPostpaid: fc.boolean(),
    isMetered: fc.constantFrom(true, false, false),
    isChilds: fc.constantFrom(true, false, false),
    trial: fc.constantFrom(0, 0, 5, 14),
    count: fc.constantFrom(null, null, 1, 2, 5),
    term: fc.constantFrom(null, null, null, 4, 14, 40),
  })
  .map((one) => ({ ...one, isMetered: one.isMetered || one.isPostpaid, trial: one.isPostpaid ? 0 : one.trial }));

/** What is ordered: now and then a plan together with its like that is charged at the other interval. */
const ordered = fc
  .tuple(plan, fc.integer({ min: 1, max: 5 }), fc.constantFrom(true, false, false))
  .map(([one, quantity, twice]) => {
    const other: ToldPlan = { ...one, interval: one.interval === "WEEK" ? "MONTH" : "WEEK" };
    return order(twice ? [one, other] : [one], one.isPostpaid ? 1 : one.isMetered ? quantity * 50 : quantity);
  });
const when = fc.constantFrom("NOW" as const, "PERIOD_END" as const);
const mood = fc.constantFrom<CardMood>("DECLINES", "DECLINES", "LOST", "WORKS", "ANSWERS_ARE_LOST");

/** How every play begins: somebody subscribes. */
export const beginning: fc.Arbitrary<Command[]> = ordered.map((one) => [one, payFirst(true, null)]);

/** All that can happen; what happens often stands here more than once. */
export const happenings: fc.Arbitrary<Command>[] = [
  ordered,
  fc.constant(0).map(orderAgain),
  fc
    .tuple(fc.constantFrom(true, true, true, false), fc.option(place))
    .map(([works, cardOf]) => payFirst(works, cardOf)),
  ...Array(3).fill(fc.integer({ min: 1, max: 16 }).map(wait)),
  fc.integer({ min: 1, max: 40 }).map(sleep),
  ...Array(2).fill(fc.tuple(place, mood).map(([one, of]) => turnCard(one, of))),
  ...Array(2).fill(fc.tuple(place, fc.integer({ min: 3, max: 30 })).map(([one, days]) => trouble(one, days))),
  place.map(changeMethod),
  fc
    .tuple(
      place,
      fc.constantFrom("NOW" as const, "PERIOD_END" as const, "AT" as const),
      fc.integer({ min: 1, max: 40 }),
    )
    .map(([one, moment, days]) => cancel(one, moment, days)),
  fc
    .tuple(place, when, fc.option(fc.integer({ min: 1, max: 40 })))
    .map(([one, moment, days]) => pause(one, moment, days)),
  place.map(activate),
  fc.tuple(place, fc.integer({ min: 1, max: 9 })).map(([one, quantity]) => changeQuantity(one, quantity)),
  ...Array(2).fill(fc.tuple(place, fc.integer({ min: 1, max: 200 })).map(([one, units]) => recordUsage(one, units))),
  fc.tuple(place, fc.integer({ min: 1, max: 300 })).map(([one, quota]) => changeQuota(one, quota)),
  fc
    .tuple(place, fc.nat({ max: 9 }), fc.constantFrom(1, 33, 50, 100))
    .map(([one, which, hundredths]) => refund(one, which, hundredths)),
  fc.tuple(place, fc.boolean()).map(([one, works]) => payByHand(one, works)),
  place.map(askForAccount),
  place.map(deposit),
];

/** What a merchant has for subscriptions whose recovery was in vain. */
export const finalActions = fc.constantFrom<ToldFinalAction>("EXPIRE", "EXPIRE", "PAUSE", "CANCEL", "KEEP");
