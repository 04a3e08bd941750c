import type { AttemptKind, CoverEndReason, CoverState, ReasonClass } from "../generated/operations.ts";
import { translations } from "../language/language.tsx";
import type { Tone } from "../parts/state-badge.tsx";

/** Words of the recovery module, as people read them. */
interface RecoveryWords {
  states: Record<CoverState, string>;
  endReasons: Record<CoverEndReason, string>;
  reasons: Record<ReasonClass, string>;
  kinds: Record<AttemptKind, string>;
}

export const recoveryWords = translations<RecoveryWords>(
  {
    states: { IN_PROGRESS: "In progress", RECOVERED: "Recovered", EXHAUSTED: "Exhausted", STOPPED: "Stopped" },
    endReasons: {
      ALREADY_PAID: "Paid before",
      CANCELED: "Cancelled",
      MUST_NOT_RETRY: "Must not be retried",
      NEEDS_CUSTOMER: "The payer must act",
      NEEDS_NEW_METHOD: "Needs another payment method",
      NOT_WORTH_RETRYING: "Not worth another retry",
      NO_TRIES_LEFT: "All retries used",
      PAID: "Paid",
      WINDOW_OVER: "Time is over",
    },
    reasons: {
      ALREADY_PAID: "Paid before",
      CUSTOMER_MUST_ACT: "The payer must act",
      FIX_DATA_FIRST: "Wrong or expired method",
      GENERIC_REFUSAL: "Refused without a reason",
      INSUFFICIENT_FUNDS: "Insufficient funds",
      LIMIT_EXCEEDED: "Limit exceeded",
      NEVER: "Must not be retried",
      RESTRICTED: "Account restricted",
      SUSPECTED_FRAUD: "Suspected fraud",
      TECHNICAL: "Technical failure",
      UNKNOWN: "Unknown code",
    },
    kinds: { FIRST_FAILURE: "First failure", SCHEDULED: "Retry", UNSCHEDULED: "Unscheduled attempt" },
  },
  {
    states: { IN_PROGRESS: "진행 중", RECOVERED: "회복됨", EXHAUSTED: "재시도 소진", STOPPED: "중단됨" },
    endReasons: {
      ALREADY_PAID: "이미 결제됨",
      CANCELED: "취소됨",
      MUST_NOT_RETRY: "재시도 금지",
      NEEDS_CUSTOMER: "결제자의 조치 필요",
      NEEDS_NEW_METHOD: "다른 결제 수단 필요",
      NOT_WORTH_RETRYING: "재시도 비용이 더 큼",
      NO_TRIES_LEFT: "재시도 횟수 소진",
      PAID: "결제됨",
      WINDOW_OVER: "기간 종료",
    },
    reasons: {
      ALREADY_PAID: "이미 결제됨",
      CUSTOMER_MUST_ACT: "결제자의 조치 필요",
      FIX_DATA_FIRST: "잘못되었거나 만료된 수단",
      GENERIC_REFUSAL: "사유 없는 거절",
      INSUFFICIENT_FUNDS: "잔액 부족",
      LIMIT_EXCEEDED: "한도 초과",
      NEVER: "재시도 금지",
      RESTRICTED: "사용이 제한된 계좌",
      SUSPECTED_FRAUD: "부정 사용 의심",
      TECHNICAL: "기술적 오류",
      UNKNOWN: "알 수 없는 코드",
    },
    kinds: { FIRST_FAILURE: "최초 실패", SCHEDULED: "재시도", UNSCHEDULED: "일정 외 시도" },
  },
);

export const COVER_TONES: Record<CoverState, Tone> = {
  IN_PROGRESS: "running",
  RECOVERED: "good",
  EXHAUSTED: "bad",
  STOPPED: "neutral",
};

/** Meanings that a decline code can be given; UNKNOWN is none. */
export const MEANINGS: readonly ReasonClass[] = [
  "INSUFFICIENT_FUNDS",
  "LIMIT_EXCEEDED",
  "GENERIC_REFUSAL",
  "TECHNICAL",
  "CUSTOMER_MUST_ACT",
  "FIX_DATA_FIRST",
  "RESTRICTED",
  "SUSPECTED_FRAUD",
  "NEVER",
  "ALREADY_PAID",
];
