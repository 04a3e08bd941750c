import { DAY } from "../test-clock.ts";
import { readBooks } from "./observed-state.ts";
import { agree, command, pass, toOne, type Told } from "./model-command.ts";
import type { CardMood, Merchant } from "./model-merchant.ts";
import type { ToldOrder, ToldPlan } from "./model-plan.ts";
import { priceOf, ToldSubscription } from "./model-subscription.ts";

/** How many subscriptions a merchant has at most. */
export const MOST = 3;

/** An order of one plan, or of two that are charged at different intervals: each starts a subscription. */
export const order = (plans: readonly ToldPlan[], quantity: number) =>
  command(
    `order ${plans.map(nameOf).join(" and ")}, × ${quantity}`,
    (told, real) => orders(plans, quantity, told, real),
    (told) => hasRoom(plans, told),
  );

/** The same once more: its trial is the customer's as long as nothing of it was paid. */
export const orderAgain = () =>
  command(
    "order the same again",
    async (told, real) => {
      const { lastAsked } = told;
      if (lastAsked)
        await orders(
          lastAsked,
          lastAsked.some(({ isMetered, isPostpaid }) => isMetered && !isPostpaid) ? 50 : 1,
          told,
          real,
        );
    },
    (told) => told.lastAsked !== undefined && hasRoom(told.lastAsked, told),
  );

const hasRoom = (plans: readonly ToldPlan[], { waiting, subscriptions }: Readonly<Told>): boolean =>
  waiting.flatMap((one) => one.plans).length + subscriptions.length + plans.length <= MOST;

async function orders(asked: readonly ToldPlan[], quantity: number, told: Told, real: Merchant): Promise<void> {
  await real.order(asked, quantity);
  told.lastAsked = asked;
  const plans = asked.map((plan) => asBought(plan, told));
  const nothing = { paid: 0, returned: 0, declined: 0, raise: 0, awaitedUntil: 0, isDropped: false };
  const first = { type: "RECURRING_INITIAL", at: told.now, amount: dueAtOnce(plans, quantity), ...nothing };
  told.waiting.push({ asked, plans, quantity, order: first });
}

/** A plan as its customer has it: a trial is used once something of its product was paid. */
const asBought = (plan: ToldPlan, { bought }: Readonly<Told>): ToldPlan =>
  bought.has(JSON.stringify(plan)) ? { ...plan, trial: 0 } : plan;

const dueAtOnce = (plans: readonly ToldPlan[], quantity: number): number =>
  plans
    .filter(({ isPostpaid, trial }) => !isPostpaid && trial === 0)
    .reduce((sum, plan) => sum + priceOf(plan, quantity), 0);

const nameOf = ({ isChilds, isPostpaid, isMetered, price, interval, trial, count, term }: ToldPlan): string =>
  `${isChilds ? "child's " : ""}${isPostpaid ? "postpaid" : "prepaid"}${isMetered ? " metered" : ""} ${price} a ${interval}, ${trial} days free, ${count ?? "no"} periods and ${term ?? "no"} days at most`;

/** Pays by a card that nobody has, or by that of a subscription, which then works (again). */
export const payFirst = (works: boolean, cardOf: number | null) =>
  command(
    works ? `pay a first order${cardOf === null ? "" : ` by the card of ${cardOf}`}` : "pay by a card that is declined",
    async (told, real) => {
      const sharing = cardOf === null ? undefined : told.subscriptions[cardOf];
      if (works && sharing) {
        await real.turns(cardOf!, "WORKS");
        sharing.card.says = "WORKS";
      }
      const first = told.waiting[0]!;
      const { asked, quantity, order: paid } = first;
      const plans = asked.map((plan) => asBought(plan, told));
      if (plans.some(({ trial }, index) => trial !== first.plans[index]!.trial)) {
        await real.isAskedAgain(0);
        first.plans = plans;
        paid.amount = dueAtOnce(plans, quantity);
      }
      await real.paysFirst(0, works, works && sharing ? cardOf : null);
      if (!works) {
        if (paid.amount > 0) paid.declined++;
        return;
      }
      told.waiting.shift();
      paid.paid = paid.amount;
      for (const plan of asked) told.bought.add(JSON.stringify(plan));
      const card = sharing?.card ?? { says: "WORKS" };
      for (const plan of plans)
        told.subscriptions.push(new ToldSubscription(plan, quantity, paid, card, told.finalAction, told.now));
    },
    ({ waiting }) => waiting.length > 0,
  );

export const wait = (days: number) => command(`${days} days pass`, (told, real) => pass(days, told, real));

/** Nobody works for some days; then all is done at once. */
export const sleep = (days: number) =>
  command(`${days} days without a worker`, async (told, real) => {
    told.now += days * DAY;
    real.gateway.clock.set(new Date(told.now));
  });

export const turnCard = (place: number, mood: CardMood) =>
  toOne(`card ${mood}`, place, async (subscription, index, _told, real) => {
    await real.turns(index, mood);
    subscription.card.says = mood === "DECLINES" || mood === "LOST" ? mood : "WORKS";
  });

/** A card is declined for some days, which may be too long. */
export const trouble = (place: number, days: number) =>
  toOne(`trouble for ${days} days`, place, async (subscription, index, told, real) => {
    await real.turns(index, "DECLINES");
    subscription.card.says = "DECLINES";
    await pass(days, told, real);
    await real.turns(index, "WORKS");
    subscription.card.says = "WORKS";
    await pass(6, told, real);
  });

