import type { CoverEndReason, Network, ReasonClass } from "../../../schema/vocabulary.ts";
import { adviceClasses, codeClasses, messageClasses } from "./decline-table.ts";

/** A decline as a gateway worded it and a merchant passed it on. */
export interface Decline {
  code: string | null;
  message: string | null;
  adviceCode: string | null;
  network: Network | null;
}

const classOfCode = new Map(
  Object.entries(codeClasses).flatMap(([reason, codes]) => codes.map((code) => [code, reason as ReasonClass] as const)),
);

/** What a decline means: the advice of the network first, then the code, then the wording, else honestly unknown. */
export function classify({ code, message, adviceCode }: Decline): ReasonClass {
  return (
    adviceClasses[normalCode(adviceCode)] ??
    classOfCode.get(normalCode(code)) ??
    messageClasses.find(([wording]) => wording.test(message ?? ""))?.[1] ??
    "UNKNOWN"
  );
}

const endings: Readonly<Partial<Record<ReasonClass, CoverEndReason>>> = {
  NEVER: "MUST_NOT_RETRY",
  FIX_DATA_FIRST: "NEEDS_NEW_METHOD",
  CUSTOMER_MUST_ACT: "NEEDS_CUSTOMER",
  ALREADY_PAID: "ALREADY_PAID",
};

/** The reason for which a class ends a scenario at once, if it does. */
export const endingOf = (reason: ReasonClass): CoverEndReason | undefined => endings[reason];

/** A code as the tables have it. ISO 8583 codes have two places; some gateways drop the leading zero. */
export function normalCode(code: string | null): string {
  const trimmed = (code ?? "").trim().toUpperCase();
  return /^\d$/.test(trimmed) ? `0${trimmed}` : trimmed;
}
