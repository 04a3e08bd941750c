import type { CheckoutLanguage } from "../checkout.language.ts";

/** What the page says at its top. */
export type MethodNotice =
  /** The payer can store a payment method; no charge is open. */
  | "READY"
  /** A charge has failed, and is tried again. */
  | "RETRYING"
  /** A charge has failed, and only a new payment method can pay it. */
  | "METHOD_REQUIRED"
  /** The payer has stored a payment method. */
  | "STORED"
  /** The payer has stored a payment method, by which the open amount is charged now. */
  | "STORED_AND_CHARGED"
  /** The payer has stored a payment method, by which the open amount is charged on a day. */
  | "STORED_FOR_DAY"
  /** The payer has chosen the day of the charge. */
  | "PROMISED"
  /** The payer has to confirm with the bank. */
  | "CONFIRMATION_REQUIRED"
  /** The payer was sent to a page of the gateway to type the card there. */
  | "CARD_PAGE"
  | "IN_PROGRESS"
  | "NO_PAYMENT_METHOD"
  | "ENDED";

/** Why the payer's form changed nothing. */
export type MethodError = "DAY" | "NOT_IN_RECOVERY" | "TOO_MANY_METHODS";

/** The facts that the texts name, formatted. */
export interface MethodTextFacts {
  /** The open amount. */
  amount: string;
  /** The day of the next charge; "" if it is not known. */
  day: string;
}

type NoticeText = (facts: MethodTextFacts) => { title: string; text: string };

/** The texts of the page in one language, besides those of the checkout. */
export interface PaymentMethodPageTexts {
  title: string;
  subscription: string;
  openAmount: string;
  currentMethod: string;
  noMethod: string;
  nextCharge: string;
  notices: Record<MethodNotice, NoticeText>;
  store: string;
  storeButton: string;
  openCardPage: string;
  /** The page that opens a window of the gateway: where it differs from that of an order. */
  window: { closed: string; back: string };
  promise: string;
  promiseText: string;
  day: string;
  promiseButton: string;
  notStored: string;
  errors: Record<MethodError, { title: string; text: string }>;
}

const english: PaymentMethodPageTexts = {
  title: "Payment method",
  subscription: "Subscription",
  openAmount: "Open amount",
  currentMethod: "Payment method",
  noMethod: "none",
  nextCharge: "Next charge",
  notices: {
    READY: () => ({
      title: "Update your payment method",
      text: "Nothing is charged now. The payment method that you store here is used for the next payments.",
    }),
    RETRYING: ({ amount, day }) => ({
      title: "A payment failed",
      text: `We could not charge ${amount}. We try again on ${day}. You can store another payment method, or choose the day of the next charge.`,
    }),
    METHOD_REQUIRED: ({ amount }) => ({
      title: "Please store another payment method",
      text: `We could not charge ${amount}. The amount is charged when you have stored another payment method.`,
    }),
    STORED: () => ({
      title: "Your payment method is stored",
      text: "Thank you. It is used for the next payments. Nothing was charged.",
    }),
    STORED_AND_CHARGED: ({ amount }) => ({
      title: "Your payment method is stored",
      text: `Thank you. We are charging ${amount} to it now. You need not do anything else.`,
    }),
    STORED_FOR_DAY: ({ amount, day }) => ({
      title: "Your payment method is stored",
      text: `Thank you. We charge ${amount} to it on ${day}. You need not do anything else.`,
    }),
    PROMISED: ({ amount, day }) => ({
      title: "The day is set",
      text: `Thank you. We charge ${amount} on ${day}. Until then we do not try.`,
    }),
    CONFIRMATION_REQUIRED: () => ({
      title: "Please confirm the payment method",
      text: "Your bank needs to confirm that it is you. Nothing is stored until you confirm, and you can still choose another payment method.",
    }),
    CARD_PAGE: () => ({
      title: "Please enter your card on the payment page",
      text: "The card is entered on the secure page of our payment provider. Nothing is stored until you confirm there.",
    }),
    IN_PROGRESS: () => ({
      title: "The payment method is being checked",
      text: "The result is not known yet. Please check again in a moment.",
    }),
    NO_PAYMENT_METHOD: () => ({
      title: "No payment method can be stored yet",
      text: "This shop does not accept payments here yet.",
    }),
    ENDED: () => ({
      title: "This subscription has ended",
      text: "It is not charged any more, so no payment method is needed.",
    }),
  },
  store: "Another payment method",
  storeButton: "Store the payment method",
  openCardPage: "Open the payment page",
  window: {
    closed: "The payment window could not be opened. Please try again, or choose another payment method.",
    back: "Back to your payment method",
  },
  promise: "Another day",
  promiseText: "Tell us the day on which your payment method can be charged, such as the day after your salary.",
  day: "Charge me on",
  promiseButton: "Charge me on this day",
  notStored: "The payment method was not stored",
  errors: {
    DAY: { title: "This day is not possible", text: "Please choose one of the days that the form offers." },
    NOT_IN_RECOVERY: {
      title: "The day cannot be changed now",
      text: "A charge is being made at this moment, or none is open. Please open the link again in a few minutes.",
    },
    TOO_MANY_METHODS: {
      title: "Too many payment methods today",
      text: "For your safety this page stores no more payment methods today. Please come back tomorrow, or write to the shop.",
    },
  },
};

