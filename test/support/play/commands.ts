import fc, { type AsyncCommand } from "fast-check";
import { DAY } from "../test-clock.ts";
import { readBooks } from "./books.ts";
import { isAsTold, keepsTheLaws } from "./laws.ts";
import type { CardMood, Merchant } from "./merchant.ts";
import { ToldSubscription, type ToldFinalAction, type ToldOrder, type ToldPlan } from "./told-subscription.ts";

/** What the model knows: first orders that wait to be paid, subscriptions, the time, and which states there were. */
export interface Told {
  now: number;
  finalAction: ToldFinalAction;
  reached: Set<string>;
  waiting: { plan: ToldPlan; quantity: number; order: ToldOrder }[];
  subscriptions: ToldSubscription[];
}

type Command = AsyncCommand<Told, Merchant>;

/** One thing that a merchant or a payer does; then the worker looks, and everything is held against the model. */
const command = (
  name: string,
  act: (told: Told, real: Merchant) => Promise<void>,
  check: (told: Readonly<Told>) => boolean = () => true,
): Command => ({
  toString: () => name,
  check,
  async run(told, real) {
    await act(told, real);
    await settle(told, real);
    const seen = await readBooks(real);
    keepsTheLaws(seen);
    for (const [place, subscription] of told.subscriptions.entries()) {
      isAsTold(seen[place]!, subscription);
      told.reached.add(subscription.status);
    }
  },
});

async function settle(told: Told, real: Merchant): Promise<void> {
  await real.work();
  for (const subscription of told.subscriptions) subscription.work(told.now);
}

/** Something that is done to one of the subscriptions. */
const toOne = (
  name: string,
  place: number,
  act: (subscription: ToldSubscription, place: number, told: Told, real: Merchant) => Promise<void>,
): Command =>
  command(
    `${name} of ${place}`,
    async (told, real) => {
      const index = place % told.subscriptions.length;
      await act(told.subscriptions[index]!, index, told, real);
    },
    ({ subscriptions }) => subscriptions.length > 0,
  );

/** The model and the service must agree on whether something is permitted. */
function agree(answer: unknown, isPermitted: boolean): void {
  if ((answer !== "REFUSED") !== isPermitted)
    throw new Error(isPermitted ? "It was refused, and is permitted." : "It was done, and is not permitted.");
}

const order = (plan: ToldPlan, quantity: number) =>
  command(
    `order ${plan.isPostpaid ? "postpaid" : "prepaid"} ${plan.price} a ${plan.interval} × ${quantity}, ${plan.trial} days free, ${plan.count ?? "no"} periods at most`,
    async ({ now, waiting }, real) => {
      await real.order(plan, quantity);
      const amount = plan.isPostpaid || plan.trial > 0 ? 0 : plan.price * quantity;
      const first = { type: "RECURRING_INITIAL", at: now, amount, paid: 0, returned: 0, declined: 0, raise: 0 };
      waiting.push({ plan, quantity, order: first });
    },
    ({ waiting, subscriptions }) => waiting.length + subscriptions.length < MOST,
  );

/** How many subscriptions a merchant has at most. */
const MOST = 3;

const payFirst = (works: boolean) =>
  command(
    works ? "pay a first order" : "pay a first order by a card that is declined",
    async (told, real) => {
      await real.paysFirst(0, works);
      const [first] = told.waiting;
      const { plan, quantity, order: paid } = first!;
      if (works) {
        told.waiting.shift();
        paid.paid = paid.amount;
        told.subscriptions.push(new ToldSubscription(plan, quantity, paid, told.finalAction, told.now));
      } else if (paid.amount > 0) paid.declined++;
    },
    ({ waiting }) => waiting.length > 0,
  );

async function pass(days: number, told: Told, real: Merchant): Promise<void> {
  for (let day = 0; day < days; day++) {
    told.now += DAY;
    real.gateway.clock.set(new Date(told.now));
    await settle(told, real);
  }
}

const wait = (days: number) => command(`${days} days pass`, (told, real) => pass(days, told, real));

/** Nobody works for some days; then all is done at once. */
const sleep = (days: number) =>
  command(`${days} days without a worker`, async (told, real) => {
    told.now += days * DAY;
    real.gateway.clock.set(new Date(told.now));
  });

const turnCard = (place: number, mood: CardMood) =>
  toOne(`card ${mood}`, place, async (subscription, index, _told, real) => {
    await real.turns(index, mood);
    subscription.card = mood === "DECLINES" || mood === "LOST" ? mood : "WORKS";
  });

/** A card is declined for some days, which may be too long. */
const trouble = (place: number, days: number) =>
  toOne(`trouble for ${days} days`, place, async (subscription, index, told, real) => {
    await real.turns(index, "DECLINES");
    subscription.card = "DECLINES";
    await pass(days, told, real);
    await real.turns(index, "WORKS");
    subscription.card = "WORKS";
    await pass(6, told, real);
  });

const changeMethod = (place: number) =>
  toOne("change method", place, async (subscription, index, told, real) => {
    const isDone = await real.changesMethod(index);
    agree(isDone || "REFUSED", !subscription.isOver);
    if (isDone) subscription.changeMethod(told.now);
  });

