import { DAY } from "../test-clock.ts";
import { readObservedState } from "./observed-state.ts";
import { requireAgreement, modelCommand, passDays, onSubscription, type ModelState } from "./model-command.ts";
import type { CardBehaviour, ModelMerchant } from "./model-merchant.ts";
import type { ModelOrder, ModelPlan } from "./model-plan.ts";
import { periodPriceOf, ModelSubscription } from "./model-subscription.ts";

/** The maximum number of subscriptions of a merchant. */
export const MAX_SUBSCRIPTIONS = 3;

/** An order of one plan, or of two that are charged at different intervals: each starts a subscription. */
export const orderPlans = (plans: readonly ModelPlan[], quantity: number) =>
  modelCommand(
    `order ${plans.map(describePlan).join(" and ")}, × ${quantity}`,
    (told, real) => placeOrder(plans, quantity, told, real),
    (told) => isBelowMaximum(plans, told),
  );

/** The same order once more: its trial is available as long as no order of the product was paid. */
export const reorderPlans = () =>
  modelCommand(
    "order the same again",
    async (told, real) => {
      const { lastOrderedPlans } = told;
      if (lastOrderedPlans)
        await placeOrder(
          lastOrderedPlans,
          lastOrderedPlans.some(({ isMetered, isPostpaid }) => isMetered && !isPostpaid) ? 50 : 1,
          told,
          real,
        );
    },
    (told) => told.lastOrderedPlans !== undefined && isBelowMaximum(told.lastOrderedPlans, told),
  );

const isBelowMaximum = (
  plans: readonly ModelPlan[],
  { unpaidFirstOrders, subscriptions }: Readonly<ModelState>,
): boolean =>
  unpaidFirstOrders.flatMap((one) => one.plans).length + subscriptions.length + plans.length <= MAX_SUBSCRIPTIONS;

async function placeOrder(
  orderedPlans: readonly ModelPlan[],
  quantity: number,
  model: ModelState,
  real: ModelMerchant,
): Promise<void> {
  await real.createOrder(orderedPlans, quantity);
  model.lastOrderedPlans = orderedPlans;
  const plans = orderedPlans.map((plan) => withoutUsedTrial(plan, model));
  const nothing = { paid: 0, returned: 0, declineCount: 0, quantityIncrease: 0, awaitedUntil: 0, isDropped: false };
  const first = { type: "RECURRING_INITIAL", at: model.now, amount: initialAmount(plans, quantity), ...nothing };
  model.unpaidFirstOrders.push({ asked: orderedPlans, plans, quantity, order: first });
}

/** A plan as its customer gets it: a trial is used once an order of its product was paid. */
const withoutUsedTrial = (plan: ModelPlan, { paidPlans }: Readonly<ModelState>): ModelPlan =>
  paidPlans.has(JSON.stringify(plan)) ? { ...plan, trialDays: 0 } : plan;

const initialAmount = (plans: readonly ModelPlan[], quantity: number): number =>
  plans
    .filter(({ isPostpaid, trialDays }) => !isPostpaid && trialDays === 0)
    .reduce((sum, plan) => sum + periodPriceOf(plan, quantity), 0);

const describePlan = ({
  isOfChild,
  isPostpaid,
  isMetered,
  price,
  interval,
  trialDays,
  maxPeriods,
  termDays,
}: ModelPlan): string =>
  `${isOfChild ? "child's " : ""}${isPostpaid ? "postpaid" : "prepaid"}${isMetered ? " metered" : ""} ${price} a ${interval}, ${trialDays} days free, ${maxPeriods ?? "no"} periods and ${termDays ?? "no"} days at most`;