const korean: PaymentMethodPageTexts = {
  title: "결제 수단",
  subscription: "구독",
  openAmount: "미결제 금액",
  currentMethod: "결제 수단",
  noMethod: "없음",
  nextCharge: "다음 결제일",
  notices: {
    READY: () => ({
      title: "결제 수단 변경",
      text: "지금 결제되는 금액은 없습니다. 여기에서 등록하신 결제 수단은 다음 결제부터 사용됩니다.",
    }),
    RETRYING: ({ amount, day }) => ({
      title: "결제되지 않은 금액이 있습니다",
      text: `${amount}을 결제하지 못했습니다. ${day}에 다시 결제합니다. 다른 결제 수단을 등록하시거나 결제일을 선택하실 수 있습니다.`,
    }),
    METHOD_REQUIRED: ({ amount }) => ({
      title: "다른 결제 수단을 등록해 주세요",
      text: `${amount}을 결제하지 못했습니다. 다른 결제 수단을 등록하시면 결제됩니다.`,
    }),
    STORED: () => ({
      title: "결제 수단이 등록되었습니다",
      text: "감사합니다. 다음 결제부터 사용됩니다. 결제된 금액은 없습니다.",
    }),
    STORED_AND_CHARGED: ({ amount }) => ({
      title: "결제 수단이 등록되었습니다",
      text: `감사합니다. 등록하신 결제 수단으로 ${amount}을 결제하고 있습니다. 더 하실 일은 없습니다.`,
    }),
    STORED_FOR_DAY: ({ amount, day }) => ({
      title: "결제 수단이 등록되었습니다",
      text: `감사합니다. 등록하신 결제 수단으로 ${day}에 ${amount}을 결제합니다. 더 하실 일은 없습니다.`,
    }),
    PROMISED: ({ amount, day }) => ({
      title: "결제일이 정해졌습니다",
      text: `감사합니다. ${day}에 ${amount}을 결제합니다. 그 전에는 결제하지 않습니다.`,
    }),
    CONFIRMATION_REQUIRED: () => ({
      title: "결제 수단을 확인해 주세요",
      text: "카드사에서 본인 확인을 요청했습니다. 확인하시기 전에는 등록되지 않으며 다른 결제 수단을 선택하실 수도 있습니다.",
    }),
    CARD_PAGE: () => ({
      title: "결제 페이지에서 카드를 입력해 주세요",
      text: "카드 정보는 결제 서비스의 보안 페이지에서 입력합니다. 그 페이지에서 확인하시기 전에는 등록되지 않습니다.",
    }),
    IN_PROGRESS: () => ({
      title: "결제 수단을 확인하고 있습니다",
      text: "아직 결과를 알 수 없습니다. 잠시 후 다시 확인해 주세요.",
    }),
    NO_PAYMENT_METHOD: () => ({
      title: "아직 결제 수단을 등록할 수 없습니다",
      text: "이 상점은 아직 여기에서 결제를 받지 않습니다.",
    }),
    ENDED: () => ({
      title: "종료된 구독입니다",
      text: "더 이상 결제되지 않으므로 결제 수단이 필요하지 않습니다.",
    }),
  },
  store: "다른 결제 수단",
  storeButton: "결제 수단 등록",
  openCardPage: "결제 페이지 열기",
  window: {
    closed: "결제창을 열지 못했습니다. 다시 시도하시거나 다른 결제 수단을 선택해 주세요.",
    back: "결제 수단으로 돌아가기",
  },
  promise: "다른 결제일",
  promiseText: "급여일 다음 날처럼 결제할 수 있는 날을 알려 주세요.",
  day: "결제일",
  promiseButton: "이 날에 결제하기",
  notStored: "결제 수단이 등록되지 않았습니다",
  errors: {
    DAY: { title: "선택할 수 없는 날입니다", text: "선택할 수 있는 날 중에서 골라 주세요." },
    NOT_IN_RECOVERY: {
      title: "지금은 결제일을 바꿀 수 없습니다",
      text: "결제가 진행 중이거나 미결제 금액이 없습니다. 잠시 후 링크를 다시 열어 주세요.",
    },
    TOO_MANY_METHODS: {
      title: "오늘 등록할 수 있는 결제 수단을 초과했습니다",
      text: "안전을 위해 오늘은 더 등록할 수 없습니다. 내일 다시 시도하시거나 판매자에게 문의해 주세요.",
    },
  },
};

/** The texts by language. */
export const paymentMethodPageTexts: Record<CheckoutLanguage, PaymentMethodPageTexts> = { en: english, ko: korean };
