import { toAmount, ZERO } from "../kernel/amounts.ts";
import type { BusinessMetric } from "../../schema/vocabulary.ts";

/** An event, as far as it is counted. */
interface CountedEvent {
  subject: string;
  subjectId: number;
  trigger: string;
  statusBefore?: string | null;
  statusAfter: string;
  facts?: Readonly<Record<string, unknown>>;
}

const endedStatuses: ReadonlySet<string> = new Set(["CANCELED", "EXPIRED"]);

/** The business metric that an event counts in; null for most. */
function metricOf({ subject, trigger, statusBefore, statusAfter, facts }: CountedEvent): BusinessMetric | null {
  const isKind = (kind: string, verb: string) => subject === kind && trigger === verb;
  if (isKind("PAYMENT", "succeedPayment")) return amountFact(facts).gt(0) ? "GROSS" : null;
  if (isKind("REFUND", "completeRefund")) return "REFUNDED";
  if (isKind("PAYMENT", "failPayment")) return facts?.isFault === true ? null : "DECLINED";
  if (subject !== "SUBSCRIPTION") return null;
  if (statusBefore == null) return "STARTED";
  return endedStatuses.has(statusAfter) && !endedStatuses.has(statusBefore) ? "ENDED" : null;
}

const amountFact = (facts: CountedEvent["facts"]) => toAmount(textFact(facts, "amount") || "0");

function textFact(facts: CountedEvent["facts"], key: string): string {
  const value = facts?.[key];
  return typeof value === "string" ? value : "";
}

/** The counts that an event adds to its day; null if it adds none. */
export function toBusinessCount(event: CountedEvent) {
  const metric = metricOf(event);
  if (metric === null) return null;
  const { subjectId: recordId, facts, subject } = event;
  const isMoney = subject !== "SUBSCRIPTION";
  const counted = {
    metric,
    recordId,
    currency: textFact(facts, "currency"),
    amount: isMoney ? amountFact(facts) : ZERO,
  };
  if (metric !== "DECLINED") return counted;
  const code = (key: string) => textFact(facts, key).trim().toUpperCase();
  const codeAndWording = [code("errorCode"), code("wording")].join("\n").trimEnd();
  return { ...counted, decline: { gateway: code("gateway"), code: codeAndWording, advice: code("adviceCode") } };
}
