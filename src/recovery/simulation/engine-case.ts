import { PaymentGateway } from "../../../schema/vocabulary.ts";
import { toAmount } from "../../kernel/amounts.ts";
import { cachedZoneRules } from "../../kernel/zone-rules.ts";
import type { CaseAttempt, RecoveryCase } from "../engine/recovery-case.ts";
import type { ReportedHistory } from "./retry-strategy.ts";

const isGateway = (word: string): word is PaymentGateway => Object.hasOwn(PaymentGateway, word);

/**
 * Builds the facts that the gateway would pass to the engine after these reports. Simulations build them only here.
 */
export function toEngineCase(history: ReportedHistory): RecoveryCase {
  const { amount, currency, country, timeZone, gateway, network = null, windowStart, used } = history;
  return {
    amount: toAmount(amount),
    currency,
    country,
    gateway: isGateway(gateway) ? gateway : "UNKNOWN",
    paymentMethod: null,
    zone: cachedZoneRules(timeZone, windowStart),
    windowStart,
    attempts: history.declines.map(({ at, code = null, message = null, adviceCode = null }): CaseAttempt => ({
      at,
      code,
      message,
      adviceCode,
      network,
      initiator: "MERCHANT",
    })),
    alongside: [],
    events: history.methodChanges.map((at) => ({ at, kind: "METHOD_CHANGED" })),
    promised: null,
    due: null,
    used,
  };
}
