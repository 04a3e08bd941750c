import { readFile } from "node:fs/promises";
import { z } from "zod";
import { FinalAction, PaymentMethod, ReasonClass, RetryPlanKind } from "../../../schema/vocabulary.ts";
import { createRepositories } from "../../graphql/repositories.ts";
import { systemClock } from "../../kernel/clock.ts";
import { toAmount } from "../../kernel/amounts.ts";
import { BacktestService, COMMAND_LIMITS, type Backtest } from "../../recovery/backtests/backtest.service.ts";
import type { PolicyValue } from "../../recovery/backtests/backtest.ts";
import { backtestToGraph } from "../../recovery/backtests/backtest.presenter.ts";
import { toPolicy } from "../../recovery/policies/recovery-policy.rules.ts";
import { InvalidArgumentsError, type ArgumentErrors } from "../argument-errors.ts";
import { defineCommand, toRecordOutput } from "../command.ts";
import { withDatabase } from "../command-database.ts";

const amount = z.union([z.number(), z.string()]).transform((value, context) => {
  try {
    return toAmount(value);
  } catch {
    context.addIssue("must be a number");
    return z.NEVER;
  }
});
const plan = z.strictObject({
  kind: z.enum(RetryPlanKind),
  offsetsInDays: z.array(z.int().positive()).nullish(),
  maxRetries: z.int().positive().nullish(),
  windowInDays: z.int().positive().nullish(),
});
const quietHours = { quietFrom: z.string().nullish(), quietUntil: z.string().nullish() };
/** The JSON of a `RecoveryTermsInput`. */
const termsInput = z.strictObject({
  ...quietHours,
  plan,
  exploration: z.strictObject({ share: z.number().nullish(), maxAmount: amount.nullish() }).nullish(),
  overrides: z
    .array(
      z.strictObject({
        ...quietHours,
        country: z.string().nullish(),
        paymentMethod: z.enum(PaymentMethod).nullish(),
        reasonClass: z.enum(ReasonClass).nullish(),
        plan: plan.nullish(),
      }),
    )
    .nullish(),
  model: z.string().nullish(),
  retryCost: amount.nullish(),
  finalAction: z.enum(FinalAction).nullish(),
});

/** `recoup recovery backtest`: what other terms would have recovered. */
export const backtestCommand = defineCommand(
  {
    name: "backtest",
    description:
      "Estimates what other terms would have recovered of the recorded cases of a vendor and its children. docs/backtest.md says how to read it. It changes nothing.",
  },
  {
    vendor: { type: "string", valueHint: "uuid", description: "The vendor" },
    terms: {
      type: "string",
      valueHint: "json or @file",
      description: 'Terms as in RecoveryTermsInput, such as {"plan":{"kind":"EVEN","maxRetries":8,"windowInDays":28}}',
    },
    from: { type: "string", valueHint: "time", description: "Start of the period. Defaults to 90 days before its end" },
    until: { type: "string", valueHint: "time", description: "End of the period. Defaults to now" },
    json: { type: "boolean", description: "Print one JSON object" },
  },
  async ({ vendor: vendorOption, terms: termsOption, from: fromOption, until: untilOption, json }, errors) => {
    const uuid = errors.readUuid("vendor", vendorOption);
    const termsText = errors.readText("terms", termsOption);
    const terms = termsText === "" ? undefined : await readTerms(termsText, errors);
    const [from, until] = [readTime("from", fromOption, errors), readTime("until", untilOption, errors)];
    errors.throwIfAny();
    if (!terms) return;
    await withDatabase(
      json,
      async ({ handle }) => {
        const read = createRepositories(handle);
        const vendor = uuid === undefined ? undefined : await read.vendors.byUuid(uuid);
        if (!vendor) throw new InvalidArgumentsError(["--vendor: there is no vendor with this uuid."]);
        const service = new BacktestService({
          recordedCaseRepository: read.recordedCases,
          recoveryPolicyRepository: read.recoveryPolicies,
          recoveryModelRepository: read.recoveryModels,
          vendor,
          now: new Date(systemClock.now().getTime() + vendor.clockAheadMs),
          limits: COMMAND_LIMITS,
        });
        const policy = toPolicy(terms, "backtest", "terms", vendor.currency);
        return toOutput(await service.backtestPolicy(policy, { ...(from && { from }), ...(until && { until }) }));
      },
      { vendorUuid: uuid },
    );
  },
);

async function readTerms(text: string, errors: ArgumentErrors): Promise<z.infer<typeof termsInput> | undefined> {
  try {
    const content = text.startsWith("@") ? await readFile(text.slice(1), "utf8") : text;
    const parsed = termsInput.safeParse(JSON.parse(content));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    errors.add(`--terms: ${issue?.path.join(".") || "the terms"}: ${issue?.message ?? "invalid"}.`);
  } catch (error) {
    errors.add(`--terms: ${error instanceof SyntaxError ? "must be JSON" : "the file cannot be read"}.`);
  }
  return undefined;
}

function readTime(name: string, text: string | undefined, errors: ArgumentErrors): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) errors.add(`--${name} must be a time such as 2026-01-01T00:00:00Z.`);
  return time;
}

const percent = (value: number): string => `${(value * 100).toFixed(1)} %`;

function toLine(value: PolicyValue | null): string {
  if (!value) return "-";
  const { recovered, amount: money, attempts, effectiveSampleSize } = value;
  return `${percent(recovered.value)} recovered (${percent(recovered.low)} to ${percent(recovered.high)}), amount ${money.value.toFixed(2)} (${money.low.toFixed(2)} to ${money.high.toFixed(2)}), ${attempts.value.toFixed(2)} attempts a case, effective sample size ${effectiveSampleSize.toFixed(0)}`;
}

function toOutput(result: Backtest) {
  const { lines } = toRecordOutput({
    from: result.from,
    until: result.until,
    cases: result.cases,
    leftOut: result.skipped.running + result.skipped.unreported + result.skipped.unreadable,
    noFigureReason: result.noFigureReason,
    effectiveSampleSize: result.effectiveSampleSize.toFixed(0),
    unsupported: percent(result.unsupported),
    current: toLine(result.current),
    proposed: toLine(result.proposed),
    difference: toLine(result.difference),
    differenceByWeights: toLine(result.differenceByWeights),
  });
  return { lines, json: backtestToGraph(result) };
}
