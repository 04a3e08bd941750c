import { required } from "../../kernel/required-values.ts";
import type { CoverAttemptRecord, CoverRecord, CoverRepository } from "../covers/cover.repository.ts";
import type { CoverStep } from "../covers/cover-lifecycle.service.ts";
import { normalizeCode } from "../engine/decline.ts";
import type { ExperimentCountService } from "../experiments/experiment-count.service.ts";
import type { CountedCover, RecoveryCountRepository } from "./recovery-count.repository.ts";

const DAY_MS = 86_400_000;

type CountedDecline = Pick<CoverAttemptRecord, "errorCode" | "errorMessage" | "reasonClass">;

/** Keeps the counts of what was recovered and what was not, as covers start and end. */
export class RecoveryCountService {
  constructor(
    private readonly deps: {
      recoveryCountRepository: RecoveryCountRepository;
      coverRepository: CoverRepository;
      experimentCounts: ExperimentCountService;
      now: Date;
    },
  ) {}

  /** Counts what happened to a cover in one step. A repeated report and a rescheduled retry count nothing. */
  async countStep(vendorId: number, step: CoverStep): Promise<void> {
    await this.deps.experimentCounts.countStep(vendorId, step);
    const {
      cover,
      events: [event],
    } = step;
    const counted = toCountedCover(cover);
    if (!counted || !event || event.type === "RETRY_SCHEDULED") return;
    if (event.type !== "STARTED" && event.type !== "ATTEMPT_FAILED") return this.countEnd(vendorId, cover, counted);
    const isLost = cover.state !== "IN_PROGRESS";
    if (event.type === "STARTED")
      await this.deps.recoveryCountRepository.countCover(vendorId, counted, { cases: 1, ...(isLost && { lost: 1 }) });
    else if (isLost) await this.deps.recoveryCountRepository.countCover(vendorId, counted, { lost: 1 });
    if (event.attempt) await this.countUnmappedDecline(vendorId, cover, event.attempt);
  }

  /** A cover has ended without a further attempt: the money came, or the merchant gave it up. */
  private async countEnd(vendorId: number, cover: CoverRecord, counted: CountedCover): Promise<void> {
    const attempts = await this.deps.coverRepository.attemptsOf(vendorId, cover.id);
    if (cover.state === "RECOVERED") {
      const retries = attempts.filter(({ kind }) => kind !== "FIRST_FAILURE").length;
      const days = Math.floor((this.deps.now.getTime() - cover.startedAt.getTime()) / DAY_MS);
      await this.deps.recoveryCountRepository.countCover(vendorId, counted, { recovered: 1 });
      await this.deps.recoveryCountRepository.countRecoveringAttempt(vendorId, counted, retries + 1, days);
      return;
    }
    await this.deps.recoveryCountRepository.countCover(vendorId, counted, { lost: 1 });
    const last = attempts.at(-1);
    if (last?.reasonClass === "UNKNOWN")
      await this.deps.recoveryCountRepository.countUnmapped(
        vendorId,
        counted,
        toUnmappedDecline(last),
        { declines: 0, lost: 1 },
        this.deps.now,
      );
  }

  private async countUnmappedDecline(vendorId: number, cover: CoverRecord, decline: CountedDecline): Promise<void> {
    if (decline.reasonClass !== "UNKNOWN") return;
    const lost = cover.state === "IN_PROGRESS" ? 0 : 1;
    await this.deps.recoveryCountRepository.countUnmapped(
      vendorId,
      required(toCountedCover(cover), "the cohort"),
      toUnmappedDecline(decline),
      { declines: 1, lost },
      this.deps.now,
    );
  }
}

const toUnmappedDecline = ({ errorCode, errorMessage }: CountedDecline) => ({
  code: normalizeCode(errorCode),
  message: errorMessage,
});

/** The dimensions of a cover; undefined if an older version of the gateway started it. */
function toCountedCover({
  id,
  startedOn,
  reasonClass,
  gateway,
  country,
  amount,
}: CoverRecord): CountedCover | undefined {
  if (!startedOn || !reasonClass || !gateway || !country || !amount) return undefined;
  return { id, startedOn, reasonClass, gateway, country, amount };
}