export const changeMethod = (place: number) =>
  toOne("change method", place, async (subscription, index, told, real) => {
    const isDone = await real.changesMethod(index);
    agree(isDone || "REFUSED", !subscription.isOver);
    if (isDone) subscription.changeMethod(told.now);
  });

export const cancel = (place: number, when: "NOW" | "PERIOD_END" | "AT", days: number) =>
  toOne(`cancel ${when} ${days}`, place, async (subscription, index, { now }, real) => {
    const at = now + days * DAY;
    const input = { when, ...(when === "AT" && { at: new Date(at).toISOString() }) };
    agree(await real.asks("cancelSubscription", index, input), subscription.cancel(when, at, now));
  });

export const pause = (place: number, when: "NOW" | "PERIOD_END", days: number | null) =>
  toOne(`pause ${when} for ${days ?? "ever"}`, place, async (subscription, index, { now }, real) => {
    const until = days === null ? null : new Date(subscription.pauseEnd(when, days, now)).toISOString();
    agree(await real.asks("pauseSubscription", index, { when, until }), subscription.pause(when, days, now));
  });

export const activate = (place: number) =>
  toOne("activate", place, async (subscription, index, { now }, real) => {
    agree(await real.asks("activateSubscription", index, {}), subscription.activate(now));
  });

export const changeQuantity = (place: number, quantity: number) =>
  toOne(`quantity ${quantity}`, place, async (subscription, index, { now }, real) => {
    // What a trial's price is prorated by is none of the rules that are told here.
    if (subscription.plan.isMetered || subscription.isTried) return;
    const change = [{ itemCode: real.subscriptions[index]!.itemCode, quantity }];
    agree(await real.asks("changeSubscriptionItems", index, { change }), subscription.isRunning);
    if (subscription.isRunning) subscription.change(quantity, now);
  });

export const recordUsage = (place: number, units: number) =>
  toOne(`use ${units}`, place, async (subscription, index, { now }, real) => {
    if (!subscription.plan.isMetered) return;
    const { itemCode } = real.subscriptions[index]!;
    const answer = await real.asks("recordUsage", index, { itemCode, units: String(units) });
    agree(answer, subscription.isRunning && subscription.use(units, now));
  });

export const changeQuota = (place: number, quota: number) =>
  toOne(`allow ${quota}`, place, async (subscription, index, { now }, real) => {
    // What a trial's price is prorated by is none of the rules that are told here.
    if (!subscription.plan.isMetered || subscription.isTried) return;
    const { itemCode } = real.subscriptions[index]!;
    const answer = await real.asks("changeSubscriptionQuota", index, { itemCode, quota }, "refundableAmount");
    agree(answer, subscription.isRunning && subscription.allow(quota, now));
  });

/** Gives back a part, in hundredths of what is left, of one of the orders that are paid. */
export const refund = (place: number, which: number, hundredths: number) =>
  toOne(`refund ${hundredths} % of order ${which}`, place, async (subscription, index, told, real) => {
    const paid = subscription.orders.flatMap((one, nth) => (one.paid > one.returned ? [{ one, nth }] : []));
    if (paid.length === 0) return;
    const { one, nth } = paid[which % paid.length]!;
    const amount = Math.ceil(((one.paid - one.returned) * hundredths) / 100);
    const orderId = String((await readBooks(real))[index]!.orders[nth]!.id);
    await real.till.done("refundOrder", { orderId, amount: String(amount) }, "order { databaseId }");
    one.returned += amount;
    if (one.returned < one.paid) return;
    for (const of of told.subscriptions) if (of.orders.includes(one)) of.returned(one, told.now);
  });

/** A payer opens the page of an order that could not be charged, and pays it. */
export const payByHand = (place: number, works: boolean) =>
  toOne(works ? "pay by hand" : "fail to pay by hand", place, async (subscription, index, told, real) => {
    const nth = subscription.orders.findIndex(isUnpaid);
    if (nth < 0) return;
    const { code } = (await readBooks(real))[index]!.orders[nth]!;
    await real.pays(code, works);
    const one = subscription.orders[nth]!;
    one.awaitedUntil = 0;
    if (works) subscription.paidByHand(one, told.now);
    else one.declined++;
  });

/** A virtual account waits for so many days. */
const DEPOSIT_DAYS = 7;

/** A payer wants to send what could not be charged to a virtual account. */
export const askForAccount = (place: number) =>
  toOne("ask for a virtual account", place, async (subscription, index, { now }, real) => {
    const nth = subscription.orders.findIndex((one) => isUnpaid(one) && one.awaitedUntil <= now);
    if (nth < 0) return;
    await real.asksForAccount((await readBooks(real))[index]!.orders[nth]!.id);
    subscription.orders[nth]!.awaitedUntil = now + DEPOSIT_DAYS * DAY;
  });

/** The money for an order arrives at its virtual account: it pays the order, unless a card was charged meanwhile. */
export const deposit = (place: number) =>
  toOne("a deposit arrives", place, async (subscription, index, told, real) => {
    const nth = subscription.orders.findIndex((one) => isUnpaid(one) && one.awaitedUntil > told.now);
    const { id } = (await readBooks(real))[index]!.orders[Math.max(nth, 0)]!;
    agree((await real.confirmsDeposit(id)) === "NO_DEPOSIT_AWAITED" ? "REFUSED" : "AWAITED", nth >= 0);
    if (nth < 0) return;
    await real.deposits(id);
    subscription.paidByHand(subscription.orders[nth]!, told.now);
  });

const isUnpaid = ({ amount, paid, isDropped }: ToldOrder): boolean => paid < amount && !isDropped;
