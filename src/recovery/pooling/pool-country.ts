import { poolModel, type FamilyRange, type PoolingOutcome } from "../engine/model/training/pool-model.ts";
import { readStoredModel, type StoredModel } from "../engine/model/stored-model.ts";
import { TrainingSetCollector } from "../engine/model/training/training-set.ts";
import { noneLeftOut } from "../models/recorded-case.reading.ts";
import type { RecordedCaseRepository } from "../models/recorded-case.repository.ts";
import { streamRecordedCases } from "../models/recorded-cases.ts";
import { HISTORY_MS } from "../models/train-family.ts";
import type { SharingFamiliesRepository, SharingFamily } from "./sharing-families.repository.ts";

/** Cases that one pooling reads, the newest of each family: about 250,000 attempts. */
const MAX_CASES = 100_000;
/** A vendor's newest cases are read at least up to this number, however many share. */
const MIN_CASES_OF_VENDOR = 100;

/** What a pooling starts from. */
export interface PoolingTask {
  country: string;
  /** The published prior: what the pooled model is expected to be near, and has to be better than. */
  prior: StoredModel;
  now: Date;
}

/** The repositories of a pooling. */
interface PoolingSources {
  sharingFamilies: Pick<SharingFamiliesRepository, "all">;
  recordedCases: RecordedCaseRepository;
}

/** Reads what the families that share have seen in a country, and pools it. Cases of a country are those of its payers. */
export async function poolCountry(
  { sharingFamilies, recordedCases }: PoolingSources,
  { country, prior, now }: PoolingTask,
): Promise<PoolingOutcome> {
  const families = await sharingFamilies.all();
  // The usual amounts stay those of the prior: a currency's median could be the price of one vendor.
  const collector = new TrainingSetCollector(prior.usualAmounts, readStoredModel(prior), now);
  const ranges: FamilyRange[] = [];
  for (const family of families) {
    const first = collector.count;
    await collectFamily(recordedCases, collector, family, Math.floor(MAX_CASES / families.length), country, now);
    ranges.push({ familyId: family.familyId, first, end: collector.count });
  }
  return poolModel(collector.toSet(), ranges, prior);
}

async function collectFamily(
  repository: RecordedCaseRepository,
  collector: TrainingSetCollector,
  { vendorIds }: SharingFamily,
  maxCases: number,
  country: string,
  now: Date,
): Promise<void> {
  const all = { from: new Date(now.getTime() - HISTORY_MS), until: now, country };
  const maxOfVendor = Math.max(MIN_CASES_OF_VENDOR, Math.floor(maxCases / vendorIds.length));
  for (const vendorId of vendorIds) {
    const from = (await repository.startOfNewest(vendorId, all, maxOfVendor)) ?? all.from;
    for await (const recorded of streamRecordedCases(repository, vendorId, { ...all, from }, now, noneLeftOut()))
      collector.addCase(recorded);
  }
}