const cancel = (place: number, when: "NOW" | "PERIOD_END" | "AT", days: number) =>
  toOne(`cancel ${when} ${days}`, place, async (subscription, index, { now }, real) => {
    const at = now + days * DAY;
    const input = { when, ...(when === "AT" && { at: new Date(at).toISOString() }) };
    agree(await real.asks("cancelSubscription", index, input), subscription.cancel(when, at, now));
  });

const pause = (place: number, when: "NOW" | "PERIOD_END", days: number | null) =>
  toOne(`pause ${when} for ${days ?? "ever"}`, place, async (subscription, index, { now }, real) => {
    const until = days === null ? null : new Date(subscription.pauseEnd(when, days, now)).toISOString();
    agree(await real.asks("pauseSubscription", index, { when, until }), subscription.pause(when, days, now));
  });

const activate = (place: number) =>
  toOne("activate", place, async (subscription, index, { now }, real) => {
    agree(await real.asks("activateSubscription", index, {}), subscription.activate(now));
  });

const changeQuantity = (place: number, quantity: number) =>
  toOne(`quantity ${quantity}`, place, async (subscription, index, { now }, real) => {
    // What a trial's price is prorated by is none of the rules that are told here.
    if (subscription.plan.isPostpaid || subscription.isTried) return;
    const change = [{ itemCode: real.subscriptions[index]!.itemCode, quantity }];
    agree(await real.asks("changeSubscriptionItems", index, { change }), subscription.isRunning);
    if (subscription.isRunning) subscription.change(quantity, now);
  });

const recordUsage = (place: number, units: number) =>
  toOne(`use ${units}`, place, async (subscription, index, { now }, real) => {
    if (!subscription.plan.isPostpaid) return;
    const { itemCode } = real.subscriptions[index]!;
    agree(await real.asks("recordUsage", index, { itemCode, units: String(units) }), subscription.isRunning);
    if (subscription.isRunning) subscription.use(units, now);
  });

/** Gives back a part, in hundredths of what is left, of one of the orders that are paid. */
const refund = (place: number, which: number, hundredths: number) =>
  toOne(`refund ${hundredths} % of order ${which}`, place, async (subscription, index, told, real) => {
    const paid = subscription.orders.flatMap((one, nth) => (one.paid > one.returned ? [{ one, nth }] : []));
    if (paid.length === 0) return;
    const { one, nth } = paid[which % paid.length]!;
    const amount = Math.ceil(((one.paid - one.returned) * hundredths) / 100);
    const orderId = String((await readBooks(real))[index]!.orders[nth]!.id);
    await real.till.done("refundOrder", { orderId, amount: String(amount) }, "order { databaseId }");
    one.returned += amount;
    if (one.returned === one.paid) subscription.returned(one, told.now);
  });

/** A payer opens the page of an order that could not be charged, and pays it. */
const payByHand = (place: number, works: boolean) =>
  toOne(works ? "pay by hand" : "fail to pay by hand", place, async (subscription, index, told, real) => {
    const nth = subscription.orders.findIndex(({ amount, paid }) => paid < amount);
    if (nth < 0) return;
    const { code } = (await readBooks(real))[index]!.orders[nth]!;
    await real.pays(code, works);
    const one = subscription.orders[nth]!;
    if (works) subscription.paidByHand(one, told.now);
    else one.declined++;
  });

const place = fc.nat({ max: MOST - 1 });
const plan = fc
  .record({
    interval: fc.constantFrom("WEEK" as const, "WEEK" as const, "MONTH" as const),
    price: fc.constantFrom(9_900, 12_345, 30_000),
    isPostpaid: fc.boolean(),
    trial: fc.constantFrom(0, 0, 5, 14),
    count: fc.constantFrom(null, null, 1, 2, 5),
  })
  .map((one) => ({ ...one, trial: one.isPostpaid ? 0 : one.trial }));
const when = fc.constantFrom("NOW" as const, "PERIOD_END" as const);
const mood = fc.constantFrom<CardMood>("DECLINES", "DECLINES", "LOST", "WORKS", "ANSWERS_ARE_LOST");

/** How every play begins: somebody subscribes. */
export const beginning: fc.Arbitrary<Command[]> = fc
  .tuple(plan, fc.integer({ min: 1, max: 5 }))
  .map(([one, quantity]) => [order(one, one.isPostpaid ? 1 : quantity), payFirst(true)]);

/** All that can happen; what happens often stands here more than once. */
export const happenings: fc.Arbitrary<Command>[] = [
  fc.tuple(plan, fc.integer({ min: 1, max: 5 })).map(([one, quantity]) => order(one, one.isPostpaid ? 1 : quantity)),
  fc.constantFrom(true, true, true, false).map(payFirst),
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
  fc.tuple(place, fc.integer({ min: 1, max: 500 })).map(([one, units]) => recordUsage(one, units)),
  fc
    .tuple(place, fc.nat({ max: 9 }), fc.constantFrom(1, 33, 50, 100))
    .map(([one, which, hundredths]) => refund(one, which, hundredths)),
  fc.tuple(place, fc.boolean()).map(([one, works]) => payByHand(one, works)),
];

/** What a merchant has for subscriptions whose recovery was in vain. */
export const finalActions = fc.constantFrom<ToldFinalAction>("EXPIRE", "EXPIRE", "PAUSE", "CANCEL", "KEEP");
