import type { Initiator, OrderItemStatus, OrderType, PaymentGateway, PaymentMethod } from "../../schema/vocabulary.ts";
import { minAmount, ZERO, type Amount } from "../kernel/amounts.ts";
import { orderItemStates } from "./order.states.ts";

/*
 * Whether an order can be paid, the amount due, and the possible payment methods. The API, the checkout and renewals
 * all use these functions: the claim of a payment refuses by them, and the checkout shows by them which methods a claim
 * accepts.
 */

/** The amounts of an order that decide how much of it is due. */
export interface DueFacts {
  amount: Amount;
  paidAmount: Amount;
}

/** The facts that decide whether an order can be paid. */
export interface PayabilityFacts extends DueFacts {
  paymentDate: Date | null;
  purchaseDeadline: Date | null;
  /** The parent vendor's order that an order of a child vendor belongs to. */
  parentOrderId: number | null;
}

/** The facts that decide by which payment methods an order can be paid. */
export interface MethodFacts {
  type: OrderType;
  currency: string;
  /** The only gateway that may charge it; null is any. */
  paymentGateway: PaymentGateway | null;
  /** The only methods by which it may be paid; none is any. */
  allowedPaymentMethods: readonly PaymentMethod[];
  parentOrderId: number | null;
}

/** The payment methods that a vendor's gateway account accepts. */
export interface GatewayAccountFacts {
  gateway: PaymentGateway;
  enabled: boolean;
  methods: readonly PaymentMethod[];
  /** ISO 4217 codes; none is any currency. */
  currencies: readonly string[];
}

/** A charge that an account has to be able to make. */
export interface ChargeRequirements {
  method: PaymentMethod;
  currency: string;
  /** The only gateway that may charge; null is any. */
  gateway: PaymentGateway | null;
}

/** The reason why a payment of an order is refused. */
export type UnpayableReason = "PAID_THROUGH_PARENT" | "PAID" | "CLOSED" | "PAST_DEADLINE";

/** The state of an order without a line that can be paid. */
export type ClosedState = "PAID" | "REFUNDED" | "CANCELLED";

/**
 * Whether a payment of its order applies to a line. Lines with and without a delivery are alike until they are paid.
 */
export const isPayableLine = ({ status }: { status: OrderItemStatus }): boolean =>
  orderItemStates.legalTriggersFrom(status).includes("payOrder");

/** Whether the total of an order is zero, so that it needs no charge. */
export const isFree = ({ amount }: { amount: Amount }): boolean => amount.eq(0);

/** Whether no part of an order has been paid: until then its price may change. */
export const isUntouched = ({ paidAmount }: { paidAmount: Amount }): boolean => paidAmount.eq(0);

/** Whether an order can use what its customer has only once: a trial, a first-purchase discount, a single subscription. */
export const canHaveBenefits = ({ type }: { type: OrderType }): boolean =>
  type === "ONE_TIME" || type === "RECURRING_INITIAL" || type === "ADDITIONAL";

/** Whether an order is fully paid, possibly in parts. */
export const isPaidInFull = ({ amount, paidAmount }: DueFacts): boolean => paidAmount.gte(amount);

/** The amount of the next payment: the open remainder, or first the instant amount of its invoice. */
export function amountDue({ amount, paidAmount }: DueFacts, instantAmount: Amount | null): Amount {
  const left = amount.minus(paidAmount);
  const atOnce = instantAmount?.minus(paidAmount) ?? ZERO;
  return atOnce.gt(0) ? minAmount(atOnce, left) : left;
}

/** Whether the payment of an order stores a method for later charges, also where nothing is due now. */
export const storesMethod = ({ type }: { type: OrderType }): boolean => type !== "ONE_TIME";

/** Whether no action of a payer is needed: no amount is due, and no method is to be stored. */
export const needsNoPayment = (order: { type: OrderType }, due: Amount): boolean => due.lte(0) && !storesMethod(order);

/** Whether the payment deadline has passed for a payer. The merchant may charge an order after its deadline. */
export const isPastDeadline = ({ purchaseDeadline }: { purchaseDeadline: Date | null }, now: Date): boolean =>
  purchaseDeadline !== null && purchaseDeadline <= now;

