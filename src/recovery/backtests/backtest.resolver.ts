import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from "type-graphql";
import type { GatewayContext } from "../../graphql/context.ts";
import { databaseIdOf } from "../../graphql/record-ids.ts";
import { invalidField, notFound } from "../../kernel/refusals.ts";
import type { RecoveryPolicyRecord } from "../policies/recovery-policy.repository.ts";
import { toPolicy } from "../policies/recovery-policy.rules.ts";
import { policyOfRecord } from "../policies/recovery-policy.terms.ts";
import { ActivateRecoveryPolicyPayload, RecoveryPolicy } from "../policies/recovery-policy.type.ts";
import { backtestToGraph } from "./backtest.presenter.ts";
import { BacktestRecoveryPolicyInput, PreviewDeclineMappingInput, RecoveryBacktest } from "./backtest.type.ts";
import { readStoredBacktest, warningOf } from "./backtest.stored.ts";

const lastBacktestOf = ({ lastBacktest }: RecoveryPolicyRecord) => {
  const backtest = readStoredBacktest(lastBacktest);
  return backtest && backtestToGraph(backtest);
};

@Resolver()
export class BacktestResolver {
  @Mutation(() => RecoveryBacktest, {
    description:
      "Estimates what a policy would have recovered of the recorded cases of the vendor and its children. It changes no recovery; a stored policy keeps its last backtest. Refused with INVALID_ARGUMENT, POLICY_NOT_FOUND, BACKTEST_TOO_LARGE for a period of more than 5,000 cases, or BACKTEST_BUSY while others are computed.",
  })
  async backtestRecoveryPolicy(
    @Arg("input", () => BacktestRecoveryPolicyInput, { description: "The policy and the period." })
    input: BacktestRecoveryPolicyInput,
    @Ctx() context: GatewayContext,
  ) {
    const { vendor, loaders, recoveryBacktests, write } = context;
    const { policyId, terms } = input;
    if ((policyId == null) === (terms == null)) throw invalidField("policyId", "or `terms` is required, and not both.");
    const id = policyId == null ? null : databaseIdOf("RecoveryPolicy", policyId, "policyId");
    const record = id === null ? undefined : await loaders.findById("recoveryPolicies", id);
    if (id !== null && !record) throw notFound("POLICY_NOT_FOUND", "There is no recovery policy with this id.");
    const policy = record ? policyOfRecord(record) : terms && toPolicy(terms, "backtest", "terms", vendor.currency);
    if (!policy) throw invalidField("terms", "is required.");
    const backtest = await recoveryBacktests().backtestPolicy(policy, input);
    if (record) await write(({ recoveryPolicies }) => recoveryPolicies.saveBacktest(vendor.id, record.id, backtest));
    return backtestToGraph(backtest);
  }

  @Query(() => RecoveryBacktest, {
    description:
      "Estimates what `mapDeclineCode` would have changed, on the recorded cases with this code under the policies that they ran under. Nothing is mapped. Refused with INVALID_ARGUMENT, DECLINE_CODE_KNOWN, BACKTEST_TOO_LARGE or BACKTEST_BUSY.",
  })
  async previewDeclineMapping(
    @Arg("input", () => PreviewDeclineMappingInput, { description: "The code, its meaning and the period." })
    input: PreviewDeclineMappingInput,
    @Ctx() { recoveryBacktests }: GatewayContext,
  ) {
    const { paymentGateway, errorCode, reasonClass } = input;
    const meaning = { gateway: paymentGateway, code: errorCode, reasonClass };
    return backtestToGraph(await recoveryBacktests().backtestMeaning(meaning, input));
  }
}

@Resolver(() => RecoveryPolicy)
export class BacktestOfPolicyResolver {
  @FieldResolver(() => RecoveryBacktest, {
    nullable: true,
    description: "Last backtest of the policy. Null if there was none.",
  })
  lastBacktest(@Root() record: RecoveryPolicyRecord) {
    return lastBacktestOf(record);
  }
}

@Resolver(() => ActivateRecoveryPolicyPayload)
export class BacktestOfActivationResolver {
  @FieldResolver(() => RecoveryBacktest, {
    nullable: true,
    description: "Last backtest of the policy that was activated. Null if there was none.",
  })
  lastBacktest(@Root() { policy }: { policy: RecoveryPolicyRecord }) {
    return lastBacktestOf(policy);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: "Warning that the policy was worse in its last backtest, in one sentence. Null if it was not.",
  })
  warning(@Root() { policy }: { policy: RecoveryPolicyRecord }) {
    return warningOf(readStoredBacktest(policy.lastBacktest));
  }
}
