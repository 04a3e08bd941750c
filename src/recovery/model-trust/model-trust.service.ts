import type { ModelSource } from "../../../schema/vocabulary.ts";
import { NO_ID } from "../../events/event.message.ts";
import type { EventService, ModuleEvent } from "../../events/event.service.ts";
import { classifyDecline } from "../engine/decline.ts";
import { AUTOMATIC_MODEL } from "../engine/policy.ts";
import { isEvidence, type RecordedRetry } from "../engine/recorded-case.ts";
import { publishedModel } from "../models/published-prior.ts";
import { noneLeftOut, readRecordedCase } from "../models/recorded-case.reading.ts";
import type { RecordedCaseRepository } from "../models/recorded-case.repository.ts";
import type { RecoveryModelRepository } from "../models/recovery-model.repository.ts";
import { modelsOfFamily } from "./known-models.ts";
import type { ModelTrustRepository, ResultPosition } from "./model-trust.repository.ts";
import { readTrust } from "./stored-trust.ts";
import { updateTrust, type TestedResult, type TrustEvent } from "./update-trust.ts";

/** Results are read when the transactions that record them are over. */
const READ_AFTER_MS = 60_000;
/** How often a vendor's results are read. */
const READ_EVERY_MS = 10 * 60_000;

/** Tests the models of recovery by the results of retries, and gives up those that are wrong. */
export class ModelTrustService {
  constructor(
    private readonly deps: {
      modelTrustRepository: ModelTrustRepository;
      recordedCaseRepository: RecordedCaseRepository;
      recoveryModelRepository: RecoveryModelRepository;
      events: EventService;
      now: Date;
    },
  ) {}

  /**
   * Reads a vendor's results since the last time, and tests its family's models by them.
   * @returns the number of results, at least 1 for a look; 0 if none is due.
   */
  async readResults(vendorId: number, limit: number): Promise<number> {
    const { modelTrustRepository: trust, now } = this.deps;
    const watch = await trust.lockWatch(vendorId);
    if (!watch || watch.dueAt > now) return 0;
    const until = new Date(now.getTime() - READ_AFTER_MS);
    const positions = await trust.resultsAfter(vendorId, watch, until, limit);
    const last = positions.at(-1);
    await trust.changeWatch(vendorId, {
      ...(last && { seenAt: last.at, seenKind: last.kind, seenId: last.id }),
      dueAt: positions.length < limit ? new Date(now.getTime() + READ_EVERY_MS) : now,
    });
    const familyId = await trust.familyOf(vendorId);
    await this.testModels(familyId, await this.toTestedResults(vendorId, familyId, positions));
    return Math.max(1, positions.length);
  }

  private async testModels(familyId: number, results: readonly TestedResult[]): Promise<void> {
    const { modelTrustRepository: repository, recoveryModelRepository, now } = this.deps;
    const models = await modelsOfFamily(recoveryModelRepository, familyId);
    const lastResultAt = await repository.lastResultAt(familyId);
    const sources = models.map(({ source }) => source);
    const states = (await repository.lockTrust(familyId, sources)).map(readTrust);
    const events = updateTrust(states, results, models, lastResultAt, now);
    if (results.length > 0 || events.length > 0)
      for (const { source, drift, ...rest } of states)
        await repository.saveTrust(familyId, source, { ...rest, drift: { ...drift } });
    if (events.length === 0) return;
    await repository.addEvents(
      familyId,
      events.map((event) => ({ ...event, type: "MODEL_FALLBACK", occurredAt: now })),
    );
    const ids = await repository.ownModelIds(
      familyId,
      events.map(({ version }) => version),
    );
    await this.deps.events.recordModuleEvents(familyId, ...events.map((event) => toFallbackEvent(event, ids)));
  }

  /** The retries that results belong to; those that say nothing about a model are left out. */
  private async toTestedResults(
    vendorId: number,
    familyId: number,
    positions: readonly ResultPosition[],
  ): Promise<TestedResult[]> {
    if (positions.length === 0) return [];
    const coverIds = [...new Set(positions.map(({ coverId }) => coverId))];
    const rows = await this.deps.recordedCaseRepository.ofCovers(vendorId, coverIds);
    const caseOf = new Map(rows.map((row) => [row.id, readRecordedCase(row, this.deps.now, noneLeftOut())]));
    const retries = positions.flatMap(({ at, kind, coverId }) => {
      const recorded = caseOf.get(coverId);
      const isResult = (retry: RecordedRetry) =>
        kind === 1 ? retry.approved : !retry.approved && retry.at.getTime() === at.getTime();
      const retry = recorded?.retries.find(isResult);
      if (!recorded || !retry || !isEvidence(retry)) return [];
      // A model that a policy names is the merchant's choice: its results say nothing about the one that would decide.
      return [
        { ...retry, ...(recorded.policy.model !== AUTOMATIC_MODEL && { probability: null, modelVersion: null }) },
      ];
    });
    const versions = [...new Set(retries.flatMap(({ modelVersion }) => modelVersion ?? []))];
    const sources = await this.deps.modelTrustRepository.sourcesOf(familyId, versions);
    sources.set(publishedModel().version, "PUBLISHED");
    return retries.map((retry) => toTestedResult(retry, sources));
  }
}

/** The event of a model that was given up, or that decides again. Models of all families have no id of the vendor. */
function toFallbackEvent(
  { version, decides, reason }: TrustEvent,
  ownModelIds: ReadonlyMap<string, number>,
): ModuleEvent {
  const [trusted, givenUp] = ["ACTIVE", "GIVEN_UP"];
  return {
    ...{ type: "MODEL_FALLBACK", subject: "MODEL", subjectId: ownModelIds.get(version) ?? NO_ID, actor: "SYSTEM" },
    trigger: reason ? "giveUpModel" : "trustModel",
    statusBefore: reason ? trusted : givenUp,
    statusAfter: reason ? givenUp : trusted,
    facts: { modelVersion: version, decides, ...(reason && { reason }) },
  };
}

function toTestedResult(
  { facts, at, approved, chosenAt, probability, modelVersion }: RecordedRetry,
  sources: ReadonlyMap<string, ModelSource>,
): TestedResult {
  const last = facts.attempts.at(-1);
  return {
    at,
    approved,
    chosenAt,
    probability,
    source: (modelVersion !== null && sources.get(modelVersion)) || null,
    reasonClass: last ? classifyDecline(last, facts) : null,
    attempt: facts.attempts.filter((attempt) => attempt.at > facts.windowStart).length + 1,
  };
}
