import fc from "fast-check";
import type { ModelCommand } from "./model-command.ts";
import {
  activateSubscription,
  requestVirtualAccount,
  cancelSubscription,
  changePaymentMethod,
  changeQuantity,
  changeQuota,
  receiveDeposit,
  MAX_SUBSCRIPTIONS,
  orderPlans,
  reorderPlans,
  pauseSubscription,
  payByHand,
  payFirstOrder,
  recordUsage,
  refundOrder,
  passDaysWithoutWorker,
  declineForDays,
  changeCardBehaviour,
  passDaysCommand,
} from "./model-commands.ts";
import type { CardBehaviour } from "./model-merchant.ts";
import type { ModelFinalAction, ModelPlan } from "./model-plan.ts";

const subscriptionIndex = fc.nat({ max: MAX_SUBSCRIPTIONS - 1 });
const arbitraryPlan: fc.Arbitrary<ModelPlan> = fc
  .record({
    interval: fc.constantFrom("WEEK" as const, "WEEK" as const, "MONTH" as const),
    price: fc.constantFrom(9_900, 12_345, 30_000),
    isPostpaid: fc.boolean(),
    isMetered: fc.constantFrom(true, false, false),
    isOfChild: fc.constantFrom(true, false, false),
    trialDays: fc.constantFrom(0, 0, 5, 14),
    maxPeriods: fc.constantFrom(null, null, 1, 2, 5),
    termDays: fc.constantFrom(null, null, null, 4, 14, 40),
  })
  .map((one) => ({
    ...one,
    isMetered: one.isMetered || one.isPostpaid,
    trialDays: one.isPostpaid ? 0 : one.trialDays,
  }));

/** The ordered plans: sometimes a plan together with a copy that is charged at the other interval. */
const arbitraryOrder = fc
  .tuple(arbitraryPlan, fc.integer({ min: 1, max: 5 }), fc.constantFrom(true, false, false))
  .map(([one, quantity, twice]) => {
    const other: ModelPlan = { ...one, interval: one.interval === "WEEK" ? "MONTH" : "WEEK" };
    return orderPlans(twice ? [one, other] : [one], one.isPostpaid ? 1 : one.isMetered ? quantity * 50 : quantity);
  });
const arbitraryMoment = fc.constantFrom("NOW" as const, "PERIOD_END" as const);
const arbitraryCardBehaviour = fc.constantFrom<CardBehaviour>(
  "DECLINES",
  "DECLINES",
  "LOST",
  "WORKS",
  "ANSWERS_ARE_LOST",
);

/** The first command of every sequence: a customer subscribes. */
export const initialCommands: fc.Arbitrary<ModelCommand[]> = arbitraryOrder.map((one) => [
  one,
  payFirstOrder(true, null),
]);

/** All commands; a frequent command is listed more than once. */
export const arbitraryCommands: fc.Arbitrary<ModelCommand>[] = [
  arbitraryOrder,
  fc.constant(0).map(reorderPlans),
  fc
    .tuple(fc.constantFrom(true, true, true, false), fc.option(subscriptionIndex))
    .map(([works, cardOf]) => payFirstOrder(works, cardOf)),
  ...Array(3).fill(fc.integer({ min: 1, max: 16 }).map(passDaysCommand)),
  fc.integer({ min: 1, max: 40 }).map(passDaysWithoutWorker),
  ...Array(2).fill(
    fc.tuple(subscriptionIndex, arbitraryCardBehaviour).map(([one, of]) => changeCardBehaviour(one, of)),
  ),
  ...Array(2).fill(
    fc.tuple(subscriptionIndex, fc.integer({ min: 3, max: 30 })).map(([one, days]) => declineForDays(one, days)),
  ),
  subscriptionIndex.map(changePaymentMethod),
  fc
    .tuple(
      subscriptionIndex,
      fc.constantFrom("NOW" as const, "PERIOD_END" as const, "AT" as const),
      fc.integer({ min: 1, max: 40 }),
    )
    .map(([one, moment, days]) => cancelSubscription(one, moment, days)),
  fc
    .tuple(subscriptionIndex, arbitraryMoment, fc.option(fc.integer({ min: 1, max: 40 })))
    .map(([one, moment, days]) => pauseSubscription(one, moment, days)),
  subscriptionIndex.map(activateSubscription),
  fc.tuple(subscriptionIndex, fc.integer({ min: 1, max: 9 })).map(([one, quantity]) => changeQuantity(one, quantity)),
  ...Array(2).fill(
    fc.tuple(subscriptionIndex, fc.integer({ min: 1, max: 200 })).map(([one, units]) => recordUsage(one, units)),
  ),
  fc.tuple(subscriptionIndex, fc.integer({ min: 1, max: 300 })).map(([one, quota]) => changeQuota(one, quota)),
  fc
    .tuple(subscriptionIndex, fc.nat({ max: 9 }), fc.constantFrom(1, 33, 50, 100))
    .map(([one, which, hundredths]) => refundOrder(one, which, hundredths)),
  fc.tuple(subscriptionIndex, fc.boolean()).map(([one, works]) => payByHand(one, works)),
  subscriptionIndex.map(requestVirtualAccount),
  subscriptionIndex.map(receiveDeposit),
];

/** A merchant's policy for subscriptions whose recovery has failed. */
export const arbitraryFinalAction = fc.constantFrom<ModelFinalAction>("EXPIRE", "EXPIRE", "PAUSE", "CANCEL", "KEEP");
