import type { ModelSource } from "../../../schema/vocabulary.ts";
import type { EventService } from "../../events/event.service.ts";
import { invalid } from "../../kernel/refusals.ts";
import type { ActiveModel, TrainingOutcome } from "../engine/model/training/train-model.ts";
import { modelVersionOf, type StoredModel } from "../engine/model/stored-model.ts";
import { checkStoredModel } from "./loaded-models.ts";
import { publishedPrior } from "./published-prior.ts";
import type { LeftOut } from "./recorded-case.reading.ts";
import type { ModelStanding, RecoveryModelRepository } from "./recovery-model.repository.ts";
import type { RecoveryTrainingRecord, RecoveryTrainingRepository } from "./recovery-training.repository.ts";

/** A worker that dies leaves its training to others after this. */
const LEASE_MS = 2 * 60_000;
/** A training that has ended so many workers is not tried again. */
const MAX_RUNS = 3;

/** A training that a worker has to itself, and what it starts from. */
interface ClaimedTraining {
  training: RecoveryTrainingRecord;
  prior: StoredModel;
  active: ActiveModel;
}

/** What a training has found. */
export interface TrainingReport extends TrainingOutcome {
  leftOut: LeftOut;
  /** The prior that it started from. */
  priorVersion: string;
  /** How many of its retries were imported from another system. */
  importedTries: number;
}

type Run = Pick<RecoveryTrainingRecord, "id" | "runs">;

const isGivenUp = ({ givenUp }: ModelStanding, source: ModelSource, version: string): boolean =>
  givenUp.some((one) => one.source === source && one.version === version);

/** Requests trainings of a family's model, gives each to one worker, and keeps what comes of it. */
export class RecoveryTrainingService {
  constructor(
    private readonly deps: {
      recoveryTrainingRepository: RecoveryTrainingRepository;
      recoveryModelRepository: RecoveryModelRepository;
      events: EventService;
      now: Date;
    },
  ) {}

  /** Requests a training of the family's model. While one is open, that is returned. */
  async request(vendor: { id: number; parentId: number | null }): Promise<RecoveryTrainingRecord> {
    if (vendor.parentId !== null)
      throw invalid(
        "MODEL_OF_PARENT",
        "A child vendor uses the model of its parent; the parent requests its training.",
      );
    return this.requestFor(vendor.id, "REQUEST");
  }

  /** Requests a training of the vendor's family, after past payments of the vendor were imported. */
  async requestAfterImport({ id, parentId }: { id: number; parentId: number | null }): Promise<void> {
    await this.requestFor(parentId ?? id, "REQUEST");
  }

  /** Requests the training of the night, if the vendor has results that its family was not trained on. */
  async requestNightly({ id, parentId }: { id: number; parentId: number | null }): Promise<boolean> {
    if (!(await this.deps.recoveryTrainingRepository.hasUntrainedResults(id, this.deps.now))) return false;
    await this.requestFor(parentId ?? id, "NIGHT");
    return true;
  }

  /** Claims a training that is due: no other worker runs it until the lease ends. */
  async claim(vendorId: number): Promise<ClaimedTraining | undefined> {
    const { recoveryTrainingRepository: trainings, now } = this.deps;
    const due = await trainings.lockDue(vendorId, now);
    if (!due) return undefined;
    if (due.runs >= MAX_RUNS) {
      await this.fail(vendorId, due, `The training ended ${MAX_RUNS} workers.`);
      return undefined;
    }
    const training = await trainings.changeRun(vendorId, due, {
      ...{ state: "RUNNING", runs: due.runs + 1, startedAt: now, leaseUntil: this.leaseEnd() },
    });
    if (!training) return undefined;
    const standing = await this.deps.recoveryModelRepository.standing(vendorId);
    const prior = await this.priorOf(vendorId, standing);
    return { training, prior, active: await this.findModelInForce(vendorId, prior, standing) };
  }

