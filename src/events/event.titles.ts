import type { TitleLanguage } from "../../schema/vocabulary.ts";

/** What a person would call an event, in each language. */
export type Title = Readonly<Record<TitleLanguage, string>>;

const title = (ENGLISH: string, KOREAN: string): Title => ({ ENGLISH, KOREAN });

/** The titles of all events of the billing side, by their kinds. What has no title here cannot be recorded. */
export const eventTitles = {
  registerCustomer: title("Customer registered", "고객 등록"),
  makeDormant: title("Customer became dormant", "휴면 고객으로 전환"),
  wakeCustomer: title("Customer became active again", "휴면 해제"),

  createOrder: title("Order created", "주문 생성"),
  awaitDeposit: title("Waiting for the deposit", "입금 대기"),
  payOrder: title("Order paid", "결제 완료"),
  failPayment: title("Payment failed", "결제 실패"),
  cancelOrder: title("Order cancelled", "주문 취소"),
  requestCancellation: title("Cancellation requested", "취소 요청"),
  withdrawCancellation: title("Cancellation request withdrawn", "취소 요청 철회"),
  denyCancellation: title("Cancellation denied", "취소 거절"),
  acceptCancellation: title("Cancellation accepted", "취소 승인"),
  suspendDelivery: title("Delivery stopped", "배송 중단"),
  cancelDelivery: title("Delivery cancelled", "배송 취소"),
  refundOrderItems: title("Refunded in full", "전액 환불"),
  refundOrderItemsInPart: title("Refunded in part", "부분 환불"),
  resumeOrderItem: title("Order continued", "주문 진행 재개"),
  prepareDelivery: title("Delivery being prepared", "배송 준비 중"),
  sendDelivery: title("Shipped", "배송 시작"),
  completeDelivery: title("Delivered", "배송 완료"),
  confirmReceipt: title("Receipt confirmed by the customer", "수령 확인"),
  finishDelivery: title("Delivery finished", "배송 종료"),
  endExchangePeriod: title("Exchange period ended", "교환 기간 종료"),
  endReturnPeriod: title("Return period ended", "반품 기간 종료"),
  sendCollection: title("Goods on their way back", "상품 회수 중"),
  completeCollection: title("Goods came back", "상품 회수 완료"),
  requestReturn: title("Return requested", "반품 요청"),
  withdrawReturn: title("Return request withdrawn", "반품 요청 철회"),
  approveReturn: title("Return approved", "반품 승인"),
  rejectReturn: title("Return rejected", "반품 거절"),
  postponeReturn: title("Return decision deferred", "반품 결정 보류"),
  acceptReturn: title("Return accepted", "반품 확정"),
  requestExchange: title("Exchange requested", "교환 요청"),
  withdrawExchange: title("Exchange request withdrawn", "교환 요청 철회"),
  approveExchange: title("Exchange approved", "교환 승인"),
  rejectExchange: title("Exchange rejected", "교환 거절"),
  postponeExchange: title("Exchange decision deferred", "교환 결정 보류"),
  acceptExchange: title("Exchange accepted", "교환 확정"),

  draftInvoice: title("Invoice drafted", "청구서 초안 작성"),
  reserveInvoice: title("Invoice scheduled", "청구서 발송 예약"),
  sendInvoice: title("Invoice sent", "청구서 발송"),
  failSending: title("Invoice could not be delivered", "청구서 발송 실패"),
  payInvoice: title("Invoice paid", "청구서 결제 완료"),
  passDeadline: title("Invoice overdue", "청구서 납부 기한 초과"),

  startPayment: title("Payment started", "결제 시작"),
  succeedPayment: title("Payment succeeded", "결제 성공"),
  losePayment: title("Payment outcome unknown", "결제 결과 확인 중"),
  startRefund: title("Refund started", "환불 시작"),
  completeRefund: title("Refund completed", "환불 완료"),
  refuseRefund: title("Refund refused by the gateway", "결제사에서 환불 거절"),
  loseRefund: title("Refund outcome unknown", "환불 결과 확인 중"),

  startSubscription: title("Subscription started", "구독 시작"),
  startUnconfirmedSubscription: title("Subscription waits for its payment method", "결제 수단 확인 대기"),
  confirmPaymentMethod: title("Payment method confirmed", "결제 수단 확인 완료"),
  claimRenewal: title("Renewal charge started", "정기 결제 진행"),
  completeRenewal: title("Subscription renewed", "구독 갱신"),
  failRenewal: title("Renewal charge failed", "정기 결제 실패"),
  recoverPayment: title("Failed charge recovered", "실패한 결제 복구"),
  expireAfterRecovery: title("Subscription expired after a failed recovery", "결제 복구 실패로 구독 만료"),
  pauseAfterRecovery: title("Subscription paused after a failed recovery", "결제 복구 실패로 구독 일시 정지"),
  cancelAfterRecovery: title("Subscription cancelled after a failed recovery", "결제 복구 실패로 구독 취소"),
  pauseSubscription: title("Subscription paused", "구독 일시 정지"),
  schedulePause: title("Pause scheduled", "일시 정지 예약"),
  startPause: title("Scheduled pause began", "예약된 일시 정지 시작"),
  endPause: title("Pause ended", "일시 정지 종료"),
  activateSubscription: title("Subscription activated", "구독 활성화"),
  cancelSubscription: title("Subscription cancelled", "구독 취소"),
  scheduleCancellation: title("Cancellation scheduled", "구독 취소 예약"),
  completeCancellation: title("Scheduled cancellation took effect", "예약된 구독 취소 완료"),
  expireSubscription: title("Subscription expired", "구독 만료"),
  exhaustRecovery: title("Recovery ended without payment", "결제 복구 종료"),
  postponeRenewal: title("Charge deferred", "결제 연기"),
  payBesides: title("Payment received outside the schedule", "일정 외 결제"),
  changePaymentMethod: title("Payment method changed", "결제 수단 변경"),
  orderPaymentMethod: title("Payment method requested", "결제 수단 등록 요청"),
  orderChange: title("Change ordered", "변경 주문 생성"),
  addItem: title("Item added", "항목 추가"),
  removeItem: title("Item removed", "항목 삭제"),
  changeQuantity: title("Quantity changed", "수량 변경"),
  changePlan: title("Plan changed", "요금제 변경"),
  schedulePlanChange: title("Plan change scheduled", "요금제 변경 예약"),
  withdrawPlanChange: title("Scheduled plan change withdrawn", "요금제 변경 예약 철회"),
  changeInterval: title("Billing interval changed", "결제 주기 변경"),
  recordUnits: title("Usage recorded", "사용량 기록"),

  startRecovery: title("Recovery started", "결제 복구 시작"),
  failRetry: title("Retry failed", "재결제 실패"),
  moveRetry: title("Retry rescheduled", "재결제 일정 변경"),
  endRecovery: title("Recovery ended", "결제 복구 종료"),
} as const satisfies Record<string, Title>;

/** A kind of event of the billing side: the trigger of a state machine, or a change that leaves the state. */
export type EventKind = keyof typeof eventTitles;

/** The title of a stored event. */
export const titleOf = (kind: string, language: TitleLanguage): string => eventTitles[kind as EventKind][language];
