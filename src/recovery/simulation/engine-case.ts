import { PaymentGateway } from "../../../schema/vocabulary.ts";
import { amountOf } from "../../kernel/amounts.ts";
import { zoneRules, type ZoneRules } from "../../kernel/zone-rules.ts";
import type { CaseAttempt, RecoveryCase } from "../engine/recovery-case.ts";
import type { Story } from "./retry-strategy.ts";

const rules = new Map<string, ZoneRules>();

/** Looking rules up is slow; those around the first of a month serve the whole month. */
function rulesAround(zoneId: string, at: Date): ZoneRules {
  const month = at.toISOString().slice(0, 7);
  const key = `${zoneId} ${month}`;
  const known = rules.get(key) ?? zoneRules(zoneId, new Date(`${month}-01T00:00:00Z`));
  rules.set(key, known);
  return known;
}

const isGateway = (word: string): word is PaymentGateway => Object.hasOwn(PaymentGateway, word);

/** What the gateway would hand to the engine after these reports. The one place where simulations meet the engine's facts. */
export function caseOf(story: Story): RecoveryCase {
  const { amount, currency, country, timeZone, gateway, network = null, windowStart, used } = story;
  return {
    amount: amountOf(amount),
    currency,
    country,
    gateway: isGateway(gateway) ? gateway : "UNKNOWN",
    paymentMethod: null,
    zone: rulesAround(timeZone, windowStart),
    windowStart,
    attempts: story.declines.map(({ at, code = null, message = null, adviceCode = null }): CaseAttempt => ({
      at,
      code,
      message,
      adviceCode,
      network,
      initiator: "MERCHANT",
    })),
    alongside: [],
    events: story.methodChanges.map((at) => ({ at, kind: "METHOD_CHANGED" })),
    promised: null,
    due: null,
    used,
  };
}
