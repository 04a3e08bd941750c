import type { RecurringInterval } from "../generated/operations.ts";
import { translations } from "../language/language.tsx";

const english: { intervals: Record<RecurringInterval, string> } = {
  intervals: { DAY: "Days", WEEK: "Weeks", MONTH: "Months", YEAR: "Years" },
};

const korean: typeof english = { intervals: { DAY: "일", WEEK: "주", MONTH: "개월", YEAR: "년" } };

export const productActionsTexts = translations(
  {
    ...english,
    addPlan: "Add a price plan",
    planName: "Name",
    price: (currency: string) => `Price in ${currency}`,
    interval: "Charged every",
    once: "Once only",
    count: "Number of them",
    incomplete: "Enter a name and a price, such as 18900.",
    recurringRule: (price: string, cycle: string) => `${price} is charged ${cycle}.`,
    onceRule: (price: string) => `${price} is charged once.`,
    planRule: "New orders can choose it at once. Subscriptions in progress keep their plan.",
    typeRule: "Whether it is charged once or in cycles cannot be changed later.",
    unlist: "Take off sale",
    unlistRule: "The product is not listed and cannot be ordered any more.",
    unlistSubscriptions: "Subscriptions in progress go on.",
    list: "Put on sale",
    listRule: "The product is listed and can be ordered.",
  },
  {
    ...korean,
    addPlan: "요금제 추가하기",
    planName: "이름",
    price: (currency: string) => `가격 (${currency})`,
    interval: "결제 주기 단위",
    once: "한 번만",
    count: "주기",
    incomplete: "이름과 18900 같은 가격을 입력하세요.",
    recurringRule: (price: string, cycle: string) => `${cycle} ${price}이(가) 결제됩니다.`,
    onceRule: (price: string) => `${price}이(가) 한 번 결제됩니다.`,
    planRule: "새 주문에서 바로 선택할 수 있습니다. 진행 중인 구독은 기존 요금제를 유지합니다.",
    typeRule: "한 번 결제인지 주기 결제인지는 나중에 바꿀 수 없습니다.",
    unlist: "판매 중지하기",
    unlistRule: "상품이 목록에서 사라지고 더 이상 주문할 수 없습니다.",
    unlistSubscriptions: "진행 중인 구독은 계속됩니다.",
    list: "판매하기",
    listRule: "상품이 목록에 표시되고 주문할 수 있습니다.",
  },
);