/** Pays by a new card, or by that of a subscription, which then works (again). */
export const payFirstOrder = (works: boolean, cardOf: number | null) =>
  modelCommand(
    works ? `pay a first order${cardOf === null ? "" : ` by the card of ${cardOf}`}` : "pay by a card that is declined",
    async (told, real) => {
      const sharing = cardOf === null ? undefined : told.subscriptions[cardOf];
      if (works && sharing) {
        await real.setCardBehaviour(cardOf!, "WORKS");
        sharing.card.behaviour = "WORKS";
      }
      const first = told.unpaidFirstOrders[0]!;
      const { asked, quantity, order: paid } = first;
      const plans = asked.map((plan) => withoutUsedTrial(plan, told));
      if (plans.some(({ trialDays }, index) => trialDays !== first.plans[index]!.trialDays)) {
        await real.expectNewAmountShown(0);
        first.plans = plans;
        paid.amount = initialAmount(plans, quantity);
      }
      await real.payFirstOrder(0, works, works && sharing ? cardOf : null);
      if (!works) {
        if (paid.amount > 0) paid.declineCount++;
        return;
      }
      told.unpaidFirstOrders.shift();
      paid.paid = paid.amount;
      for (const plan of asked) told.paidPlans.add(JSON.stringify(plan));
      const card = sharing?.card ?? { behaviour: "WORKS" };
      for (const plan of plans)
        told.subscriptions.push(new ModelSubscription(plan, quantity, paid, card, told.finalAction, told.now));
    },
    ({ unpaidFirstOrders }) => unpaidFirstOrders.length > 0,
  );

export const passDaysCommand = (days: number) =>
  modelCommand(`${days} days pass`, (told, real) => passDays(days, told, real));

/** The worker does not run for some days; then all due work is done at once. */
export const passDaysWithoutWorker = (days: number) =>
  modelCommand(`${days} days without a worker`, async (told, real) => {
    told.now += days * DAY;
    real.gateway.clock.setTo(new Date(told.now));
  });

export const changeCardBehaviour = (place: number, mood: CardBehaviour) =>
  onSubscription(`card ${mood}`, place, async (subscription, index, _told, real) => {
    await real.setCardBehaviour(index, mood);
    subscription.card.behaviour = mood === "DECLINES" || mood === "LOST" ? mood : "WORKS";
  });

/** A card is declined for some days, perhaps longer than the retries last. */
export const declineForDays = (place: number, days: number) =>
  onSubscription(`trouble for ${days} days`, place, async (subscription, index, told, real) => {
    await real.setCardBehaviour(index, "DECLINES");
    subscription.card.behaviour = "DECLINES";
    await passDays(days, told, real);
    await real.setCardBehaviour(index, "WORKS");
    subscription.card.behaviour = "WORKS";
    await passDays(6, told, real);
  });

export const changePaymentMethod = (place: number) =>
  onSubscription("change method", place, async (subscription, index, told, real) => {
    const isDone = await real.changePaymentMethod(index);
    requireAgreement(isDone || "REFUSED", !subscription.isOver);
    if (isDone) subscription.changeMethod(told.now);
  });

export const cancelSubscription = (place: number, when: "NOW" | "PERIOD_END" | "AT", days: number) =>
  onSubscription(`cancel ${when} ${days}`, place, async (subscription, index, { now }, real) => {
    const at = now + days * DAY;
    const input = { when, ...(when === "AT" && { at: new Date(at).toISOString() }) };
    requireAgreement(await real.sendMutation("cancelSubscription", index, input), subscription.cancel(when, at, now));
  });

export const pauseSubscription = (place: number, when: "NOW" | "PERIOD_END", days: number | null) =>
  onSubscription(`pause ${when} for ${days ?? "ever"}`, place, async (subscription, index, { now }, real) => {
    const until = days === null ? null : new Date(subscription.pauseEnd(when, days, now)).toISOString();
    requireAgreement(
      await real.sendMutation("pauseSubscription", index, { when, until }),
      subscription.pause(when, days, now),
    );
  });

export const activateSubscription = (place: number) =>
  onSubscription("activate", place, async (subscription, index, { now }, real) => {
    requireAgreement(await real.sendMutation("activateSubscription", index, {}), subscription.activate(now));
  });

export const changeQuantity = (place: number, quantity: number) =>
  onSubscription(`quantity ${quantity}`, place, async (subscription, index, { now }, real) => {
    // The model has no rule for the proration of a trial's price.
    if (subscription.plan.isMetered || subscription.isInTrial) return;
    const change = [{ itemCode: real.subscriptions[index]!.itemCode, quantity }];
    requireAgreement(await real.sendMutation("changeSubscriptionItems", index, { change }), subscription.isRunning);
    if (subscription.isRunning) subscription.changeQuantity(quantity, now);
  });