  /**
   * The model that decides for a family, which a candidate must predict better than. Where the family's own was given up, that is its
   * prior: a fallback ends with a model that is better than what decides meanwhile, on retries since the training of the last.
   */
  private async findModelInForce(vendorId: number, prior: StoredModel, standing: ModelStanding): Promise<ActiveModel> {
    const latest = await this.deps.recoveryModelRepository.latestActivation(vendorId);
    const model = latest && checkStoredModel(latest.model.model);
    const triesUntil = latest && model ? latest.model.triesUntil : null;
    return latest && model && !isGivenUp(standing, "VENDOR", latest.model.version)
      ? { model, triesUntil }
      : { model: prior, triesUntil, isGivenUp: isGivenUp(standing, "PUBLISHED", modelVersionOf(prior)) };
  }

  /** Keeps the training to its worker. @returns whether the worker still has it. */
  async extendLease(vendorId: number, run: Run): Promise<boolean> {
    const values = { leaseUntil: this.leaseEnd() };
    return (await this.deps.recoveryTrainingRepository.changeRun(vendorId, run, values)) !== undefined;
  }

  /** Gives a training back that its worker cannot finish: the next one begins at once. */
  async release(vendorId: number, run: Run): Promise<void> {
    const values = { state: "REQUESTED" as const, leaseUntil: null, runs: run.runs - 1 };
    await this.deps.recoveryTrainingRepository.changeRun(vendorId, run, values);
  }

  /** Ends a training without a model. */
  async fail(vendorId: number, run: Run, failure: string): Promise<void> {
    const values = { state: "FAILED" as const, failure, finishedAt: this.deps.now, leaseUntil: null };
    await this.deps.recoveryTrainingRepository.changeRun(vendorId, run, values);
  }

  /**
   * Keeps what came of a training, and makes the family's next decisions by the new model if it is better. What comes after
   * another worker has taken over is dropped.
   */
  async finish(vendorId: number, run: Run, report: TrainingReport): Promise<void> {
    const { recoveryTrainingRepository: trainings, recoveryModelRepository: models, now } = this.deps;
    const { result, tries, importedTries, evaluation, candidate, leftOut, priorVersion } = report;
    const done = await trainings.changeRun(vendorId, run, {
      ...{ state: "DONE", result, tries, finishedAt: now, leaseUntil: null },
      ...{ leftOut: { ...leftOut }, evaluation: evaluation && { ...evaluation } },
    });
    if (!done || !candidate) return;
    const { model, triesFrom, triesUntil } = candidate;
    const saved = await models.add(vendorId, {
      ...{ version: modelVersionOf(model), features: model.features, priorVersion },
      ...{ tries, importedTries, triesFrom, triesUntil, madeAt: now, model: { ...model } },
    });
    await trainings.setModel(vendorId, run.id, saved.id);
    if (result !== "ACTIVATED") return;
    await models.activate(vendorId, { modelId: saved.id, trainingId: run.id, activatedAt: now });
    await this.deps.events.recordModuleEvents(vendorId, {
      ...{ type: "MODEL_TRAINED", subject: "MODEL", subjectId: saved.id, trigger: "activateModel", actor: "SYSTEM" },
      ...{ statusBefore: null, statusAfter: "ACTIVE", facts: { modelVersion: saved.version } },
    });
  }

  /** The prior of a family's model: its country's, as long as it is trusted; else the published one. */
  private async priorOf(familyId: number, standing: ModelStanding): Promise<StoredModel> {
    const { pooled } = standing;
    if (pooled === null || isGivenUp(standing, "COUNTRY", pooled)) return publishedPrior();
    const [content] = await this.deps.recoveryModelRepository.contentsOf(familyId, [pooled]);
    return checkStoredModel(content?.model) ?? publishedPrior();
  }

  private async requestFor(vendorId: number, trigger: RecoveryTrainingRecord["trigger"]) {
    const { recoveryTrainingRepository: trainings, now } = this.deps;
    return trainings.request(vendorId, { trigger, requestedAt: now });
  }

  private leaseEnd(): Date {
    return new Date(this.deps.now.getTime() + LEASE_MS);
  }
}
