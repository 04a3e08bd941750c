import { translations } from "../language/language.tsx";

export const orderActionsTexts = translations(
  {
    cancel: "Cancel the order",
    refund: "Refund",
    refundTitle: "Refund the order",
    amount: "Amount",
    amountHint: (currency: string) => `In ${currency}. The whole rest is suggested.`,
    unpaid: "The order is closed, and the payer can no longer pay it.",
    stock: "Its stock is released.",
    final: "A cancelled order cannot be opened again.",
    paidBack: (amount: string) => `${amount} is paid back by the way it was paid.`,
    left: (amount: string) => `${amount} of the paid amount is left after it.`,
    services:
      "Paid services are cancelled at the same time. Goods must be cancelled or returned first, or not sent yet.",
    noAmount: "Enter the amount as a number, such as 1000.",
  },
  {
    cancel: "주문 취소",
    refund: "환불",
    refundTitle: "주문 환불",
    amount: "금액",
    amountHint: (currency: string) => `${currency} 기준. 남은 금액 전체가 기본값입니다.`,
    unpaid: "주문이 닫히며 더 이상 결제할 수 없습니다.",
    stock: "확보된 재고가 해제됩니다.",
    final: "취소한 주문은 다시 열 수 없습니다.",
    paidBack: (amount: string) => `${amount}이(가) 결제한 수단으로 환불됩니다.`,
    left: (amount: string) => `환불 후 ${amount}이(가) 남습니다.`,
    services: "결제된 서비스는 함께 해지됩니다. 배송 상품은 먼저 취소 또는 반품되었거나 아직 발송 전이어야 합니다.",
    noAmount: "금액을 1000과 같은 숫자로 입력해 주세요.",
  },
);