/** The reason why an order cannot be paid now; null if it can. */
export function unpayableReason(
  order: PayabilityFacts,
  lines: readonly { status: OrderItemStatus }[],
  initiator: Initiator,
  now: Date,
): UnpayableReason | null {
  if (order.parentOrderId !== null) return "PAID_THROUGH_PARENT";
  if (!lines.some(isPayableLine)) return isPaidInFull(order) && order.paymentDate !== null ? "PAID" : "CLOSED";
  return initiator === "CUSTOMER" && isPastDeadline(order, now) ? "PAST_DEADLINE" : null;
}

/** The state of an order as its payer sees it once no line can be paid; null before. */
export function closedState(
  { paidAmount, returnedAmount }: { paidAmount: Amount; returnedAmount: Amount },
  lines: readonly { status: OrderItemStatus }[],
): ClosedState | null {
  if (lines.some(isPayableLine)) return null;
  if (lines.every(({ status }) => status === "CANCELLED")) return "CANCELLED";
  return returnedAmount.gt(0) && returnedAmount.eq(paidAmount) ? "REFUNDED" : "PAID";
}

/** The methods by which a card is charged. */
export const cardMethods: readonly PaymentMethod[] = ["CARD", "CARD_BILL"];

/** Whether a card is charged. */
export const isCardMethod = (method: PaymentMethod): boolean => cardMethods.includes(method);

/** The methods under which a payment is stored and charged again. */
export const storedAs: Readonly<Partial<Record<PaymentMethod, PaymentMethod>>> = {
  CARD: "CARD_BILL",
  CELLPHONE: "CELLPHONE_BILL",
  CMS: "CMS_BILL",
};

/** Methods that cannot be charged again, so that the checkout starts no subscription with them. */
export const singleUse: ReadonlySet<PaymentMethod> = new Set(["VBANK", "BANK", "BANK_TRANSFER"]);

/** Whether an order may be paid by a method at all. */
export const allowsMethod = (
  { allowedPaymentMethods }: Pick<MethodFacts, "allowedPaymentMethods">,
  method: PaymentMethod,
): boolean => allowedPaymentMethods.length === 0 || allowedPaymentMethods.includes(method);

/** Whether a method needs no gateway: a deposit into the merchant's own account, which the merchant confirms. */
export const passesNoGateway = (method: PaymentMethod): boolean => method === "BANK";

const takesCurrency = (
  account: GatewayAccountFacts,
  { currency, gateway }: { currency: string; gateway: PaymentGateway | null },
): boolean =>
  account.enabled &&
  (gateway === null || account.gateway === gateway) &&
  (account.currencies.length === 0 || account.currencies.includes(currency));

/** The account that makes a charge, given the accounts in order of priority; undefined where none can. */
export const chargingAccount = <Account extends GatewayAccountFacts>(
  accounts: readonly Account[],
  { method, ...terms }: ChargeRequirements,
): Account | undefined => accounts.find((account) => account.methods.includes(method) && takesCurrency(account, terms));

/**
 * The methods that the checkout offers for an order, in the order of the order's own list, else of the accounts. A
 * claim accepts each of them. The merchant's own account is offered only if the order lists it, and of two that charge
 * the same instrument the stored one is left out.
 */
export function offeredMethods(order: MethodFacts, accounts: readonly GatewayAccountFacts[]): PaymentMethod[] {
  const { allowedPaymentMethods: allowed, currency, paymentGateway: gateway } = order;
  if (order.parentOrderId !== null) return [];
  const taken = accounts
    .filter((account) => takesCurrency(account, { currency, gateway }))
    .flatMap(({ methods }) => methods);
  const possible =
    allowed.length > 0 ? allowed.filter((method) => passesNoGateway(method) || taken.includes(method)) : taken;
  const usable = possible.filter((method) => !(storesMethod(order) && singleUse.has(method)));
  const stored = usable.map((method) => storedAs[method]);
  return [...new Set(usable)].filter((method) => !stored.includes(method));
}
