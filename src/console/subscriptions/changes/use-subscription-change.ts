import { useAction } from "../../actions/use-action.ts";
import type { ChangePlanMutation } from "../../generated/operations.ts";
import { CHANGE_INTERVAL, CHANGE_ITEMS, CHANGE_PLAN, CHANGE_QUOTA } from "./changes.query.ts";
import type { SubscriptionChange } from "./possible-changes.ts";

/** The order of a change and what became of its charge. */
export type ChangeCharge = Pick<ChangePlanMutation["changeSubscriptionPlan"], "order" | "payment" | "noPaymentReason">;

const NOTHING_DUE: ChangeCharge = { order: null, payment: null, noPaymentReason: "NOTHING_DUE" };

/** Makes a change by the mutation of its kind. */
export function useSubscriptionChange() {
  const planChange = useAction(CHANGE_PLAN);
  const itemsChange = useAction(CHANGE_ITEMS);
  const quotaChange = useAction(CHANGE_QUOTA);
  const intervalChange = useAction(CHANGE_INTERVAL);
  const all = [planChange, itemsChange, quotaChange, intervalChange];
  /** Returns the charge of the change, or undefined if it was refused or not answered. */
  const run = async (
    { plan, items, quota, interval }: SubscriptionChange,
    common: { subscriptionId: string; reason: string | undefined },
  ): Promise<ChangeCharge | undefined> => {
    if (plan) return (await planChange.run({ input: { ...plan, ...common } }))?.changeSubscriptionPlan;
    if (items) return (await itemsChange.run({ input: { ...items, ...common } }))?.changeSubscriptionItems;
    if (quota) return (await quotaChange.run({ input: { ...quota, ...common } }))?.changeSubscriptionQuota;
    if (interval) return (await intervalChange.run({ input: { ...interval, ...common } })) && NOTHING_DUE;
    return undefined;
  };
  return {
    isRunning: all.some(({ isRunning }) => isRunning),
    problem: all.find(({ problem }) => problem)?.problem,
    run,
  };
}
