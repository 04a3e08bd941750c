import type { ReasonClass } from "../../../schema/vocabulary.ts";

/**
 * What response codes and messages mean, as data. The base layer is ISO 8583 field 39 as card networks use it,
 * with the network's own letters (N7, R0 …), SEPA and ACH return codes; checked against public lists on 2026-11-21.
 * Codes are not portable between gateways: a gateway's own codes belong in a layer above this one.
 */
export const codeClasses: Readonly<Record<Exclude<ReasonClass, "UNKNOWN">, readonly string[]>> = {
  INSUFFICIENT_FUNDS: ["51", "AM04", "R01", "R09"],
  LIMIT_EXCEEDED: ["61", "65", "N3", "N4", "Z5"],
  GENERIC_REFUSAL: ["01", "02", "03", "05"],
  TECHNICAL: ["06", "19", "22", "91", "92", "96"],
  SUSPECTED_FRAUD: ["34", "59", "63", "83"],
  RESTRICTED: ["36", "62", "78", "39", "52", "53", "93", "5C", "9G"],
  FIX_DATA_FIRST: ["13", "33", "54", "82", "N7", "6P"],
  CUSTOMER_MUST_ACT: ["55", "70", "75", "86", "1A"],
  NEVER: ["04", "07", "12", "14", "15", "41", "43", "46", "57", "R0", "R1", "R3"],
  ALREADY_PAID: ["94", "ALREADY_PROCESSED_PAYMENT"],
};

/** Merchant advice codes that decide by themselves; the others only delay (see the rulebook). */
export const adviceClasses: Readonly<Record<string, ReasonClass>> = {
  "01": "FIX_DATA_FIRST",
  "03": "NEVER",
  "21": "NEVER",
};

/** Wordings of gateways that send no code worth the name; the first that fits decides. */
export const messageClasses: readonly (readonly [RegExp, ReasonClass])[] = [
  [/분실|도난|해지|정지|\b(?:lost|stolen)\b|pick ?up card|closed account|account closed|do not try again/i, "NEVER"],
  [/이미\s*(?:처리|결제|승인)|already (?:paid|processed)|duplicate (?:transaction|payment)/i, "ALREADY_PAID"],
  [/유효기간|expired card|card (?:has )?expired|invalid (?:card|account) number/i, "FIX_DATA_FIRST"],
  [/본인\s*인증|비밀번호|authentication required|incorrect pin/i, "CUSTOMER_MUST_ACT"],
  [/잔액\s*부족|insufficient funds|not sufficient funds/i, "INSUFFICIENT_FUNDS"],
  [/한도\s*초과|(?:limit|amount|frequency) exceeded|exceeds .*limit/i, "LIMIT_EXCEEDED"],
  [/time[ -]?out|unavailable|system (?:error|malfunction)|시스템\s*(?:오류|장애)|통신\s*(?:오류|장애)/i, "TECHNICAL"],
  [/do not hono[u]?r|generic decline|거절/i, "GENERIC_REFUSAL"],
];
