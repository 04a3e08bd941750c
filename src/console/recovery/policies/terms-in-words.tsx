import { billingWords } from "../../billing/words.texts.ts";
import type { PolicyTermsFragment, RetryTimesFragment } from "../../generated/operations.ts";
import { useFormats } from "../../language/formats.ts";
import { useTexts } from "../../language/language.tsx";
import { Facts, type Fact } from "../../parts/facts.tsx";
import { useVendor } from "../../session/vendor.tsx";
import { recoveryWords } from "../words.texts.ts";
import { policiesTexts } from "./policies.texts.ts";

/** A function that says in words when a plan retries. */
export function usePlanWords(): (plan: RetryTimesFragment) => string {
  const texts = useTexts(policiesTexts);
  const { count } = useFormats();
  return ({ kind, offsetsInDays, maxRetries, windowInDays }) => {
    if (kind === "LADDER") return texts.ladder(offsetsInDays.join(", "));
    return (kind === "EVEN" ? texts.even : texts.smart)(count(maxRetries), count(windowInDays));
  };
}

type Override = PolicyTermsFragment["overrides"][number];

/** A function that says in words for which cases an exception holds, and what it changes. */
function useOverrideWords(): (override: Override) => string {
  const texts = useTexts(policiesTexts);
  const { reasons } = useTexts(recoveryWords);
  const { methods } = useTexts(billingWords);
  const planWords = usePlanWords();
  return ({ reasonClass, country, paymentMethod, plan, quietHours }) => {
    const conditions = [reasonClass && reasons[reasonClass], country, paymentMethod && methods[paymentMethod]];
    const changes = [plan && planWords(plan), quietHours && texts.quiet(quietHours.quietFrom, quietHours.quietUntil)];
    return `${conditions.filter(Boolean).join(" · ")}: ${changes.filter(Boolean).join("; ")}`;
  };
}

/** The terms of a policy as facts; `before` are facts about the policy itself. */
export function TermsFacts({ terms, before = [] }: { terms: PolicyTermsFragment; before?: readonly Fact[] }) {
  const texts = useTexts(policiesTexts);
  const planWords = usePlanWords();
  const overrideWords = useOverrideWords();
  const { money, percent } = useFormats();
  const { currency } = useVendor();
  const { plan, quietHours, overrides, retryCost, finalAction, model, exploration } = terms;
  const isSmart = plan.kind === "SMART" || overrides.some((override) => override.plan?.kind === "SMART");
  return (
    <Facts
      facts={[
        ...before,
        [texts.plan, planWords(plan)],
        [texts.quietHours, quietHours && texts.quiet(quietHours.quietFrom, quietHours.quietUntil)],
        [
          texts.overrides,
          overrides.length > 0 && (
            <ul className="plain">
              {overrides.map((override, index) => (
                <li key={index}>{overrideWords(override)}</li>
              ))}
            </ul>
          ),
        ],
        [texts.retryCost, retryCost !== null && money(retryCost, currency)],
        [texts.finalAction, finalAction === null ? texts.finalActionDefault : texts.finalActions[finalAction]],
        [texts.model, isSmart && model],
        [texts.exploration, isSmart && exploration && texts.explored(percent(exploration.share))],
      ]}
    />
  );
}
