import type {
  CustomerStatus,
  InvoiceStatus,
  Network,
  OrderType,
  PaymentGateway,
  PaymentMethod,
  PaymentState,
  ProductStatus,
  ProductType,
  RecurringInterval,
  SubscriptionStatus,
} from "../generated/operations.ts";
import { translations } from "../language/language.tsx";
import type { Tone } from "../parts/state-badge.tsx";

/** Words of the billing modules, as people read them. */
interface BillingWords {
  customers: Record<CustomerStatus, string>;
  invoices: Record<InvoiceStatus, string>;
  orderTypes: Record<OrderType, string>;
  methods: Record<PaymentMethod, string>;
  networks: Record<Network, string>;
  gateway: (gateway: PaymentGateway) => string;
  payments: Record<PaymentState, string>;
  products: Record<ProductStatus, string>;
  productTypes: Record<ProductType, string>;
  subscriptions: Record<SubscriptionStatus, string>;
  every: (interval: RecurringInterval, count: number) => string;
}

const ENGLISH_UNITS: Record<RecurringInterval, string> = { DAY: "day", WEEK: "week", MONTH: "month", YEAR: "year" };
const KOREAN_UNITS: Record<RecurringInterval, string> = { DAY: "일", WEEK: "주", MONTH: "개월", YEAR: "년" };

const NETWORKS = { ACH: "ACH", AMEX: "American Express", MASTERCARD: "Mastercard", SEPA: "SEPA", VISA: "Visa" };

/** The service's own gateway, none, or a provider by its number. */
const gatewayName = (gateway: PaymentGateway, names: { HOUSE: string; EMPTY: string; PROVIDER: string }): string =>
  gateway === "HOUSE" || gateway === "EMPTY" ? names[gateway] : gateway.replace("PROVIDER_", `${names.PROVIDER} `);

/** How people recognise a stored method: its issuer and last digits, without words that say nothing. */
export const methodDetails = ({ paymentMethod, paymentInfo }: { paymentMethod: PaymentMethod; paymentInfo: string }) =>
  paymentInfo === paymentMethod ? "" : paymentInfo.replace(/^(?:OTHER|UNKNOWN) /, "");

