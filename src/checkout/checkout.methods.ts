import type { PaymentMethod } from "../../schema/vocabulary.ts";

/** The facts that determine how an order can be paid. */
export interface MethodSelectionFacts {
  currency: string;
  /** The only gateway that may charge it. */
  paymentGateway: string | null;
  /** The only methods by which it may be paid; none is any. */
  allowedPaymentMethods: readonly PaymentMethod[];
  /** Whether what pays it is charged again later. */
  isRecurring: boolean;
}

/** The payment methods that a vendor's gateway account accepts. */
export interface GatewayAccountFacts {
  gateway: string;
  methods: readonly PaymentMethod[];
  /** None is any. */
  currencies: readonly string[];
}

/** Methods that are charged again later, and those by which a payer who is there pays. */
const storedMethodPairs: readonly [billed: PaymentMethod, paid: PaymentMethod][] = [
  ["CARD_BILL", "CARD"],
  ["CELLPHONE_BILL", "CELLPHONE"],
  ["CMS_BILL", "CMS"],
];

/** Those that cannot be charged again, so that a subscription cannot begin with them. */
const oneTimeOnlyMethods: ReadonlySet<PaymentMethod> = new Set(["VBANK", "BANK", "BANK_TRANSFER"]);

/** The ways in which an order can be paid, in the order in which they are offered. */
export function selectMethods(order: MethodSelectionFacts, accounts: readonly GatewayAccountFacts[]): PaymentMethod[] {
  const { allowedPaymentMethods: allowed } = order;
  const matching = accounts.filter(
    ({ gateway, currencies }) =>
      (order.paymentGateway === null || order.paymentGateway === gateway) &&
      (currencies.length === 0 || currencies.includes(order.currency)),
  );
  const offered = new Set<PaymentMethod>(matching.flatMap(({ methods }) => methods));
  // A deposit into the merchant's own account needs no gateway, only the merchant's setting.
  if (allowed.includes("BANK")) offered.add("BANK");
  const requested = allowed.length > 0 ? allowed.filter((method) => offered.has(method)) : [...offered];
  const usable = requested.filter((method) => !(order.isRecurring && oneTimeOnlyMethods.has(method)));
  const replaced = storedMethodPairs.filter(([, paid]) => usable.includes(paid)).map(([billed]) => billed);
  return [...new Set(usable)].filter((method) => !replaced.includes(method));
}

/** Whether a payer types a card. */
export const takesCard = (method: PaymentMethod): boolean => method === "CARD" || method === "CARD_BILL";
