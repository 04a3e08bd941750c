import type { RecurringInterval } from "../../schema/vocabulary.ts";
import type { ChargedInterval, CheckoutTexts } from "./checkout.texts.ts";

const units: Record<RecurringInterval, string> = { DAY: "일", WEEK: "주", MONTH: "개월", YEAR: "년" };

const everyUnit: Record<RecurringInterval, string> = { DAY: "매일", WEEK: "매주", MONTH: "매월", YEAR: "매년" };

const toCycle = ({ count, unit }: ChargedInterval): string =>
  count === 1 ? everyUnit[unit] : `${count}${units[unit]}마다`;

/** The Korean texts of the checkout. */
export const korean: CheckoutTexts = {
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
  trial: (count, unit) => `무료 체험 ${count}${units[unit]}`,
  upcoming: {
    title: "다음 결제 안내",
    trial: (until) => `${until}까지 무료로 체험하실 수 있습니다.`,
    cycle: toCycle,
    charge: (price, cycle, first) =>
      price === null
        ? `이후 사용하신 만큼 ${toCycle(cycle)} 결제됩니다. 다음 결제일은 ${first}입니다.`
        : `선택하신 결제 수단으로 ${toCycle(cycle)} ${price}이 결제됩니다. 다음 결제일은 ${first}입니다.`,
    until: (end) => `구독은 ${end}에 자동으로 종료됩니다.`,
    stop: (email) =>
      `다음 결제 전에 언제든지 해지하실 수 있습니다. ${email === "" ? "상점에 문의해 주세요." : `${email} 앞으로 알려 주세요.`}`,
  },
  lines: {
    FEE: "기본 요금",
    DISCOUNT: "할인",
    TAX: "부가세",
    SHIPPING: "배송비",
    ADDS: "추가 상품",
    OFFLINE: "매장 판매",
    INSTANT: "즉시 결제 금액",
  },
  discounts: { "First purchase": "첫 구매 할인" },
  states: {
    PAYABLE: { title: "주문 결제", text: "주문 내용을 확인하고 결제 수단을 선택해 주세요." },
    METHOD_REQUIRED: {
      title: "주문 확인",
      text: "오늘은 결제되는 금액이 없습니다. 선택하신 결제 수단은 다음 결제를 위해 보관됩니다.",
    },
    CONFIRMATION_REQUIRED: {
      title: "결제를 확인해 주세요",
      text: "카드사에서 본인 확인을 요청했습니다. 확인하시기 전에는 결제되지 않으며 다른 방법으로 결제하실 수도 있습니다.",
    },
    DEPOSIT_AWAITED: {
      title: "입금을 기다리고 있습니다",
      text: "금액을 입금해 주세요. 입금이 확인되면 결제가 완료되며 다른 방법으로 결제하실 수도 있습니다.",
    },
    IN_PROGRESS: {
      title: "결제를 처리하고 있습니다",
      text: "아직 결과를 알 수 없습니다. 다른 방법으로 결제하지 마시고 잠시 후 다시 확인해 주세요.",
    },
    NO_PAYMENT_METHOD: { title: "아직 결제할 수 없습니다", text: "이 상점은 아직 여기에서 결제를 받지 않습니다." },
    PAID: { title: "결제가 완료된 주문입니다", text: "감사합니다. 더 결제하실 금액이 없습니다." },
    REFUNDED: { title: "환불된 주문입니다", text: "결제하신 금액이 환불되었습니다." },
    CANCELLED: { title: "취소된 주문입니다", text: "더 이상 결제할 수 없습니다." },
    PAST_DEADLINE: {
      title: "결제 기한이 지났습니다",
      text: "이 주문은 기한 안에 결제되지 않았습니다. 판매자에게 새 주문을 요청해 주세요.",
    },
    NOTHING_DUE: { title: "결제할 금액이 없습니다", text: "이 주문은 무료입니다." },
  },
  cardPage: {
    title: "결제 페이지에서 카드를 입력해 주세요",
    text: "카드 정보는 결제 서비스의 보안 페이지에서 입력합니다. 그 페이지에서 결제하시기 전에는 결제되지 않으며 다른 방법으로 결제하실 수도 있습니다.",
  },
  openCardPage: "결제 페이지 열기",
  cardWindow: {
    title: "결제창으로 이동합니다",
    text: "카드 정보는 결제 서비스의 결제창에서 입력합니다. 결제창이 열리지 않으면 아래 버튼을 눌러 주세요.",
    needsScript: "결제창을 열려면 브라우저에서 자바스크립트를 사용하도록 설정해 주세요.",
    closed: "결제창을 열지 못했습니다. 다시 시도하시거나 다른 방법으로 결제해 주세요.",
    open: "결제창 열기",
    back: "주문으로 돌아가기",
  },
  linkErrors: {
    TAMPERED: {
      title: "올바르지 않은 링크입니다",
      text: "링크가 잘렸거나 변경되었을 수 있습니다. 전체 링크를 다시 열거나 판매자에게 새 링크를 요청해 주세요.",
    },
    EXPIRED: {
      title: "만료된 링크입니다",
      text: "안전을 위해 링크는 정해진 기간에만 유효합니다. 판매자에게 새 링크를 요청해 주세요.",
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
  leaveWithoutPaying: "결제하지 않고 상점으로 돌아가기",
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
  optional: "선택",
  pay: (amount) => `${amount} 결제하기`,
  store: "확인",
  confirm: "본인 확인으로 이동",
  again: "다시 확인",
  account: "입금 계좌",
  accountParts: { bankName: "은행", accountNumber: "계좌번호", accountName: "예금주" },
  formErrors: {
    METHOD: "결제 수단을 선택해 주세요.",
    NO_NUMBER: "카드 번호가 비어 있습니다. 카드 번호를 입력해 주세요.",
    NUMBER: "카드 번호를 확인해 주세요. 올바른 번호가 아닙니다.",
    NO_EXPIRY: "유효기간이 비어 있습니다. 카드의 유효기간을 입력해 주세요.",
    EXPIRY: "카드의 유효기간을 08/29와 같이 입력해 주세요.",
    EXPIRED: "유효기간이 지난 카드입니다. 다른 카드를 사용해 주세요.",
    TERMS: "상점 약관에 동의해 주세요.",
  },
  paymentFailed: "결제되지 않았습니다",
  failures: {
    FUNDS: "잔액이 부족합니다. 결제된 금액은 없습니다. 다른 카드를 사용하시거나 나중에 다시 시도해 주세요.",
    LIMIT: "카드 한도를 초과했습니다. 결제된 금액은 없습니다. 다른 카드를 사용하시거나 나중에 다시 시도해 주세요.",
    BANK: "카드사에서 결제를 거절했습니다. 결제된 금액은 없습니다. 다른 카드를 사용하시거나 카드사에 문의해 주세요.",
    TECHNICAL: "카드사와 연결되지 않았습니다. 결제된 금액은 없습니다. 잠시 후 다시 시도해 주세요.",
    RESTRICTED: "이 결제에 사용할 수 없는 카드입니다. 결제된 금액은 없습니다. 다른 카드를 사용해 주세요.",
    DATA: "유효기간이 지났거나 카드 정보가 올바르지 않습니다. 결제된 금액은 없습니다. 확인하시거나 다른 카드를 사용해 주세요.",
    CONFIRM: "결제가 확인되지 않았습니다. 결제된 금액은 없습니다. 다시 시도하여 카드사의 본인 확인을 완료해 주세요.",
    CARD: "사용할 수 없는 카드입니다. 결제된 금액은 없습니다. 다른 카드를 사용해 주세요.",
    ALREADY_PAID: "카드사에서 이미 처리된 결제로 판단했습니다. 다시 결제하시기 전에 판매자에게 문의해 주세요.",
  },
  paymentErrors: {
    PRICE_CHANGED: {
      title: "금액이 변경되었습니다",
      text: "결제된 금액은 없습니다. 변경된 금액을 확인하고 동의하시면 다시 결제해 주세요.",
    },
    OUT_OF_STOCK: { title: "품절되었습니다", text: "재고가 부족합니다. 결제된 금액은 없습니다." },
    SUBSCRIBED: {
      title: "이미 구독 중인 상품입니다",
      text: "이 주문에는 한 번만 구독할 수 있는 상품이 있습니다. 결제된 금액은 없습니다.",
    },
    OTHER_METHOD: {
      title: "사용할 수 없는 결제 수단입니다",
      text: "결제된 금액은 없습니다. 다른 결제 수단을 선택해 주세요.",
    },
    QUANTITY: { title: "선택할 수 없는 수량입니다", text: "판매자가 정한 범위에서 수량을 선택해 주세요." },
    TOO_MANY_DECLINES: {
      title: "카드 결제 실패 횟수를 초과했습니다",
      text: "결제된 금액은 없습니다. 카드 소유자 보호를 위해 이 주문은 하루 동안 카드로 결제할 수 없습니다. 다른 결제 수단을 선택하시거나 내일 다시 시도하시거나 판매자에게 문의해 주세요.",
    },
  },
  contact: "문의",
  trace: "문의 번호",
};
