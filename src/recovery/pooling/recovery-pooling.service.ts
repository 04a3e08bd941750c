import type { PoolingOutcome } from "../engine/model/training/pool-model.ts";
import { modelVersionOf, type StoredModel } from "../engine/model/stored-model.ts";
import { publishedPrior } from "../models/published-prior.ts";
import type { RecoveryModelRepository } from "../models/recovery-model.repository.ts";
import type { RecoveryPoolingRecord, RecoveryPoolingRepository } from "./recovery-pooling.repository.ts";
import type { SharingFamiliesRepository } from "./sharing-families.repository.ts";

/** A worker that dies leaves its pooling to others after this. */
const LEASE_MS = 2 * 60_000;
/** A pooling that has ended so many workers is not tried again. */
const MAX_RUNS = 3;
/** Countries are pooled once a week: the fewer versions, the less their differences say about one vendor. */
const EVERY_MS = 7 * 86_400_000;

/** A pooling that a worker has to itself, and the prior that it starts from. */
interface ClaimedPooling {
  pooling: RecoveryPoolingRecord;
  prior: StoredModel;
}

type Run = Pick<RecoveryPoolingRecord, "id" | "runs">;

/** Requests poolings of countries, gives each to one worker, and keeps what comes of it. */
export class RecoveryPoolingService {
  constructor(
    private readonly deps: {
      recoveryPoolingRepository: RecoveryPoolingRepository;
      recoveryModelRepository: RecoveryModelRepository;
      sharingFamiliesRepository: SharingFamiliesRepository;
      now: Date;
    },
  ) {}

  /** Requests the poolings of the week, if there are none yet and anybody shares or did. */
  async requestWeekly(): Promise<void> {
    const { recoveryPoolingRepository: poolings, sharingFamiliesRepository, now } = this.deps;
    if (await poolings.isRequestedSince(new Date(now.getTime() - EVERY_MS))) return;
    await poolings.request(await sharingFamiliesRepository.countries(), now);
  }

  /** Claims a pooling that is due: no other worker runs it until the lease ends. */
  async claim(): Promise<ClaimedPooling | undefined> {
    const { recoveryPoolingRepository: poolings, now } = this.deps;
    const due = await poolings.lockDue(now);
    if (!due) return undefined;
    if (due.runs >= MAX_RUNS) {
      await this.fail(due, `The pooling ended ${MAX_RUNS} workers.`);
      return undefined;
    }
    const values = { state: "RUNNING" as const, runs: due.runs + 1, startedAt: now, leaseUntil: this.leaseEnd() };
    const pooling = await poolings.changeRun(due, values);
    return pooling && { pooling, prior: publishedPrior() };
  }

  /** Keeps the pooling to its worker. @returns whether the worker still has it. */
  async extendLease(run: Run): Promise<boolean> {
    return (await this.change(run, { leaseUntil: this.leaseEnd() })) !== undefined;
  }

  /** Gives a pooling back that its worker cannot finish: the next one begins at once. */
  async release(run: Run): Promise<void> {
    await this.change(run, { state: "REQUESTED", leaseUntil: null, runs: run.runs - 1 });
  }

  /** Ends a pooling without a result. The country's model stays. */
  async fail(run: Run, failure: string): Promise<void> {
    await this.change(run, { state: "FAILED", failure, finishedAt: this.deps.now, leaseUntil: null });
  }

  /**
   * Keeps what came of a pooling: from now on its model decides in the country, or none does. What comes after another worker has
   * taken over is dropped, and what a family has stopped to share meanwhile is pooled anew without it.
   */
  async finish(run: Run, { result, familyIds, tries, evaluation, candidate }: PoolingOutcome): Promise<void> {
    const { recoveryModelRepository: models, sharingFamiliesRepository, now } = this.deps;
    const locked = await this.change(run, { leaseUntil: this.leaseEnd() });
    if (!locked) return;
    if (!(await sharingFamiliesRepository.includes(familyIds))) return this.release(run);
    const version = candidate && modelVersionOf(candidate);
    if (candidate && version)
      await models.addShared({
        ...{ version, scope: "COUNTRY", country: locked.country, features: candidate.features },
        ...{ tries: candidate.tries, madeAt: now, model: { ...candidate } },
      });
    await this.change(run, {
      ...{ state: "DONE", result, version, tries, families: familyIds.length, finishedAt: now, leaseUntil: null },
      evaluation: evaluation && { ...evaluation },
    });
  }

  private change(run: Run, values: Parameters<RecoveryPoolingRepository["changeRun"]>[1]) {
    return this.deps.recoveryPoolingRepository.changeRun(run, values);
  }

  private leaseEnd(): Date {
    return new Date(this.deps.now.getTime() + LEASE_MS);
  }
}
