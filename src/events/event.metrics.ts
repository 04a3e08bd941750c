import { amountOf, ZERO } from "../kernel/amounts.ts";
import type { BusinessMetric } from "../../schema/vocabulary.ts";

/** An event, as far as it is counted. */
interface CountedEvent {
  subject: string;
  subjectId: number;
  happening: string;
  statusBefore?: string | null;
  statusAfter: string;
  facts?: Readonly<Record<string, unknown>>;
}

const ended: ReadonlySet<string> = new Set(["CANCELED", "EXPIRED"]);

/** Which figure of the business an event counts in; null for most. */
function metricOf({ subject, happening, statusBefore, statusAfter, facts }: CountedEvent): BusinessMetric | null {
  const is = (kind: string, verb: string) => subject === kind && happening === verb;
  if (is("PAYMENT", "succeedPayment")) return amountIn(facts).gt(0) ? "GROSS" : null;
  if (is("REFUND", "completeRefund")) return "REFUNDED";
  if (is("PAYMENT", "failPayment")) return facts?.isFault === true ? null : "DECLINED";
  if (subject !== "SUBSCRIPTION") return null;
  if (statusBefore == null) return "STARTED";
  return ended.has(statusAfter) && !ended.has(statusBefore) ? "ENDED" : null;
}

const amountIn = (facts: CountedEvent["facts"]) => amountOf(textIn(facts, "amount") || "0");

function textIn(facts: CountedEvent["facts"], key: string): string {
  const value = facts?.[key];
  return typeof value === "string" ? value : "";
}

/** What an event adds to the figures of its day; null where it adds nothing. */
export function countOf(event: CountedEvent) {
  const metric = metricOf(event);
  if (metric === null) return null;
  const { subjectId: recordId, facts, subject } = event;
  const isMoney = subject !== "SUBSCRIPTION";
  const counted = { metric, recordId, currency: textIn(facts, "currency"), amount: isMoney ? amountIn(facts) : ZERO };
  if (metric !== "DECLINED") return counted;
  const code = (key: string) => textIn(facts, key).trim().toUpperCase();
  const said = [code("errorCode"), code("wording")].join("\n").trimEnd();
  return { ...counted, decline: { gateway: code("gateway"), code: said, advice: code("adviceCode") } };
}