export const billingWords = translations<BillingWords>(
  {
    customers: { NORMAL: "Active", DORMANT: "Dormant" },
    invoices: {
      TEMPORARY: "Draft",
      RESERVATION: "Scheduled",
      SENT: "Sent",
      SEND_FAIL: "Sending failed",
      PAID: "Paid",
      OVER_DUE: "Overdue",
    },
    orderTypes: {
      ONE_TIME: "One-time",
      RECURRING_INITIAL: "First of a subscription",
      RECURRING: "Renewal",
      ADDITIONAL: "Change of a subscription",
      ADD_USAGE: "Usage",
      PAYMENT_METHOD: "Payment method",
      ADD_PAYMENT_METHOD: "Another payment method",
    },
    methods: {
      BANK: "Bank account",
      BANK_TRANSFER: "Bank transfer",
      CARD: "Card",
      CARD_BILL: "Stored card",
      CELLPHONE: "Mobile phone",
      CELLPHONE_BILL: "Stored mobile phone",
      CMS: "Direct debit",
      CMS_BILL: "Stored direct debit",
      ONLINE_WALLET: "Online wallet",
      SIMPLE_PAY: "Simple pay",
      VBANK: "Virtual account",
    },
    networks: { ...NETWORKS, OTHER: "Other network" },
    gateway: (gateway) => gatewayName(gateway, { HOUSE: "Own gateway", EMPTY: "None", PROVIDER: "Provider" }),
    payments: { PENDING: "Pending", SUCCEEDED: "Succeeded", FAILED: "Failed", UNKNOWN: "Unknown outcome" },
    products: {
      SALE: "On sale",
      UNSOLD: "Not on sale",
      OUT_OF_STOCK: "Out of stock",
      WAITING_APPROVAL: "Awaiting approval",
      REJECTED: "Rejected",
    },
    productTypes: { BOX: "Shipped", SOFTWARE: "Service", BUNDLE: "Bundle", INVOICE: "Invoice item", DRAFT: "Draft" },
    subscriptions: {
      ACTIVE: "Active",
      UNPAID: "Unpaid",
      QUEUEING: "Being charged",
      INCOMPLETE: "Incomplete",
      PAUSE: "Paused",
      PENDING_PAUSE: "Pausing",
      PENDING_CANCEL: "Cancelling",
      CANCELED: "Cancelled",
      EXPIRED: "Expired",
    },
    every: (interval, count) =>
      count === 1 ? `every ${ENGLISH_UNITS[interval]}` : `every ${count} ${ENGLISH_UNITS[interval]}s`,
  },
  {
    customers: { NORMAL: "정상", DORMANT: "휴면" },
    invoices: {
      TEMPORARY: "임시 저장",
      RESERVATION: "발송 예약",
      SENT: "발송됨",
      SEND_FAIL: "발송 실패",
      PAID: "결제됨",
      OVER_DUE: "기한 초과",
    },
    orderTypes: {
      ONE_TIME: "일회성",
      RECURRING_INITIAL: "구독 첫 주문",
      RECURRING: "갱신",
      ADDITIONAL: "구독 변경",
      ADD_USAGE: "사용량",
      PAYMENT_METHOD: "결제 수단",
      ADD_PAYMENT_METHOD: "추가 결제 수단",
    },
    methods: {
      BANK: "은행 계좌",
      BANK_TRANSFER: "계좌 이체",
      CARD: "카드",
      CARD_BILL: "저장된 카드",
      CELLPHONE: "휴대폰",
      CELLPHONE_BILL: "저장된 휴대폰",
      CMS: "자동 이체",
      CMS_BILL: "저장된 자동 이체",
      ONLINE_WALLET: "온라인 지갑",
      SIMPLE_PAY: "간편 결제",
      VBANK: "가상 계좌",
    },
    networks: { ...NETWORKS, OTHER: "기타 네트워크" },
    gateway: (gateway) => gatewayName(gateway, { HOUSE: "자체 대행사", EMPTY: "없음", PROVIDER: "대행사" }),
    payments: { PENDING: "대기 중", SUCCEEDED: "성공", FAILED: "실패", UNKNOWN: "결과 확인 중" },
    products: {
      SALE: "판매 중",
      UNSOLD: "판매 안 함",
      OUT_OF_STOCK: "품절",
      WAITING_APPROVAL: "승인 대기",
      REJECTED: "승인 거절",
    },
    productTypes: { BOX: "배송 상품", SOFTWARE: "서비스", BUNDLE: "묶음 상품", INVOICE: "청구서 항목", DRAFT: "초안" },
    subscriptions: {
      ACTIVE: "이용 중",
      UNPAID: "미납",
      QUEUEING: "결제 중",
      INCOMPLETE: "미완료",
      PAUSE: "일시 정지",
      PENDING_PAUSE: "일시 정지 예정",
      PENDING_CANCEL: "해지 예정",
      CANCELED: "해지됨",
      EXPIRED: "만료됨",
    },
    every: (interval, count) => `${count}${KOREAN_UNITS[interval]}마다`,
  },
);

export const INVOICE_TONES: Record<InvoiceStatus, Tone> = {
  TEMPORARY: "neutral",
  RESERVATION: "neutral",
  SENT: "running",
  SEND_FAIL: "bad",
  PAID: "good",
  OVER_DUE: "bad",
};

export const PAYMENT_TONES: Record<PaymentState, Tone> = {
  PENDING: "running",
  SUCCEEDED: "good",
  FAILED: "bad",
  UNKNOWN: "running",
};

export const PRODUCT_TONES: Record<ProductStatus, Tone> = {
  SALE: "good",
  UNSOLD: "neutral",
  OUT_OF_STOCK: "bad",
  WAITING_APPROVAL: "running",
  REJECTED: "bad",
};

export const SUBSCRIPTION_TONES: Record<SubscriptionStatus, Tone> = {
  ACTIVE: "good",
  UNPAID: "bad",
  QUEUEING: "running",
  INCOMPLETE: "neutral",
  PAUSE: "neutral",
  PENDING_PAUSE: "running",
  PENDING_CANCEL: "running",
  CANCELED: "neutral",
  EXPIRED: "neutral",
};
