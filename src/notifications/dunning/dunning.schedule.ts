import { zoneRulesAround } from "../../kernel/zone-rules.ts";
import { afterQuietHours } from "../../recovery/engine/quiet-hours.ts";
import { readPolicyOfCover, type StoredPolicy } from "../../recovery/policies/cover.policy.ts";

/** Local minutes of the day between which no payer is written to, where the policy has no quiet hours. */
const DEFAULT_QUIET_HOURS = { from: 21 * 60, until: 8 * 60 };

/** The time of a message to the payer of a cover: now, or the end of the payer's quiet hours. */
export function outsideQuietHours(cover: StoredPolicy & { zoneId: string }, now: Date): Date {
  const quietHours = readPolicyOfCover(cover).quietHours ?? DEFAULT_QUIET_HOURS;
  return afterQuietHours(now, quietHours, { zone: zoneRulesAround(cover.zoneId, now) });
}
