import type { CoverEventKind, EventType } from "../../../schema/vocabulary.ts";
import type { EventTitle } from "../../events/event.titles.ts";

/** Titles of the recovery module's events for people, in each language. */
export const coverEventTitles: Readonly<Record<CoverEventKind, EventTitle>> = {
  ORDER_REGISTERED: { ENGLISH: "Order registered", KOREAN: "주문 등록" },
  ORDER_UPDATED: { ENGLISH: "Order details replaced", KOREAN: "주문 정보 변경" },
  ORDER_STATUS_CHANGED: { ENGLISH: "Order status changed", KOREAN: "주문 상태 변경" },
  ORDER_PAID: { ENGLISH: "Order paid", KOREAN: "결제 완료" },
  ORDER_CANCELED: { ENGLISH: "Order cancelled", KOREAN: "주문 취소" },
  LATE_PAYMENT: { ENGLISH: "Paid after the cancellation", KOREAN: "취소 후 결제" },
  PAYMENT_METHOD_CHANGED: { ENGLISH: "Payment method replaced", KOREAN: "결제 수단 갱신" },
  RECOVERY_STARTED: { ENGLISH: "Recovery started", KOREAN: "결제 복구 시작" },
  RECOVERY_ATTEMPT_FAILED: { ENGLISH: "Retry failed", KOREAN: "재결제 실패" },
  RECOVERY_RETRY_MOVED: { ENGLISH: "Retry rescheduled", KOREAN: "재결제 일정 변경" },
  RECOVERY_RETRY_DUE: { ENGLISH: "Retry due", KOREAN: "재결제 예정일 도래" },
  RECOVERY_RECOVERED: { ENGLISH: "Payment recovered", KOREAN: "결제 복구 성공" },
  RECOVERY_EXHAUSTED: { ENGLISH: "Recovery ended: no retries left", KOREAN: "재결제 횟수 소진" },
  RECOVERY_STOPPED: { ENGLISH: "Recovery stopped", KOREAN: "결제 복구 중단" },
  SUBSCRIPTION_REGISTERED: { ENGLISH: "Subscription registered", KOREAN: "구독 등록" },
  SUBSCRIPTION_UPDATED: { ENGLISH: "Subscription details replaced", KOREAN: "구독 정보 변경" },
  SUBSCRIPTION_CANCELED: { ENGLISH: "Subscription cancelled", KOREAN: "구독 취소" },
  SUBSCRIPTION_ACTIVATED: { ENGLISH: "Subscription activated", KOREAN: "구독 활성화" },
  SUBSCRIPTION_PAUSED: { ENGLISH: "Subscription paused", KOREAN: "구독 일시 정지" },
  SUBSCRIPTION_EXPIRED: { ENGLISH: "Subscription expired", KOREAN: "구독 만료" },
};

/** True if the trigger of an event is a word of the recovery module's registered records. */
export const isCoverEventKind = (trigger: string): trigger is CoverEventKind =>
  Object.hasOwn(coverEventTitles, trigger);

/** The titles of the events of a renewal's cover, by their types; the recovery module shows them beside its own. */
export const renewalCoverTitles: Readonly<Partial<Record<EventType, EventTitle>>> = {
  COVER_STARTED: coverEventTitles.RECOVERY_STARTED,
  COVER_ATTEMPT_FAILED: coverEventTitles.RECOVERY_ATTEMPT_FAILED,
  COVER_RETRY_SCHEDULED: coverEventTitles.RECOVERY_RETRY_MOVED,
  COVER_RECOVERED: coverEventTitles.RECOVERY_RECOVERED,
  COVER_EXHAUSTED: coverEventTitles.RECOVERY_EXHAUSTED,
  COVER_STOPPED: coverEventTitles.RECOVERY_STOPPED,
};
