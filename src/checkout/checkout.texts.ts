import type { OrderItemType, PaymentMethod, RecurringInterval } from "../../schema/vocabulary.ts";
import type { PaymentFailureKind } from "./checkout.declines.ts";
import type { FormError } from "./checkout.form.ts";
import type { CheckoutState } from "./checkout.state.ts";

/** The reason why a link shows no order. */
export type LinkError = "TAMPERED" | "EXPIRED" | "CLOSED" | "FOREIGN" | "FAILED";

/** The reason why a payment did not start. */
export type PaymentError =
  "PRICE_CHANGED" | "OUT_OF_STOCK" | "OTHER_METHOD" | "QUANTITY" | "TOO_MANY_DECLINES" | "SUBSCRIBED";

/** The title and the text of a notice. */
interface NoticeText {
  title: string;
  text: string;
}

/** An interval between charges, such as 2 weeks. */
export interface ChargedInterval {
  count: number;
  unit: RecurringInterval;
}

/** All texts of the checkout in one language. */
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
    /** How often it is charged. */
    cycle: (cycle: ChargedInterval) => string;
    /** The charge of each cycle. Without a price, it depends on the usage. */
    charge: (price: string | null, cycle: ChargedInterval, first: string) => string;
    until: (end: string) => string;
    /** How to cancel the subscription. `email` is the shop's e-mail address, or "". */
    stop: (email: string) => string;
  };
  lines: Record<Exclude<OrderItemType, "SKU">, string>;
  /** Discounts by the names under which orders store them. */
  discounts: Readonly<Record<string, string>>;
  states: Record<CheckoutState, NoticeText>;
  /** The notice while the payer types the card on a page of the gateway. */
  cardPage: NoticeText;
  openCardPage: string;
  /** The page that opens a window of the gateway. */
  cardWindow: NoticeText & { needsScript: string; closed: string; open: string; back: string };
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
  /** Marks a term that is not required. */
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
