import type { OrderItemType, PaymentMethod, RecurringInterval } from "../../schema/vocabulary.ts";
import type { Failure } from "./checkout.declines.ts";
import type { Slip } from "./checkout.form.ts";
import type { Language } from "./checkout.language.ts";
import type { Standing } from "./checkout.standing.ts";

/** Why there is no page of an order to show. */
export type Hindrance = "TAMPERED" | "EXPIRED" | "CLOSED" | "FOREIGN" | "FAILED";

/** Why a payment did not begin. */
export type Obstacle = "PRICE_CHANGED" | "OUT_OF_STOCK" | "OTHER_WAY" | "QUANTITY" | "TOO_MANY";

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
  giveUp: string;
  quantities: string;
  update: string;
  between: (least: number, most: number) => string;
  payBy: string;
  methods: Record<PaymentMethod, string>;
  number: string;
  expiry: string;
  expiryHint: string;
  terms: string;
  agree: (title: string) => string;
  pay: (amount: string) => string;
  store: string;
  confirm: string;
  again: string;
  account: string;
  accountParts: Readonly<Record<string, string>>;
  slips: Record<Slip, string>;
  failures: Record<Failure, string>;
  failed: string;
  obstacles: Record<Obstacle, Sentences>;
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
    PAYABLE: { title: "Pay your order", text: "Please check the order, and choose how to pay." },
    METHOD_NEEDED: {
      title: "Confirm your order",
      text: "Nothing is charged today. The way to pay that you choose is kept for the next payment.",
    },
    TO_CONFIRM: {
      title: "Please confirm the payment",
      text: "Your bank wants to know that it is you. Nothing is charged until you confirm, and you can still pay in another way.",
    },
    DEPOSIT_AWAITED: {
      title: "We wait for your transfer",
      text: "Please transfer the amount. The order is paid once it arrives, and you can still pay in another way.",
    },
    UNDER_WAY: {
      title: "The payment is being made",
      text: "Its outcome is not known yet. Please do not pay in any other way, and look again in a moment.",
    },
    NO_WAY_TO_PAY: { title: "Payment is not open yet", text: "This shop does not take payments here so far." },
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
    FOREIGN: {
      title: "This did not come from our page",
      text: "Another site sent it in your name, so nothing was done. Please open the link itself and pay there.",
    },
    FAILED: {
      title: "Something went wrong",
      text: "The fault is ours, and nothing was charged by this page. Please try again in a moment.",
    },
  },
  cancel: "Cancel and go back to the shop",
  back: "Go back to the shop",
  giveUp: "Go back to the shop without paying",
  quantities: "Change the quantity",
  update: "Update the sum",
  between: (least, most) => `from ${least} to ${most}`,
  payBy: "Pay by",
  methods: {
    CARD: "Card",
    VBANK: "Virtual account",
    BANK: "Deposit into the shop's account",
    BANK_TRANSFER: "Bank transfer",
    CELLPHONE: "Mobile phone",
    SIMPLE_PAY: "Simple pay",
    CMS: "Direct debit",
    CARD_BILL: "Card, kept for the next payments",
    CELLPHONE_BILL: "Mobile phone, kept for the next payments",
    CMS_BILL: "Direct debit, kept for the next payments",
    ONLINE_WALLET: "Online wallet",
  },
  number: "Card number",
  expiry: "Good through",
  expiryHint: "MM/YY",
  terms: "Terms of the shop",
  agree: (title) => `I agree: ${title}`,
  pay: (amount) => `Pay ${amount}`,
  store: "Confirm",
  confirm: "Go on to confirm",
  again: "Look again",
  account: "Where to transfer it",
  accountParts: { bank: "Bank", number: "Account", holder: "Holder" },
  slips: {
    METHOD: "Please choose how to pay.",
    NUMBER: "Please check the card number: it is not one that a card has.",
    EXPIRY: "Please give the month and the year until which the card is good, such as 08/29.",
    EXPIRED: "The card has expired. Please use another one.",
    TERMS: "Please agree to the terms of the shop.",
  },
  failed: "The payment did not go through",
  failures: {
    FUNDS:
      "There is not enough money in the account. Nothing was charged. Please use another card, or try again later.",
    LIMIT: "The card's limit is reached. Nothing was charged. Please use another card, or try again later.",
    BANK: "The bank declined the payment. Nothing was charged. Please use another card, or ask your bank.",
    TECHNICAL: "The bank could not be reached. Nothing was charged. Please try again in a moment.",
    RESTRICTED: "The card is not made for this payment. Nothing was charged. Please use another card.",
    DATA: "The card has expired, or its details are wrong. Nothing was charged. Please check them, or use another card.",
    CONFIRM: "The payment was not confirmed. Nothing was charged. Please try again, and confirm it with your bank.",
    CARD: "This card cannot be used. Nothing was charged. Please use another card.",
    TWICE: "The bank took this for a payment that it has already seen. Please ask the shop before you pay again.",
  },
  obstacles: {
    PRICE_CHANGED: {
      title: "The sum has changed",
      text: "Nothing was charged. Please look at the new sum, and pay again if you agree.",
    },
    OUT_OF_STOCK: { title: "Sold out", text: "There is not enough of it left. Nothing was charged." },
    OTHER_WAY: { title: "This way to pay is not open", text: "Nothing was charged. Please choose another one." },
    QUANTITY: { title: "The quantity is not possible", text: "Please choose one that the shop offers." },
    TOO_MANY: {
      title: "Too many cards were declined",
      text: "Nothing was charged. To protect card holders this order takes no more cards for a day. Please choose another way to pay, come back tomorrow, or write to the shop.",
    },
  },
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
    PAYABLE: { title: "주문 결제", text: "주문 내용을 확인하고 결제 수단을 선택해 주세요." },
    METHOD_NEEDED: {
      title: "주문 확인",
      text: "오늘은 결제되는 금액이 없습니다. 선택하신 결제 수단은 다음 결제를 위해 보관됩니다.",
    },
    TO_CONFIRM: {
      title: "결제를 확인해 주세요",
      text: "카드사에서 본인 확인을 요청했습니다. 확인하시기 전에는 결제되지 않으며 다른 방법으로 결제하실 수도 있습니다.",
    },
    DEPOSIT_AWAITED: {
      title: "입금을 기다리고 있습니다",
      text: "금액을 입금해 주세요. 입금이 확인되면 결제가 완료되며 다른 방법으로 결제하실 수도 있습니다.",
    },
    UNDER_WAY: {
      title: "결제를 처리하고 있습니다",
      text: "아직 결과를 알 수 없습니다. 다른 방법으로 결제하지 마시고 잠시 후 다시 확인해 주세요.",
    },
    NO_WAY_TO_PAY: { title: "아직 결제할 수 없습니다", text: "이 상점은 아직 여기에서 결제를 받지 않습니다." },
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
    FOREIGN: {
      title: "저희 화면에서 보낸 요청이 아닙니다",
      text: "다른 사이트에서 보낸 요청이므로 처리하지 않았습니다. 링크를 직접 열어 결제해 주세요.",
    },
    FAILED: {
      title: "문제가 발생했습니다",
      text: "저희 쪽의 문제이며 이 화면에서 결제된 금액은 없습니다. 잠시 후 다시 시도해 주세요.",
    },
  },
  cancel: "취소하고 상점으로 돌아가기",
  back: "상점으로 돌아가기",
  giveUp: "결제하지 않고 상점으로 돌아가기",
  quantities: "수량 변경",
  update: "금액 다시 계산",
  between: (least, most) => `${least}–${most}개`,
  payBy: "결제 수단",
  methods: {
    CARD: "카드",
    VBANK: "가상계좌",
    BANK: "무통장 입금",
    BANK_TRANSFER: "계좌이체",
    CELLPHONE: "휴대폰 결제",
    SIMPLE_PAY: "간편결제",
    CMS: "CMS 자동이체",
    CARD_BILL: "카드 (다음 결제에도 사용)",
    CELLPHONE_BILL: "휴대폰 결제 (다음 결제에도 사용)",
    CMS_BILL: "CMS 자동이체 (다음 결제에도 사용)",
    ONLINE_WALLET: "온라인 지갑",
  },
  number: "카드 번호",
  expiry: "유효기간",
  expiryHint: "월/년 (MM/YY)",
  terms: "상점 약관",
  agree: (title) => `동의합니다: ${title}`,
  pay: (amount) => `${amount} 결제하기`,
  store: "확인",
  confirm: "본인 확인으로 이동",
  again: "다시 확인",
  account: "입금 계좌",
  accountParts: { bank: "은행", number: "계좌번호", holder: "예금주" },
  slips: {
    METHOD: "결제 수단을 선택해 주세요.",
    NUMBER: "카드 번호를 확인해 주세요. 올바른 번호가 아닙니다.",
    EXPIRY: "카드의 유효기간을 08/29와 같이 입력해 주세요.",
    EXPIRED: "유효기간이 지난 카드입니다. 다른 카드를 사용해 주세요.",
    TERMS: "상점 약관에 동의해 주세요.",
  },
  failed: "결제되지 않았습니다",
  failures: {
    FUNDS: "잔액이 부족합니다. 결제된 금액은 없습니다. 다른 카드를 사용하시거나 나중에 다시 시도해 주세요.",
    LIMIT: "카드 한도를 초과했습니다. 결제된 금액은 없습니다. 다른 카드를 사용하시거나 나중에 다시 시도해 주세요.",
    BANK: "카드사에서 결제를 거절했습니다. 결제된 금액은 없습니다. 다른 카드를 사용하시거나 카드사에 문의해 주세요.",
    TECHNICAL: "카드사와 연결되지 않았습니다. 결제된 금액은 없습니다. 잠시 후 다시 시도해 주세요.",
    RESTRICTED: "이 결제에 사용할 수 없는 카드입니다. 결제된 금액은 없습니다. 다른 카드를 사용해 주세요.",
    DATA: "유효기간이 지났거나 카드 정보가 올바르지 않습니다. 결제된 금액은 없습니다. 확인하시거나 다른 카드를 사용해 주세요.",
    CONFIRM: "결제가 확인되지 않았습니다. 결제된 금액은 없습니다. 다시 시도하여 카드사의 본인 확인을 완료해 주세요.",
    CARD: "사용할 수 없는 카드입니다. 결제된 금액은 없습니다. 다른 카드를 사용해 주세요.",
    TWICE: "카드사에서 이미 처리된 결제로 판단했습니다. 다시 결제하시기 전에 판매자에게 문의해 주세요.",
  },
  obstacles: {
    PRICE_CHANGED: {
      title: "금액이 변경되었습니다",
      text: "결제된 금액은 없습니다. 변경된 금액을 확인하고 동의하시면 다시 결제해 주세요.",
    },
    OUT_OF_STOCK: { title: "품절되었습니다", text: "재고가 부족합니다. 결제된 금액은 없습니다." },
    OTHER_WAY: {
      title: "사용할 수 없는 결제 수단입니다",
      text: "결제된 금액은 없습니다. 다른 결제 수단을 선택해 주세요.",
    },
    QUANTITY: { title: "선택할 수 없는 수량입니다", text: "판매자가 정한 범위에서 수량을 선택해 주세요." },
    TOO_MANY: {
      title: "카드 결제 실패 횟수를 초과했습니다",
      text: "결제된 금액은 없습니다. 카드 소유자 보호를 위해 이 주문은 하루 동안 카드로 결제할 수 없습니다. 다른 결제 수단을 선택하시거나 내일 다시 시도하시거나 판매자에게 문의해 주세요.",
    },
  },
  contact: "문의",
  trace: "문의 번호",
};

/** What the checkout says, by language. */
export const words: Record<Language, Words> = { ko: korean, en: english };
