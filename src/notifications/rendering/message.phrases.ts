import type { Language } from "../../../schema/vocabulary.ts";

/** Phrases that several kinds of messages have. */
interface MessagePhrases {
  greeting: (customer: string) => string;
  subscription: string;
  amount: string;
  nextCharge: string;
  paymentMethod: string;
  updateMethod: string;
  contact: (email: string) => string;
}

export const messagePhrases: Record<Language, MessagePhrases> = {
  ENGLISH: {
    greeting: (customer) => `Dear ${customer},`,
    subscription: "Subscription",
    amount: "Amount",
    nextCharge: "Next charge",
    paymentMethod: "Payment method",
    updateMethod: "Update the payment method",
    contact: (email) => `Questions: ${email}`,
  },
  KOREAN: {
    greeting: (customer) => `${customer}님, 안녕하세요.`,
    subscription: "구독",
    amount: "금액",
    nextCharge: "다음 결제일",
    paymentMethod: "결제 수단",
    updateMethod: "결제 수단 변경하기",
    contact: (email) => `문의: ${email}`,
  },
};
