import type { AttemptKind, CoverEndReason, CoverState, ReasonClass } from "../../../schema/vocabulary.ts";
import { required } from "../../kernel/required-values.ts";
import type { Decision } from "../engine/decision.ts";
import type { CoverRecord } from "./cover.repository.ts";
import type { FailureReport } from "./failure-report.ts";

/** A failure that a merchant reported, or a charge of a renewal that failed. */
export interface CoverFailure extends FailureReport {
  paymentId?: number | null;
}

/** The cover's values after a decision. The lease of the attempt that led to it ends. */
export function toCoverValues(
  { retryAt, endReason, alternatives }: Decision,
  now: Date,
  { shadow, renewalOrderId }: Pick<CoverRecord, "shadow" | "renewalOrderId">,
) {
  if (retryAt) {
    const planned = [retryAt, ...alternatives.map(({ at }) => at)];
    // The caller makes the retries of a registered order, unless it keeps a schedule of its own.
    const announceAt = shadow || renewalOrderId !== null ? null : retryAt;
    return { state: "IN_PROGRESS" as const, retryAt, planned, announceAt, leaseUntil: null };
  }
  // The caller of a shadow goes on: only the payment, or the end of its order, ends the cover.
  if (shadow) return { state: "IN_PROGRESS" as const, retryAt: now, planned: [], announceAt: null, leaseUntil: null };
  return toEndedValues(required(endReason, "endReason"), now);
}

/** The values of an ended cover. */
export const toEndedValues = (endReason: CoverEndReason, now: Date) => ({
  state: endStateOf(endReason),
  endReason,
  endedAt: now,
  retryAt: null,
  planned: [],
  announceAt: null,
  leaseUntil: null,
});

function endStateOf(reason: CoverEndReason): CoverState {
  if (reason === "PAID") return "RECOVERED";
  const isExhausted = reason === "NO_TRIES_LEFT" || reason === "WINDOW_OVER" || reason === "NOT_WORTH_RETRYING";
  return isExhausted ? "EXHAUSTED" : "STOPPED";
}

/** A failed attempt as it is stored. */
export const toAttemptValues = (
  coverId: number,
  number: number,
  kind: AttemptKind,
  failure: CoverFailure,
  reasonClass: ReasonClass,
  now: Date,
) => ({
  coverId,
  number,
  kind,
  paymentId: failure.paymentId ?? null,
  attemptedAt: now,
  errorCode: failure.errorCode ?? null,
  errorMessage: failure.errorMessage ?? null,
  adviceCode: failure.adviceCode ?? null,
  network: failure.network ?? null,
  initiator: failure.initiator ?? ("MERCHANT" as const),
  reasonClass,
});
