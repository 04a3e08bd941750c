import type { GatewayAdapter, PaymentMethod } from "../../schema/vocabulary.ts";
import {
  chargingAccount,
  isCardMethod,
  offeredMethods,
  type GatewayAccountFacts,
  type MethodFacts,
} from "../orders/order.payability.ts";
import { adapterTraits, type AdapterTraits } from "../payments/gateways/adapter.traits.ts";

/** The payment methods that a page offers. */
export interface OfferedMethods {
  methods: readonly PaymentMethod[];
  /** The methods for which the card is typed on this page, not on a page of the gateway. */
  typedCardMethods: readonly PaymentMethod[];
  /** The origins of the gateways' pages to which the payer may be sent. */
  pageOrigins: readonly string[];
}

/** The methods by which an order can be paid, and where their cards are typed. */
export function toOfferedMethods(
  order: MethodFacts,
  accounts: readonly (GatewayAccountFacts & { adapter: GatewayAdapter })[],
): OfferedMethods {
  const { currency, paymentGateway: gateway } = order;
  const methods = offeredMethods(order, accounts);
  const traitsOf = (method: PaymentMethod): AdapterTraits | undefined => {
    const account = chargingAccount(accounts, { method, currency, gateway });
    return account && adapterTraits[account.adapter];
  };
  return {
    methods,
    typedCardMethods: methods.filter((method) => isCardMethod(method) && !traitsOf(method)?.hasCardPage),
    pageOrigins: [...new Set(methods.flatMap((method) => traitsOf(method)?.pageOrigins ?? []))],
  };
}
