import type { NoPaymentReason, PaymentState } from "../../generated/operations.ts";
import { translations } from "../../language/language.tsx";
import type { ChangeKind } from "./possible-changes.ts";

interface ChangeWords {
  kinds: Record<ChangeKind, string>;
  /** What became of the charge; nothing is said of a charge that succeeded or was not due. */
  unpaid: Record<Exclude<NoPaymentReason, "NOTHING_DUE"> | Exclude<PaymentState, "SUCCEEDED">, string>;
}

const english: ChangeWords = {
  kinds: {
    plan: "Price plans",
    items: "Items and quantities",
    quota: "Units that may be used",
    interval: "Billing cycle",
  },
  unpaid: {
    DEFERRED: "The change is not charged yet. A worker charges it later; the timeline has the reason.",
    NO_STORED_METHOD:
      "The change is not paid: no payment method is stored. The payer can pay its order by the payment link.",
    FAILED: "The charge was declined. The change takes effect when its order is paid.",
    PENDING: "The charge is in progress. The change takes effect when its order is paid.",
    UNKNOWN: "The outcome of the charge is not known yet. The change takes effect when its order is paid.",
  },
};

const korean: ChangeWords = {
  kinds: { plan: "요금제", items: "항목과 수량", quota: "사용 가능한 수량", interval: "결제 주기" },
  unpaid: {
    DEFERRED: "변경이 아직 결제되지 않았습니다. 작업자가 나중에 결제하며, 이유는 진행 내역에 있습니다.",
    NO_STORED_METHOD: "저장된 결제 수단이 없어 결제되지 않았습니다. 고객이 결제 링크로 주문을 결제할 수 있습니다.",
    FAILED: "결제가 거절되었습니다. 주문이 결제되면 변경이 적용됩니다.",
    PENDING: "결제가 진행 중입니다. 주문이 결제되면 변경이 적용됩니다.",
    UNKNOWN: "결제 결과를 아직 알 수 없습니다. 주문이 결제되면 변경이 적용됩니다.",
  },
};

export const changesTexts = translations(
  {
    ...english,
    change: "Change",
    title: "Change the subscription",
    what: "What to change",
    planOf: (product: string) => `Plan of ${product}`,
    current: (plan: string) => `${plan} (current)`,
    planned: (plan: string) => `${plan} (planned)`,
    when: "When",
    now: "Now",
    periodEnd: (day: string) => `At the end of the period, ${day}`,
    quantityOf: (product: string) => `Quantity of ${product}`,
    remove: (product: string) => `Remove ${product}`,
    add: "Add an item",
    find: "Find a product",
    findHint: "Part of its name or code",
    product: "Product to add",
    chooseProduct: "Choose a product",
    noProduct: "No product with a plan for this billing cycle was found.",
    plan: "Plan",
    quantity: "Quantity",
    noAddition: "Do not add an item",
    item: "Item",
    quota: "Units from now on",
    quotaNow: (units: string) => `Now ${units}`,
    noQuota: "No limit now",
    cycle: "Charged",
    chooseCycle: "Choose a cycle",
    wholeNumber: "Enter a whole number of at least 1.",
    choose: "Choose a change, and its cost is shown here.",
    calculating: "The cost is being calculated …",
    chargedNow: (amount: string) => `${amount} is charged to the stored payment method at once.`,
    dueNow: (amount: string) =>
      `${amount} is due at once. No payment method is stored, so the payer pays it by the order's payment link.`,
    takesEffect: "What is charged takes effect when it is paid.",
    noChargeNow: "Nothing is charged now.",
    refundable: (amount: string) => `${amount} of paid time is left unused. It is recorded and not refunded.`,
    from: (day: string) => `It takes effect on ${day}.`,
    nextCharge: (day: string, amount: string, lines: string) => `The next charge is ${amount} on ${day}: ${lines}.`,
    noNextCharge: "No charge follows.",
    openOrder: (code: string) => `Open ${code}`,
  },
  {
    ...korean,
    change: "변경",
    title: "구독 변경",
    what: "변경할 내용",
    planOf: (product: string) => `${product} 요금제`,
    current: (plan: string) => `${plan} (현재)`,
    planned: (plan: string) => `${plan} (예정)`,
    when: "시점",
    now: "지금",
    periodEnd: (day: string) => `기간이 끝나는 ${day}`,
    quantityOf: (product: string) => `${product} 수량`,
    remove: (product: string) => `${product} 삭제`,
    add: "항목 추가",
    find: "상품 찾기",
    findHint: "이름 또는 코드의 일부",
    product: "추가할 상품",
    chooseProduct: "상품 선택",
    noProduct: "이 결제 주기의 요금제가 있는 상품이 없습니다.",
    plan: "요금제",
    quantity: "수량",
    noAddition: "항목을 추가하지 않음",
    item: "항목",
    quota: "앞으로 사용할 수 있는 수량",
    quotaNow: (units: string) => `현재 ${units}`,
    noQuota: "현재 제한 없음",
    cycle: "결제 주기",
    chooseCycle: "주기 선택",
    wholeNumber: "1 이상의 정수를 입력해 주세요.",
    choose: "변경할 내용을 고르면 비용이 여기에 표시됩니다.",
    calculating: "비용을 계산하는 중입니다 …",
    chargedNow: (amount: string) => `${amount}이(가) 저장된 결제 수단으로 바로 결제됩니다.`,
    dueNow: (amount: string) =>
      `${amount}을(를) 바로 결제해야 합니다. 저장된 결제 수단이 없어 고객이 주문의 결제 링크로 결제합니다.`,
    takesEffect: "결제되는 변경은 결제가 끝나면 적용됩니다.",
    noChargeNow: "지금은 결제되지 않습니다.",
    refundable: (amount: string) => `이미 결제한 기간 중 ${amount}이(가) 남습니다. 기록만 되고 환불되지 않습니다.`,
    from: (day: string) => `${day}에 적용됩니다.`,
    nextCharge: (day: string, amount: string, lines: string) => `다음 결제는 ${day}에 ${amount}입니다: ${lines}.`,
    noNextCharge: "이후 결제가 없습니다.",
    openOrder: (code: string) => `${code} 열기`,
  },
);
