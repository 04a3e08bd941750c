import type { CoverAttemptRecord, CoverRecord, CoverRepository } from "../covers/cover.repository.ts";
import { normalizeCode } from "../engine/decline.ts";
import type { CountedCover, RecoveryCountRepository } from "./recovery-count.repository.ts";

const DAY_MS = 86_400_000;

type CountedDecline = Pick<CoverAttemptRecord, "errorCode" | "errorMessage" | "reasonClass">;

/** Keeps the counts of what was recovered and what was not, as covers start and end. */
export class RecoveryCountService {
  constructor(
    private readonly counts: RecoveryCountRepository,
    private readonly covers: CoverRepository,
    private readonly now: Date,
  ) {}

  /** A cover has started; it may have ended with that. */
  async countStart(vendorId: number, cover: CoverRecord, decline: CountedDecline | null): Promise<void> {
    const counted = toCountedCover(cover);
    if (!counted) return;
    const isLost = cover.state !== "IN_PROGRESS";
    await this.counts.countCover(vendorId, counted, isLost ? { cases: 1, lost: 1 } : { cases: 1 });
    if (decline) await this.countUnmappedDecline(vendorId, cover, decline);
  }

  /** A try of a cover has failed; the cover may have ended with that. */
  async countFailedAttempt(vendorId: number, cover: CoverRecord, decline: CountedDecline): Promise<void> {
    const counted = toCountedCover(cover);
    if (!counted) return;
    if (cover.state !== "IN_PROGRESS") await this.counts.countCover(vendorId, counted, { lost: 1 });
    await this.countUnmappedDecline(vendorId, cover, decline);
  }

  /** A cover has ended without a further try: the money came, or the merchant gave it up. */
  async countEnd(vendorId: number, cover: CoverRecord): Promise<void> {
    const counted = toCountedCover(cover);
    if (!counted) return;
    const attempts = await this.covers.attemptsOf(vendorId, cover.id);
    if (cover.state === "RECOVERED") {
      const retries = attempts.filter(({ kind }) => kind !== "FIRST_FAILURE").length;
      const days = Math.floor((this.now.getTime() - cover.startedAt.getTime()) / DAY_MS);
      await this.counts.countCover(vendorId, counted, { recovered: 1 });
      await this.counts.countRecoveringAttempt(vendorId, counted, retries + 1, days);
      return;
    }
    await this.counts.countCover(vendorId, counted, { lost: 1 });
    const last = attempts.at(-1);
    if (last?.reasonClass === "UNKNOWN")
      await this.counts.countUnmapped(vendorId, counted, toUnmappedDecline(last), { declines: 0, lost: 1 }, this.now);
  }

  private async countUnmappedDecline(vendorId: number, cover: CoverRecord, decline: CountedDecline): Promise<void> {
    if (decline.reasonClass !== "UNKNOWN") return;
    const lost = cover.state === "IN_PROGRESS" ? 0 : 1;
    await this.counts.countUnmapped(
      vendorId,
      toCountedCover(cover)!,
      toUnmappedDecline(decline),
      { declines: 1, lost },
      this.now,
    );
  }
}

const toUnmappedDecline = ({ errorCode, errorMessage }: CountedDecline) => ({
  code: normalizeCode(errorCode),
  message: errorMessage,
});

/** What a cover is counted under; undefined for one that an older version of the gateway has started. */
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
