import type { AsyncCommand } from "fast-check";
import { DAY } from "../test-clock.ts";
import { readBooks } from "./observed-state.ts";
import { isAsTold, keepsTheLaws } from "./model-invariants.ts";
import type { Merchant } from "./model-merchant.ts";
import type { ToldFinalAction, ToldOrder, ToldPlan } from "./model-plan.ts";
import type { ToldSubscription } from "./model-subscription.ts";

/** What the model knows: first orders that wait to be paid, subscriptions, the time, and which states there were. */
export interface Told {
  now: number;
  finalAction: ToldFinalAction;
  reached: Set<string>;
  /** `asked` are the plans as they are sold, `plans` as the customer has them: without a trial that was used. */
  waiting: { asked: readonly ToldPlan[]; plans: readonly ToldPlan[]; quantity: number; order: ToldOrder }[];
  /** What was ordered last, and what was paid for once, whose trial is used. */
  lastAsked?: readonly ToldPlan[];
  bought: Set<string>;
  subscriptions: ToldSubscription[];
}

export type Command = AsyncCommand<Told, Merchant>;

/** One thing that a merchant or a payer does; then the worker looks, and everything is held against the model. */
export const command = (
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

/** Days pass; the worker looks once on each of them. */
export async function pass(days: number, told: Told, real: Merchant): Promise<void> {
  for (let day = 0; day < days; day++) {
    told.now += DAY;
    real.gateway.clock.set(new Date(told.now));
    await settle(told, real);
  }
}

/** Something that is done to one of the subscriptions. */
export const toOne = (
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
export function agree(answer: unknown, isPermitted: boolean): void {
  if ((answer !== "REFUSED") !== isPermitted)
    throw new Error(isPermitted ? "It was refused, and is permitted." : "It was done, and is not permitted.");
}
