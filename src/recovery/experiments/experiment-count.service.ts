import type { CoverEndReason } from "../../../schema/vocabulary.ts";
import type { CoverStep } from "../covers/cover-lifecycle.service.ts";
import type { CoverRecord } from "../covers/cover.repository.ts";
import type { ExperimentCountRepository, ExperimentCover } from "./experiment-count.repository.ts";

const DAY_MS = 86_400_000;

/** Ends that follow from the decline alone, whatever the policy. */
const ENDED_BY_DECLINE: readonly (CoverEndReason | null)[] = [
  "MUST_NOT_RETRY",
  "NEEDS_NEW_METHOD",
  "NEEDS_CUSTOMER",
  "ALREADY_PAID",
];

/** Keeps the counts of experiments as their covers start and end. */
export class ExperimentCountService {
  constructor(private readonly deps: { experimentCountRepository: ExperimentCountRepository; now: Date }) {}

  /**
   * Counts what happened to a cover in one step, if an experiment chose its policy. A cover that its first decline ends is
   * no case: no arm could have done anything about it.
   */
  async countStep(vendorId: number, { cover, events: [event] }: CoverStep): Promise<void> {
    const counted = toExperimentCover(cover);
    if (!counted || !event || event.type === "RETRY_SCHEDULED") return;
    const isEnded = cover.state !== "IN_PROGRESS";
    if (event.type === "STARTED") {
      if (!isEnded || !ENDED_BY_DECLINE.includes(cover.endReason))
        await this.deps.experimentCountRepository.countStart(vendorId, counted, isEnded);
    } else if (cover.state === "RECOVERED") {
      const days = Math.max(0, Math.floor((this.deps.now.getTime() - cover.startedAt.getTime()) / DAY_MS));
      await this.deps.experimentCountRepository.countRecovered(vendorId, counted, days);
    } else if (isEnded) await this.deps.experimentCountRepository.countLost(vendorId, counted);
  }
}

function toExperimentCover(cover: CoverRecord): ExperimentCover | undefined {
  const { id, experimentId, experimentArm, experimentPayer, startedOn, amount } = cover;
  if (experimentId === null || experimentArm === null || experimentPayer === null || !startedOn || !amount)
    return undefined;
  return { id, experimentId, experimentArm, experimentPayer, startedOn, amount };
}
