import type { AsyncCommand } from "fast-check";
import { DAY } from "../test-clock.ts";
import { readObservedState } from "./observed-state.ts";
import { expectMatchesModel, expectInvariants } from "./model-invariants.ts";
import type { ModelMerchant } from "./model-merchant.ts";
import type { ModelFinalAction, ModelOrder, ModelPlan } from "./model-plan.ts";
import type { ModelSubscription } from "./model-subscription.ts";

/** The state of the model: first orders that wait to be paid, subscriptions, the time, and the states that occurred. */
export interface ModelState {
  now: number;
  finalAction: ModelFinalAction;
  reachedStatuses: Set<string>;
  /** `asked` are the plans as they are sold, `plans` as the customer gets them: without a trial that was used. */
  unpaidFirstOrders: {
    asked: readonly ModelPlan[];
    plans: readonly ModelPlan[];
    quantity: number;
    order: ModelOrder;
  }[];
  /** The last ordered plans, and whether a payment used their trial. */
  lastOrderedPlans?: readonly ModelPlan[];
  paidPlans: Set<string>;
  subscriptions: ModelSubscription[];
}

export type ModelCommand = AsyncCommand<ModelState, ModelMerchant>;

/** One action of a merchant or a payer; then the worker runs, and everything is compared with the model. */
export const modelCommand = (
  name: string,
  apply: (model: ModelState, real: ModelMerchant) => Promise<void>,
  check: (model: Readonly<ModelState>) => boolean = () => true,
): ModelCommand => ({
  toString: () => name,
  check,
  async run(model, real) {
    await apply(model, real);
    await runWorkerOnBoth(model, real);
    const seen = await readObservedState(real);
    expectInvariants(seen);
    for (const [place, subscription] of model.subscriptions.entries()) {
      expectMatchesModel(seen[place]!, subscription);
      model.reachedStatuses.add(subscription.status);
    }
  },
});

async function runWorkerOnBoth(model: ModelState, real: ModelMerchant): Promise<void> {
  await real.runWorker();
  for (const subscription of model.subscriptions) subscription.applyDueActions(model.now);
}

/** Days pass; the worker runs once on each of them. */
export async function passDays(days: number, model: ModelState, real: ModelMerchant): Promise<void> {
  for (let day = 0; day < days; day++) {
    model.now += DAY;
    real.gateway.clock.setTo(new Date(model.now));
    await runWorkerOnBoth(model, real);
  }
}

/** An action on one of the subscriptions. */
export const onSubscription = (
  name: string,
  position: number,
  act: (subscription: ModelSubscription, position: number, told: ModelState, real: ModelMerchant) => Promise<void>,
): ModelCommand =>
  modelCommand(
    `${name} of ${position}`,
    async (told, real) => {
      const index = position % told.subscriptions.length;
      await act(told.subscriptions[index]!, index, told, real);
    },
    ({ subscriptions }) => subscriptions.length > 0,
  );

/** The model and the service must agree on whether an action is permitted. */
export function requireAgreement(answer: unknown, isPermitted: boolean): void {
  if ((answer !== "REFUSED") !== isPermitted)
    throw new Error(isPermitted ? "It was refused, and is permitted." : "It was done, and is not permitted.");
}
