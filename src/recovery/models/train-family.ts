import { modelVersionOf, readStoredModel, type StoredModel } from "../engine/model/stored-model.ts";
import { trainModel, type ActiveModel, type TrainingOutcome } from "../engine/model/training/train-model.ts";
import { TrainingSetCollector, usualAmountsOf } from "../engine/model/training/training-set.ts";
import type { PastPaymentRepository } from "../past-payments/past-payment.repository.ts";
import { streamPastPayments } from "../past-payments/past-payments.ts";
import { noneLeftOut, type LeftOut } from "./recorded-case.reading.ts";
import type { CasePeriod, RecordedCaseRepository } from "./recorded-case.repository.ts";
import { streamRecordedCases } from "./recorded-cases.ts";

/** Older cases count for less than a sixteenth, and are left out. */
export const HISTORY_MS = 720 * 86_400_000;
/** Cases whose amounts say what is usual. */
const AMOUNTS_OF_VENDOR = 500;

/** What a training starts from. */
export interface TrainingTask {
  vendorId: number;
  prior: StoredModel;
  active: ActiveModel;
  now: Date;
}

/** What a training reads. */
export interface TrainingRepositories {
  recordedCases: RecordedCaseRepository;
  pastPayments: PastPaymentRepository;
}

/** Reads the retries of a family's covers and of its imported payments, and trains its model on them. */
export async function trainFamily(
  repositories: TrainingRepositories,
  { vendorId, prior, active, now }: TrainingTask,
): Promise<TrainingOutcome & { leftOut: LeftOut; priorVersion: string; importedTries: number }> {
  const { recordedCases, pastPayments } = repositories;
  const period: CasePeriod = { from: new Date(now.getTime() - HISTORY_MS), until: now };
  const family = {
    withCases: await recordedCases.familyWithCases(vendorId, period),
    withPayments: await pastPayments.familyWithPayments(vendorId, period),
  };
  const usualAmounts = await findUsualAmounts(repositories, family, period, prior, active);
  const collector = new TrainingSetCollector(usualAmounts, readStoredModel(active.model), now);
  const leftOut = noneLeftOut();
  for (const id of family.withCases)
    for await (const recorded of streamRecordedCases(recordedCases, id, period, now, leftOut))
      collector.addCase(recorded);
  const ownTries = collector.count;
  for (const id of family.withPayments)
    for await (const payment of streamPastPayments(pastPayments, id, period, leftOut)) collector.addCase(payment);
  leftOut.unreadable += collector.unusable;
  return {
    ...trainModel(collector.toSet(), prior, active, usualAmounts),
    ...{ leftOut, priorVersion: modelVersionOf(prior), importedTries: collector.count - ownTries },
  };
}

/** What is usual in each currency: among the family's own newest payments, else as the prior has it. */
async function findUsualAmounts(
  { recordedCases, pastPayments }: TrainingRepositories,
  family: { withCases: readonly number[]; withPayments: readonly number[] },
  period: CasePeriod,
  prior: StoredModel,
  active: ActiveModel,
): Promise<Record<string, number>> {
  const amounts: { currency: string; amount: number }[] = [];
  for (const id of family.withCases)
    for (const { currency, amount } of await recordedCases.recentAmounts(id, period, AMOUNTS_OF_VENDOR))
      if (currency !== null) amounts.push({ currency, amount: Number(amount) });
  for (const id of family.withPayments)
    for (const { currency, amount } of await pastPayments.recentAmounts(id, period, AMOUNTS_OF_VENDOR))
      amounts.push({ currency, amount: Number(amount) });
  const usual = { ...prior.usualAmounts, ...usualAmountsOf(amounts) };
  // A median that has hardly moved stays, so that the cells of amounts keep their meaning from night to night.
  for (const [currency, known] of Object.entries(active.model.usualAmounts)) {
    const now = usual[currency];
    if (active.triesUntil !== null && now !== undefined && Math.abs(now - known) < HARDLY_MOVED)
      usual[currency] = known;
  }
  return usual;
}

/** About five per cent. */
const HARDLY_MOVED = 0.05;
