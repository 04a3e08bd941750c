import type { Created, PayloadRecord, Trigger, TriggerContext } from "./trigger-context.ts";
import { idOf, registerCoverOrder } from "./trigger-records.ts";

const start = (context: TriggerContext): Promise<Created> => registerCoverOrder(context);

/** A mutation about the order of a new cover. */
const change =
  (mutation: string, inputType: string, selection: string, input: object = {}) =>
  async (context: TriggerContext): Promise<Created> => {
    const created = await start(context);
    await context.mutate(mutation, inputType, { orderId: created["coverOrderId"], ...input }, selection);
    return created;
  };

const cancelOrder = change("cancelCoverOrder", "CancelCoverOrderInput", "order { status }");

async function payLate(context: TriggerContext): Promise<Created> {
  const created = await cancelOrder(context);
  const input = { orderId: created["coverOrderId"] };
  await context.mutate("reportCoverOrderPaid", "ReportCoverOrderPaidInput", input, "order { status }");
  return created;
}

/** Reports a failure of the caller with another code, which is an attempt outside the schedule. */
async function failAttempt(context: TriggerContext): Promise<Created> {
  const created = await start(context);
  const input = {
    orderId: created["coverOrderId"],
    subscriptionId: created["coverSubscriptionId"],
    errorCode: "61",
  };
  await context.mutate("startRecovery", "StartRecoveryInput", input, "cover { databaseId }");
  return created;
}

/** Advances the clock to the first retry of a cover, and past it. */
async function reachRetry(context: TriggerContext): Promise<Created> {
  const created = await start(context);
  await context.advanceClock("P8D");
  return created;
}

/** More retries than a policy of a sandbox has. */
const MAX_RETRIES = 30;

/** Makes each retry at its date, and reports that it failed, until none is left. */
async function exhaust(context: TriggerContext): Promise<Created> {
  const created = await start(context);
  const input = {
    orderId: created["coverOrderId"],
    subscriptionId: created["coverSubscriptionId"],
    errorCode: "51",
  };
  let { now } = context;
  for (let retry = 0; retry < MAX_RETRIES; retry++) {
    const { cover } = await context.mutate<{ cover: { retryDate: string | null } }>(
      "startRecovery",
      "StartRecoveryInput",
      input,
      "cover { retryDate }",
    );
    if (cover.retryDate === null) break;
    const date = new Date(cover.retryDate);
    await context.advanceClock(`PT${Math.max(1, Math.ceil((date.getTime() - now.getTime()) / 1000))}S`);
    now = date;
  }
  return created;
}

/** Activates a policy and then, so that the sandbox retries as before, the former one. */
async function activatePolicy(context: TriggerContext): Promise<Created> {
  const { recoveryPolicies } = await context.query<{
    recoveryPolicies: { nodes: (PayloadRecord & { state: string })[] };
  }>("{ recoveryPolicies(first: 100) { nodes { databaseId state } } }");
  const former = recoveryPolicies.nodes.find(({ state }) => state === "ACTIVE");
  const { policy } = await context.mutate(
    "proposeRecoveryPolicy",
    "ProposeRecoveryPolicyInput",
    { terms: { plan: { kind: "EVEN", maxRetries: 3, windowInDays: 14 } } },
    "policy { databaseId }",
  );
  const policyId = idOf(policy);
  const activate = (id: string) =>
    context.mutate("activateRecoveryPolicy", "ActivateRecoveryPolicyInput", { policyId: id }, "policy { state }");
  await activate(policyId);
  if (former) await activate(idOf(former));
  else await context.mutate("retireRecoveryPolicy", "RetireRecoveryPolicyInput", { policyId }, "policy { state }");
  return { policyId };
}

/** Covers of orders that are charged elsewhere. */
export const recoveryTriggers: Readonly<Record<string, Trigger>> = {
  "order.paid_late": { act: payLate },
  "cover.started": { act: start },
  "cover.retry_due": { advancesClock: true, act: reachRetry },
  "cover.attempt_failed": { act: failAttempt },
  "cover.recovered": { act: change("reportCoverOrderPaid", "ReportCoverOrderPaidInput", "order { status }") },
  "cover.exhausted": { advancesClock: true, act: exhaust },
  "cover.stopped": { act: cancelOrder },
  "policy.activated": { act: activatePolicy },
};
