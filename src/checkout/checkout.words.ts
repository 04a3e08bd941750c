import type { OrderItemType, RecurringInterval } from "../../schema/vocabulary.ts";
import type { Language } from "./checkout.language.ts";
import type { Standing } from "./checkout.standing.ts";

/** Why there is no page of an order to show. */
export type Hindrance = "TAMPERED" | "EXPIRED" | "CLOSED" | "FAILED";

/** What a page says in place of an order. */
interface Sentences {
  title: string;
  text: string;
}

/** All that the checkout says in one language. */
export interface Words {
  title: (code: string) => string;
  languages: string;
  order: string;
  item: string;
  quantity: string;
  amount: string;
  total: string;
  alreadyPaid: string;
  toPay: string;
  memo: string;
  deadline: string;
  trial: (count: number, unit: RecurringInterval) => string;
  lines: Record<Exclude<OrderItemType, "SKU">, string>;
  /** Discounts by the names under which orders keep them. */
  discounts: Readonly<Record<string, string>>;
  standings: Record<Standing, Sentences>;
  hindrances: Record<Hindrance, Sentences>;
  cancel: string;
  back: string;
  contact: string;
  trace: string;
}

const units: Record<RecurringInterval, string> = { DAY: "day", WEEK: "week", MONTH: "month", YEAR: "year" };

const english: Words = {
  title: (code) => `Order ${code}`,
  languages: "Language",
  order: "Order",
  item: "Item",
  quantity: "Quantity",
  amount: "Amount",
  total: "Total",
  alreadyPaid: "Already paid",
  toPay: "To pay",
  memo: "A note from the shop",
  deadline: "Please pay by",
  trial: (count, unit) => `Free trial: ${count} ${units[unit]}${count === 1 ? "" : "s"}`,
  lines: {
    FEE: "Fee",
    DISCOUNT: "Discount",
    TAX: "Tax",
    SHIPPING: "Delivery",
    ADDS: "Added items",
    OFFLINE: "Sale in the shop",
  },
  discounts: { "First purchase": "First purchase discount" },
  standings: {
    PAYABLE: { title: "Payment is not open yet", text: "This shop does not take payments here so far." },
    PAID: { title: "This order is paid", text: "Thank you. There is nothing more to pay." },
    REFUNDED: { title: "This order was refunded", text: "What was paid has been given back." },
    CANCELLED: { title: "This order was cancelled", text: "It cannot be paid any more." },
    PAST_DEADLINE: {
      title: "The time to pay is over",
      text: "The order should have been paid earlier. Please ask the shop for a new one.",
    },
    NOTHING_TO_PAY: { title: "There is nothing to pay", text: "The order costs nothing." },
  },
  hindrances: {
    TAMPERED: {
      title: "This link is not valid",
      text: "It may have been cut off or changed on its way. Please open the whole link, or ask the shop for a new one.",
    },
    EXPIRED: {
      title: "This link has expired",
      text: "For your safety a payment link holds for a day. Please ask the shop for a new one.",
    },
    CLOSED: { title: "This shop is closed", text: "It takes no payments at the moment." },
    FAILED: {
      title: "Something went wrong",
      text: "The fault is ours, and nothing was charged by this page. Please try again in a moment.",
    },
  },
  cancel: "Cancel and go back to the shop",
  back: "Go back to the shop",
  contact: "Questions? Write to",
  trace: "Number of this incident",
};

const korean: Words = {
  title: (code) => `주문 ${code}`,
  languages: "언어",
  order: "주문번호",
  item: "상품",
  quantity: "수량",
  amount: "금액",
  total: "합계",
  alreadyPaid: "결제된 금액",
  toPay: "결제할 금액",
  memo: "판매자 메모",
  deadline: "결제 기한",
  trial: (count, unit) =>
    `무료 체험 ${count}${({ DAY: "일", WEEK: "주", MONTH: "개월", YEAR: "년" } satisfies typeof units)[unit]}`,
  lines: {
    FEE: "기본 요금",
    DISCOUNT: "할인",
    TAX: "부가세",
    SHIPPING: "배송비",
    ADDS: "추가 상품",
    OFFLINE: "매장 판매",
  },
  discounts: { "First purchase": "첫 구매 할인" },
  standings: {
    PAYABLE: { title: "아직 결제할 수 없습니다", text: "이 상점은 아직 여기에서 결제를 받지 않습니다." },
    PAID: { title: "결제가 완료된 주문입니다", text: "감사합니다. 더 결제하실 금액이 없습니다." },
    REFUNDED: { title: "환불된 주문입니다", text: "결제하신 금액이 환불되었습니다." },
    CANCELLED: { title: "취소된 주문입니다", text: "더 이상 결제할 수 없습니다." },
    PAST_DEADLINE: {
      title: "결제 기한이 지났습니다",
      text: "이 주문은 기한 안에 결제되지 않았습니다. 판매자에게 새 주문을 요청해 주세요.",
    },
    NOTHING_TO_PAY: { title: "결제할 금액이 없습니다", text: "이 주문은 무료입니다." },
  },
  hindrances: {
    TAMPERED: {
      title: "올바르지 않은 링크입니다",
      text: "링크가 잘렸거나 변경되었을 수 있습니다. 전체 링크를 다시 열거나 판매자에게 새 링크를 요청해 주세요.",
    },
    EXPIRED: {
      title: "만료된 링크입니다",
      text: "안전을 위해 결제 링크는 하루 동안만 유효합니다. 판매자에게 새 링크를 요청해 주세요.",
    },
    CLOSED: { title: "운영하지 않는 상점입니다", text: "지금은 결제를 받지 않습니다." },
    FAILED: {
      title: "문제가 발생했습니다",
      text: "저희 쪽의 문제이며 이 화면에서 결제된 금액은 없습니다. 잠시 후 다시 시도해 주세요.",
    },
  },
  cancel: "취소하고 상점으로 돌아가기",
  back: "상점으로 돌아가기",
  contact: "문의",
  trace: "문의 번호",
};

/** What the checkout says, by language. */
export const words: Record<Language, Words> = { ko: korean, en: english };
