import { zoneRulesAround } from "../../kernel/zone-rules.ts";
import { afterQuietHours } from "../../recovery/engine/quiet-hours.ts";
import { readPolicyOfCover, type StoredPolicy } from "../../recovery/policies/cover.policy.ts";

/** Local minutes of the day between which no payer is written to, where the policy has no quiet hours. */
const DEFAULT_QUIET_HOURS = { from: 21 * 60, until: 8 * 60 };

/** A cover, as far as its payer's quiet hours follow from it. */
export type QuietCover = StoredPolicy & { zoneId: string };

/** The time of a message to the payer of a cover: as given, or the end of the payer's quiet hours. */
export function outsideQuietHours(cover: QuietCover, at: Date): Date {
  const quietHours = readPolicyOfCover(cover).quietHours ?? DEFAULT_QUIET_HOURS;
  return afterQuietHours(at, quietHours, { zone: zoneRulesAround(cover.zoneId, at) });
}

/**
 * The time of the notice of the next retry; undefined if it is too late for that: the message that named
 * the date has just been queued, or the quiet hours last until the retry.
 */
export function retryNoticeTime(
  cover: QuietCover & { retryAt: Date | null },
  leadMs: number,
  now: Date,
): Date | undefined {
  if (!cover.retryAt) return undefined;
  const at = new Date(cover.retryAt.getTime() - leadMs);
  if (at <= now) return undefined;
  const dueAt = outsideQuietHours(cover, at);
  return dueAt < cover.retryAt ? dueAt : undefined;
}
