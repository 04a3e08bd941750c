import type { CoverRecord, CoverRepository } from "./cover.repository.ts";
import type { CoverTimelineService } from "./cover-timeline.service.ts";

/** Announces to the caller of a registered order that a date of its cover has come: it makes the retry itself. */
export class CoverRetryAnnouncementService {
  constructor(
    private readonly deps: {
      coverRepository: CoverRepository;
      coverTimeline: CoverTimelineService;
      now: Date;
    },
  ) {}

  /** Records one event for each cover whose date has come. @returns the number of covers. */
  async announceDue(vendorId: number, limit: number): Promise<number> {
    const covers = await this.deps.coverRepository.lockDueAnnouncements(vendorId, this.deps.now, limit);
    if (covers.length === 0) return 0;
    const attempts = await this.deps.coverRepository.countAttempts(
      vendorId,
      covers.map(({ id }) => id),
    );
    const events = covers.flatMap((cover) => {
      const retryDate = dueDateOf(cover, this.deps.now);
      if (!retryDate) return [];
      return {
        kind: "RECOVERY_RETRY_DUE" as const,
        coverId: cover.id,
        orderId: cover.orderId,
        subscriptionId: cover.subscriptionId,
        amount: cover.amount,
        actor: "SYSTEM" as const,
        facts: { retryDate, attempt: (attempts.get(cover.id) ?? 0) + 1 },
        states: { before: cover.state, after: cover.state },
      };
    });
    await this.deps.coverTimeline.recordEvents(vendorId, ...events);
    for (const { id, planned } of covers) {
      const announceAt = planned.find((date) => date > this.deps.now) ?? null;
      await this.deps.coverRepository.change(vendorId, id, { announceAt });
    }
    return covers.length;
  }
}

/**
 * The last planned date that has come and was not announced: earlier ones that passed meanwhile are replaced by it. None if
 * an older gateway has moved the dates.
 */
function dueDateOf({ planned, announceAt }: CoverRecord, now: Date): Date | undefined {
  return planned.findLast((date) => date <= now && announceAt !== null && date >= announceAt);
}