export const recordUsage = (place: number, units: number) =>
  onSubscription(`use ${units}`, place, async (subscription, index, { now }, real) => {
    if (!subscription.plan.isMetered) return;
    const { itemCode } = real.subscriptions[index]!;
    const answer = await real.sendMutation("recordUsage", index, { itemCode, units: String(units) });
    requireAgreement(answer, subscription.isRunning && subscription.recordUsage(units, now));
  });

export const changeQuota = (place: number, quota: number) =>
  onSubscription(`allow ${quota}`, place, async (subscription, index, { now }, real) => {
    // The model has no rule for the proration of a trial's price.
    if (!subscription.plan.isMetered || subscription.isInTrial) return;
    const { itemCode } = real.subscriptions[index]!;
    const answer = await real.sendMutation("changeSubscriptionQuota", index, { itemCode, quota }, "refundableAmount");
    requireAgreement(answer, subscription.isRunning && subscription.changeQuota(quota, now));
  });

/** Refunds a part, in hundredths of the remaining amount, of one of the paid orders. */
export const refundOrder = (place: number, which: number, hundredths: number) =>
  onSubscription(`refund ${hundredths} % of order ${which}`, place, async (subscription, index, told, real) => {
    const paid = subscription.orders.flatMap((one, nth) => (one.paid > one.returned ? [{ one, nth }] : []));
    if (paid.length === 0) return;
    const { one, nth } = paid[which % paid.length]!;
    const amount = Math.ceil(((one.paid - one.returned) * hundredths) / 100);
    const orderId = String((await readObservedState(real))[index]!.orders[nth]!.id);
    await real.payments.runMutation("refundOrder", { orderId, amount: String(amount) }, "order { databaseId }");
    one.returned += amount;
    if (one.returned < one.paid) return;
    for (const of of told.subscriptions) if (of.orders.includes(one)) of.applyFullRefund(one, told.now);
  });

/** A payer opens the page of an order whose charge failed, and pays it. */
export const payByHand = (place: number, works: boolean) =>
  onSubscription(works ? "pay by hand" : "fail to pay by hand", place, async (subscription, index, told, real) => {
    const nth = subscription.orders.findIndex(isUnpaid);
    if (nth < 0) return;
    const { code } = (await readObservedState(real))[index]!.orders[nth]!;
    await real.payOrderPage(code, works);
    const one = subscription.orders[nth]!;
    one.awaitedUntil = 0;
    if (works) subscription.applyManualPayment(one, told.now);
    else one.declineCount++;
  });

/** A virtual account waits for so many days. */
const DEPOSIT_DAYS = 7;

/** A payer requests a virtual account for an order whose charge failed. */
export const requestVirtualAccount = (place: number) =>
  onSubscription("ask for a virtual account", place, async (subscription, index, { now }, real) => {
    const nth = subscription.orders.findIndex((one) => isUnpaid(one) && one.awaitedUntil <= now);
    if (nth < 0) return;
    await real.requestVirtualAccount((await readObservedState(real))[index]!.orders[nth]!.id);
    subscription.orders[nth]!.awaitedUntil = now + DEPOSIT_DAYS * DAY;
  });

/** The money for an order arrives at its virtual account: it pays the order, unless a card was charged meanwhile. */
export const receiveDeposit = (place: number) =>
  onSubscription("a deposit arrives", place, async (subscription, index, told, real) => {
    const nth = subscription.orders.findIndex((one) => isUnpaid(one) && one.awaitedUntil > told.now);
    const { id } = (await readObservedState(real))[index]!.orders[Math.max(nth, 0)]!;
    requireAgreement((await real.confirmDeposit(id)) === "NO_DEPOSIT_AWAITED" ? "REFUSED" : "AWAITED", nth >= 0);
    if (nth < 0) return;
    await real.approveDeposit(id);
    subscription.applyManualPayment(subscription.orders[nth]!, told.now);
  });

const isUnpaid = ({ amount, paid, isDropped }: ModelOrder): boolean => paid < amount && !isDropped;
