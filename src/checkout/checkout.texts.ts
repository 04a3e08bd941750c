import type { OrderItemType, PaymentMethod, RecurringInterval } from "../../schema/vocabulary.ts";
import type { PaymentFailureKind } from "./checkout.declines.ts";
import type { FormError } from "./checkout.form.ts";
import type { CheckoutState } from "./checkout.state.ts";

/** Why there is no page of an order to show. */
export type LinkError = "TAMPERED" | "EXPIRED" | "CLOSED" | "FOREIGN" | "FAILED";

/** Why a payment did not begin. */
export type PaymentError =
  "PRICE_CHANGED" | "OUT_OF_STOCK" | "OTHER_METHOD" | "QUANTITY" | "TOO_MANY_DECLINES" | "SUBSCRIBED";

/** The text of a page without an order. */
interface NoticeText {
  title: string;
  text: string;
}

/** All that the checkout says in one language. */
export interface CheckoutTexts {
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
  /** The texts about charges after today. */
  upcoming: {
    title: string;
    trial: (until: string) => string;
    /** Every cycle at a price; without a price by what is used. */
    charge: (price: string | null, cycle: { count: number; unit: RecurringInterval }, first: string) => string;
    until: (end: string) => string;
    /** How to stop it, given the shop's address for mail, or "". */
    stop: (email: string) => string;
  };
  lines: Record<Exclude<OrderItemType, "SKU">, string>;
  /** Discounts by the names under which orders store them. */
  discounts: Readonly<Record<string, string>>;
  states: Record<CheckoutState, NoticeText>;
  linkErrors: Record<LinkError, NoticeText>;
  cancel: string;
  back: string;
  leaveWithoutPaying: string;
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
  /** Marks a term that need not be agreed to. */
  optional: string;
  pay: (amount: string) => string;
  store: string;
  confirm: string;
  again: string;
  account: string;
  accountParts: Record<"bankName" | "accountNumber" | "accountName", string>;
  formErrors: Record<FormError, string>;
  failures: Record<PaymentFailureKind, string>;
  paymentFailed: string;
  paymentErrors: Record<PaymentError, NoticeText>;
  contact: string;
  trace: string;
}
