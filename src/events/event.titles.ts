import type { Language } from "../../schema/vocabulary.ts";

/** The title of an event in each language. */
export type EventTitle = Readonly<Record<Language, string>>;

const toTitle = (ENGLISH: string, KOREAN: string): EventTitle => ({ ENGLISH, KOREAN });

/** The titles of billing events, by trigger. An event whose trigger has no title cannot be recorded. */
export const eventTitles = {
  registerCustomer: toTitle("Customer registered", "고객 등록"),
  updateCustomer: toTitle("Customer details changed", "고객 정보 변경"),
  makeDormant: toTitle("Customer became dormant", "휴면 고객으로 전환"),
  wakeCustomer: toTitle("Customer became active again", "휴면 해제"),
  eraseCustomer: toTitle("Personal data erased", "개인정보 파기"),

  createOrder: toTitle("Order created", "주문 생성"),
  awaitDeposit: toTitle("Waiting for the deposit", "입금 대기"),
  payOrder: toTitle("Order paid", "결제 완료"),
  failPayment: toTitle("Payment failed", "결제 실패"),
  cancelOrder: toTitle("Order cancelled", "주문 취소"),
  requestCancellation: toTitle("Cancellation requested", "취소 요청"),
  withdrawCancellation: toTitle("Cancellation request withdrawn", "취소 요청 철회"),
  denyCancellation: toTitle("Cancellation denied", "취소 거절"),
  acceptCancellation: toTitle("Cancellation accepted", "취소 승인"),
  suspendDelivery: toTitle("Delivery stopped", "배송 중단"),
  cancelDelivery: toTitle("Delivery cancelled", "배송 취소"),
  refundOrderItems: toTitle("Refunded in full", "전액 환불"),
  refundOrderItemsInPart: toTitle("Refunded in part", "부분 환불"),
  resumeOrderItem: toTitle("Order continued", "주문 진행 재개"),
  prepareDelivery: toTitle("Delivery being prepared", "배송 준비 중"),
  sendDelivery: toTitle("Shipped", "배송 시작"),
  completeDelivery: toTitle("Delivered", "배송 완료"),
  confirmReceipt: toTitle("Receipt confirmed by the customer", "수령 확인"),
  finishDelivery: toTitle("Delivery finished", "배송 종료"),
  endExchangePeriod: toTitle("Exchange period ended", "교환 기간 종료"),
  endReturnPeriod: toTitle("Return period ended", "반품 기간 종료"),
  sendCollection: toTitle("Goods on their way to the shop", "상품 회수 중"),
  completeCollection: toTitle("Goods returned", "상품 회수 완료"),
  requestReturn: toTitle("Return requested", "반품 요청"),
  withdrawReturn: toTitle("Return request withdrawn", "반품 요청 철회"),
  approveReturn: toTitle("Return approved", "반품 승인"),
  rejectReturn: toTitle("Return rejected", "반품 거절"),
  postponeReturn: toTitle("Return decision deferred", "반품 결정 보류"),
  acceptReturn: toTitle("Return accepted", "반품 확정"),
  requestExchange: toTitle("Exchange requested", "교환 요청"),
  withdrawExchange: toTitle("Exchange request withdrawn", "교환 요청 철회"),
  approveExchange: toTitle("Exchange approved", "교환 승인"),
  rejectExchange: toTitle("Exchange rejected", "교환 거절"),
  postponeExchange: toTitle("Exchange decision deferred", "교환 결정 보류"),
  acceptExchange: toTitle("Exchange accepted", "교환 확정"),

  draftInvoice: toTitle("Invoice drafted", "청구서 초안 작성"),
  reserveInvoice: toTitle("Invoice scheduled", "청구서 발송 예약"),
  sendInvoice: toTitle("Invoice sent", "청구서 발송"),
  failSending: toTitle("Invoice could not be delivered", "청구서 발송 실패"),
  payInvoice: toTitle("Invoice paid", "청구서 결제 완료"),
  passDeadline: toTitle("Invoice overdue", "청구서 납부 기한 초과"),

  deliverMessage: toTitle("Message sent to the customer", "고객에게 메시지 발송"),
  failMessage: toTitle("Message could not be delivered", "메시지 발송 실패"),

  startPayment: toTitle("Payment started", "결제 시작"),
  succeedPayment: toTitle("Payment succeeded", "결제 성공"),
  markPaymentUnknown: toTitle("Payment outcome unknown", "결제 결과 확인 중"),
  openDispute: toTitle("Payment disputed", "결제 이의 제기"),
  winDispute: toTitle("Dispute won", "결제 이의 승소"),
  loseDispute: toTitle("Dispute lost", "결제 이의 패소"),
  startRefund: toTitle("Refund started", "환불 시작"),
  completeRefund: toTitle("Refund completed", "환불 완료"),
  refuseRefund: toTitle("Refund refused by the gateway", "결제사에서 환불 거절"),
  markRefundUnknown: toTitle("Refund outcome unknown", "환불 결과 확인 중"),

  startSubscription: toTitle("Subscription started", "구독 시작"),
  startUnconfirmedSubscription: toTitle("Subscription waits for its payment method", "결제 수단 확인 대기"),
  confirmPaymentMethod: toTitle("Payment method confirmed", "결제 수단 확인 완료"),
  claimRenewal: toTitle("Renewal charge started", "정기 결제 진행"),
  completeRenewal: toTitle("Subscription renewed", "구독 갱신"),
  failRenewal: toTitle("Renewal charge failed", "정기 결제 실패"),
  recoverPayment: toTitle("Failed charge recovered", "실패한 결제 복구"),
  expireAfterRecovery: toTitle("Subscription expired after a failed recovery", "결제 복구 실패로 구독 만료"),
  pauseAfterRecovery: toTitle("Subscription paused after a failed recovery", "결제 복구 실패로 구독 일시 정지"),
  cancelAfterRecovery: toTitle("Subscription cancelled after a failed recovery", "결제 복구 실패로 구독 취소"),
  pauseSubscription: toTitle("Subscription paused", "구독 일시 정지"),
  schedulePause: toTitle("Pause scheduled", "일시 정지 예약"),
  startPause: toTitle("Scheduled pause began", "예약된 일시 정지 시작"),
  endPause: toTitle("Pause ended", "일시 정지 종료"),
  activateSubscription: toTitle("Subscription activated", "구독 활성화"),
  cancelSubscription: toTitle("Subscription cancelled", "구독 취소"),
  scheduleCancellation: toTitle("Cancellation scheduled", "구독 취소 예약"),
  completeCancellation: toTitle("Scheduled cancellation took effect", "예약된 구독 취소 완료"),
  expireSubscription: toTitle("Subscription expired", "구독 만료"),
  exhaustRecovery: toTitle("Recovery ended without payment", "결제 복구 종료"),
  postponeRenewal: toTitle("Charge deferred", "결제 연기"),
  receiveUnscheduledPayment: toTitle("Payment received outside the schedule", "일정 외 결제"),
  storePaymentMethod: toTitle("Payment method stored", "결제 수단 저장"),
  announceMethodExpiry: toTitle("Payment method expires soon", "결제 수단 만료 예정"),
  changePaymentMethod: toTitle("Payment method changed", "결제 수단 변경"),
  orderPaymentMethod: toTitle("Payment method requested", "결제 수단 등록 요청"),
  orderChange: toTitle("Change ordered", "변경 주문 생성"),
  addItem: toTitle("Item added", "항목 추가"),
  removeItem: toTitle("Item removed", "항목 삭제"),
  changeQuantity: toTitle("Quantity changed", "수량 변경"),
  changePlan: toTitle("Plan changed", "요금제 변경"),
  schedulePlanChange: toTitle("Plan change scheduled", "요금제 변경 예약"),
  withdrawPlanChange: toTitle("Scheduled plan change withdrawn", "요금제 변경 예약 철회"),
  changeInterval: toTitle("Billing interval changed", "결제 주기 변경"),
  recordUnits: toTitle("Usage recorded", "사용량 기록"),

  startRecovery: toTitle("Recovery started", "결제 복구 시작"),
  failRetry: toTitle("Retry failed", "재결제 실패"),
  moveRetry: toTitle("Retry rescheduled", "재결제 일정 변경"),
  retryWithNewMethod: toTitle("Retry scheduled with the new payment method", "새 결제 수단으로 재결제 예약"),
  promiseRetry: toTitle("Payer chose the date of the retry", "고객이 재결제일 선택"),
  endRecovery: toTitle("Recovery ended", "결제 복구 종료"),
} as const satisfies Record<string, EventTitle>;

