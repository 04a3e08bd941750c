import type { RecoveryCase } from "../engine/recovery-case.ts";
import { classify, endingOf } from "../engine/decline.ts";
import { currentRulebook, legalFrom } from "../engine/rulebook.ts";
import type { Contender, Story, Wanted } from "./retry-strategy.ts";
import { caseOf } from "./engine-case.ts";

/** A schedule that knows nothing of declines: its next try after an instant, or null. */
export type Schedule = (story: Story, from: Date) => Wanted | null;

/**
 * Holds a schedule to what every policy is held to: it ends where a decline says that no try can help, and the rulebook moves its
 * tries later. So policies differ in when they try, and in nothing else.
 */
export const held = (name: string, label: string, schedule: Schedule): Contender => ({
  name,
  label,
  baseline: true,
  next(story, now) {
    const facts = caseOf(story);
    if (isHard(facts)) return null;
    const wanted = schedule(story, now);
    const at = wanted && legalFrom(facts.attempts, wanted.at, currentRulebook).at;
    return at && { at, probability: wanted.probability };
  },
});

/** Whether the last decline says that trying again cannot help; the same definition tells hard declines apart in reports. */
export function isHard(facts: RecoveryCase): boolean {
  const last = facts.attempts.at(-1);
  const changed = facts.events.some(({ at }) => last && at > last.at);
  return last !== undefined && !changed && endingOf(classify(last, facts)) !== undefined;
}
