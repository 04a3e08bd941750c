import type { CoverEndReason, Network, PaymentGateway, ReasonClass } from "../../../schema/vocabulary.ts";
import {
  adviceClasses,
  codeClasses,
  codeClassesInRegion,
  gatewayClasses,
  messageClasses,
  tossWordClasses,
  wordClasses,
  type RegionalClass,
} from "./decline-table.ts";

/** A decline as a gateway worded it and a merchant passed it on. */
export interface Decline {
  code: string | null;
  message: string | null;
  adviceCode: string | null;
  network: Network | null;
  /** The merchant's mapping of this gateway code, if it is otherwise unknown. */
  mapped?: ReasonClass | null;
}

/** The origin of a decline. */
export interface DeclineOrigin {
  gateway?: PaymentGateway | null;
  /** ISO 3166-1 alpha-2 code of the payer's country. */
  country?: string | null;
}

const toClassByCode = (classes: Partial<Record<ReasonClass, readonly string[]>>): ReadonlyMap<string, ReasonClass> =>
  new Map(
    Object.entries(classes).flatMap(([reason, codes]) => codes.map((code) => [code, reason as ReasonClass] as const)),
  );

const classOfCode = toClassByCode(codeClasses);
const classOfWord = new Map([...toClassByCode(wordClasses), ...toClassByCode(tossWordClasses)]);
const classOfGatewayCode = new Map(
  Object.entries(gatewayClasses).map(([gateway, classes = {}]) => [gateway, toClassByCode(classes)] as const),
);

/**
 * The meaning of a decline: first the network's advice, then the code by the gateway and the networks, then the
 * merchant's mapping, then the message, else UNKNOWN.
 */
export function classifyDecline(decline: Decline, origin: DeclineOrigin = {}): ReasonClass {
  return classFromTables(decline, origin) ?? decline.mapped ?? classFromWording(decline) ?? "UNKNOWN";
}

/** Whether the gateway or the networks define the code, so that a merchant's mapping is not needed. */
export const isKnownCode = (code: string, origin: DeclineOrigin): boolean =>
  classFromTables({ code, message: null, adviceCode: null, network: null }, origin) !== undefined;

function classFromTables(
  { code, adviceCode, network }: Decline,
  { gateway, country }: DeclineOrigin,
): ReasonClass | undefined {
  const normalizedCode = normalizeCode(code);
  const matches = (row: RegionalClass) =>
    row.code === normalizedCode && row.network === network && row.countries.includes(country ?? "");
  return (
    adviceClasses[normalizeCode(adviceCode)] ??
    classOfGatewayCode.get(gateway ?? "UNKNOWN")?.get(normalizedCode) ??
    codeClassesInRegion.find(matches)?.reason ??
    classOfCode.get(normalizedCode) ??
    classOfWord.get(normalizedCode)
  );
}

/** Some gateways send words for codes: `insufficient_funds` is classified like a message. */
function classFromWording({ code, message }: Decline): ReasonClass | undefined {
  const text = `${message ?? ""} ${(code ?? "").replace(/[_.-]+/g, " ")}`;
  return messageClasses.find(([wording]) => wording.test(text))?.[1];
}

const endReasonOfClass: Readonly<Partial<Record<ReasonClass, CoverEndReason>>> = {
  NEVER: "MUST_NOT_RETRY",
  FIX_DATA_FIRST: "NEEDS_NEW_METHOD",
  CUSTOMER_MUST_ACT: "NEEDS_CUSTOMER",
  ALREADY_PAID: "ALREADY_PAID",
};

/** The end reason of a class that ends recovery at once; undefined for others. */
export const endReasonOf = (reason: ReasonClass): CoverEndReason | undefined => endReasonOfClass[reason];

/** A code as the tables have it. ISO 8583 codes have two places; some gateways drop the leading zero. */
export function normalizeCode(code: string | null): string {
  const trimmed = (code ?? "").trim().toUpperCase();
  return /^\d$/.test(trimmed) ? `0${trimmed}` : trimmed;
}
