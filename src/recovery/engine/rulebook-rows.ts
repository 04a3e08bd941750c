import type { Network } from "../../../schema/vocabulary.ts";
import { codeClasses } from "./decline-table.ts";

/** The limit of a row. */
export type RulebookLimit =
  /** The earliest next attempt, in hours after the decline. */
  | { kind: "FLOOR"; hours: number }
  /** No further try at all. */
  | { kind: "NEVER" }
  /** At most so many tries within any stretch of so many hours, the next one counted; the first attempt is one of them. */
  | { kind: "RATE"; tries: number; hours: number }
  /** At most so many tries after the first attempt, however long one waits. */
  | { kind: "REPRESENTMENTS"; tries: number };

/** A limit that no policy may break, with its source. */
export interface RulebookRow {
  id: string;
  network: Network;
  /** The region of the rule; null for all. */
  region: string | null;
  /** The declines that the rule covers, by response code or advice code; all if neither is given. */
  codes?: readonly string[];
  adviceCode?: string;
  limit: RulebookLimit;
  /**
   * The attempts that the network counts together. The attempts of a case have one card and one amount; other attempts
   * on the same card share the card only.
   */
  scope: "CARD" | "CARD_AND_AMOUNT" | "MANDATE";
  /** Whether attempts of the payer and of the merchant are counted separately. */
  initiatorsApart: boolean;
  /** The days from and until which it is in force, both included; null if unbounded. */
  effectiveFrom: string | null;
  effectiveTo: string | null;
  source: string;
  checkedOn: string;
}

const CHECKED_ON = "2026-11-21";
const DAY = 24;

const VISA_RULES = "Visa Core Rules and Visa Product and Service Rules, declined transaction resubmission";
const MASTERCARD_RULES = "Mastercard Transaction Processing Rules, transaction processing excellence program";
const ADVICE_CODES = "Mastercard Transaction Processing Rules, merchant advice codes (data element 48, subelement 84)";

const row = (
  id: string,
  network: Network,
  limit: RulebookLimit,
  source: string,
  rest: Partial<RulebookRow> = {},
): RulebookRow => ({
  id,
  network,
  region: null,
  limit,
  scope: "CARD",
  initiatorsApart: false,
  effectiveFrom: null,
  effectiveTo: null,
  source,
  checkedOn: CHECKED_ON,
  ...rest,
});

const adviceFloor = (adviceCode: string, hours: number): RulebookRow =>
  row(`mastercard-advice-${adviceCode}`, "MASTERCARD", { kind: "FLOOR", hours }, ADVICE_CODES, { adviceCode });

const adviceNever = (adviceCode: string): RulebookRow =>
  row(`mastercard-advice-${adviceCode}`, "MASTERCARD", { kind: "NEVER" }, ADVICE_CODES, { adviceCode });

/**
 * Current and former rows: an attempt is checked against the rows of its day. Visa limits reattempts, whereas these
 * rows count the first attempt too; the limits are one lower, which breaks no reading of the rule.
 */
export const rulebookRows: readonly RulebookRow[] = [
  row("visa-category-1", "VISA", { kind: "NEVER" }, VISA_RULES, { codes: codeClasses.NEVER }),
  row("visa-15-in-30-days", "VISA", { kind: "RATE", tries: 15, hours: 30 * DAY }, VISA_RULES, {
    initiatorsApart: true,
    effectiveTo: "2025-05-24",
  }),
  row("visa-20-in-30-days", "VISA", { kind: "RATE", tries: 20, hours: 30 * DAY }, VISA_RULES, {
    initiatorsApart: true,
    effectiveFrom: "2025-05-25",
  }),
  row("mastercard-10-in-24-hours", "MASTERCARD", { kind: "RATE", tries: 10, hours: DAY }, MASTERCARD_RULES, {
    scope: "CARD_AND_AMOUNT",
  }),
  row("mastercard-35-in-30-days", "MASTERCARD", { kind: "RATE", tries: 35, hours: 30 * DAY }, MASTERCARD_RULES, {
    scope: "CARD_AND_AMOUNT",
  }),
  adviceNever("03"),
  adviceNever("21"),
  adviceFloor("02", 72),
  adviceFloor("24", 1),
  adviceFloor("25", 1 * DAY),
  adviceFloor("26", 2 * DAY),
  adviceFloor("27", 4 * DAY),
  adviceFloor("28", 6 * DAY),
  adviceFloor("29", 8 * DAY),
  adviceFloor("30", 10 * DAY),
  row(
    "sepa-2-tries",
    "SEPA",
    { kind: "REPRESENTMENTS", tries: 2 },
    "European Payments Council, SEPA Direct Debit Core Rulebook",
    { region: "the single euro payments area", scope: "MANDATE" },
  ),
  row(
    "ach-2-representments",
    "ACH",
    { kind: "REPRESENTMENTS", tries: 2 },
    "Nacha Operating Rules, subsection 2.13.4, reinitiation of returned entries",
    { region: "the United States", scope: "MANDATE" },
  ),
];
