import type { MessageKind } from "../../../schema/vocabulary.ts";

/** The kinds of notices whose time vendors do not set. */
export type RuledNoticeKind = Extract<MessageKind, "USAGE_CHARGE_COMING" | "TRIAL_ENDING" | "DORMANCY_COMING">;

/** A rule for the time of a notice, with its source. */
export interface NoticeRule {
  id: string;
  kind: RuledNoticeKind;
  /** The notice goes out at least so long before, and at most so long; null if the rule has no such limit. */
  min: number;
  max: number | null;
  unit: "DAYS" | "MONTHS";
  /** The day from which the rule is in force; null if it has none. */
  effectiveFrom: string | null;
  source: string;
  checkedOn: string;
}

const CHECKED_ON = "2026-11-23";

const rule = (
  [id, kind]: [string, RuledNoticeKind],
  limits: Pick<NoticeRule, "min" | "max" | "unit">,
  effectiveFrom: string | null,
  source: string,
): NoticeRule => ({ id, kind, ...limits, effectiveFrom, source, checkedOn: CHECKED_ON });

/** The rules for the times of notices. docs/messages.md shows them, and a test compares. */
export const noticeRules: readonly NoticeRule[] = [
  rule(
    ["contract-usage", "USAGE_CHARGE_COMING"],
    { min: 7, max: 7, unit: "DAYS" },
    null,
    "The REST contract: usage subscriptions",
  ),
  rule(
    ["visa-trial", "TRIAL_ENDING"],
    { min: 7, max: null, unit: "DAYS" },
    "2020-04-18",
    "https://www.payvision.com/scheme-updates/visa-updt-policy-subs-merchs-off-free-trials/",
  ),
  rule(
    ["mastercard-trial", "TRIAL_ENDING"],
    { min: 3, max: 7, unit: "DAYS" },
    "2022-09-22",
    "https://developer.paypal.com/braintree/articles/guides/recurring-billing/mastercard-requirements",
  ),
  rule(
    ["contract-dormancy", "DORMANCY_COMING"],
    { min: 1, max: 1, unit: "MONTHS" },
    null,
    "The REST contract: account status",
  ),
];

/** How long before its occasion a notice goes out, in the unit of its rules: as late as all of them allow. */
export const noticeLead = (kind: RuledNoticeKind): number =>
  Math.max(...noticeRules.filter((one) => one.kind === kind).map(({ min }) => min));