/** The trigger of a billing event: one of a state machine, or a change that leaves the state unchanged. */
export type EventTrigger = keyof typeof eventTitles;

/** The titles of events of products and price plans, whose types their module chooses. */
export const productEventTitles = {
  createProduct: toTitle("Product created", "상품 등록"),
  draftProduct: toTitle("Draft created", "상품 초안 작성"),
  updateProduct: toTitle("Product changed", "상품 정보 변경"),
  publishProduct: toTitle("Put on sale", "판매 시작"),
  unpublishProduct: toTitle("Taken off sale", "판매 중지"),
  sellOut: toTitle("Sold out", "품절"),
  restockProduct: toTitle("Back in stock", "재입고"),
  submitProduct: toTitle("Submitted for approval", "승인 요청"),
  approveProduct: toTitle("Approved", "승인됨"),
  rejectProduct: toTitle("Rejected", "승인 거절"),
  listProduct: toTitle("Listed from a child vendor", "하위 판매자 상품 등록"),
  createPricePlan: toTitle("Price plan created", "요금제 추가"),
  updatePricePlan: toTitle("Price plan changed", "요금제 변경"),
  listPricePlan: toTitle("Price plan listed from a child vendor", "하위 판매자 요금제 등록"),
} as const satisfies Record<string, EventTitle>;

/** The trigger of an event in the timeline of a product. */
export type ProductEventTrigger = keyof typeof productEventTitles;

const allTitles: Readonly<Record<EventTrigger | ProductEventTrigger, EventTitle>> = {
  ...eventTitles,
  ...productEventTitles,
};

/** The title of a stored event. */
export const eventTitleOf = (trigger: string, language: Language): string =>
  allTitles[trigger as keyof typeof allTitles][language];
