import { toAmount, ZERO } from "../kernel/amounts.ts";
import type { BusinessMetric } from "../../schema/vocabulary.ts";

/** The fields of an event that counting needs. */
interface CountedEvent {
  subject: string;
  subjectId: number;
  trigger: string;
  statusBefore?: string | null;
  statusAfter?: string | null;
  facts?: Readonly<Record<string, unknown>>;
}

const endedStatuses: ReadonlySet<string> = new Set(["CANCELED", "EXPIRED"]);

/** The metric that counts an event; null for most events. */
function metricOf({ subject, trigger, statusBefore, statusAfter, facts }: CountedEvent): BusinessMetric | null {
  const isEvent = (ofSubject: string, ofTrigger: string) => subject === ofSubject && trigger === ofTrigger;
  if (isEvent("PAYMENT", "succeedPayment")) return amountFact(facts).gt(0) ? "GROSS" : null;
  if (isEvent("REFUND", "completeRefund")) return "REFUNDED";
  if (isEvent("PAYMENT", "failPayment")) return facts?.isFault === true ? null : "DECLINED";
  if (subject !== "SUBSCRIPTION") return null;
  if (statusBefore == null) return "STARTED";
  return statusAfter && endedStatuses.has(statusAfter) && !endedStatuses.has(statusBefore) ? "ENDED" : null;
}

const amountFact = (facts: CountedEvent["facts"]) => toAmount(textFact(facts, "amount") || "0");

function textFact(facts: CountedEvent["facts"], key: string): string {
  const value = facts?.[key];
  return typeof value === "string" ? value : "";
}

/** The count that an event adds to its day; null if it is not counted. */
export function toBusinessCount(event: CountedEvent) {
  const metric = metricOf(event);
  if (metric === null) return null;
  const { subjectId: recordId, facts, subject } = event;
  const hasAmount = subject !== "SUBSCRIPTION";
  const counted = {
    metric,
    recordId,
    currency: textFact(facts, "currency"),
    amount: hasAmount ? amountFact(facts) : ZERO,
  };
  if (metric !== "DECLINED") return counted;
  const codeFact = (key: string) => textFact(facts, key).trim().toUpperCase();
  const codeAndMessage = [codeFact("errorCode"), codeFact("wording")].join("\n").trimEnd();
  return {
    ...counted,
    decline: { gateway: codeFact("gateway"), code: codeAndMessage, advice: codeFact("adviceCode") },
  };
}
