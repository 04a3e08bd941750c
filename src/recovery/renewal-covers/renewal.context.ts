import type { PaymentGateway, PaymentMethod } from "../../../schema/vocabulary.ts";
import { divideRounded, type Amount } from "../../kernel/amounts.ts";
import type { OrderRecord } from "../../orders/order-record.service.ts";
import type { RecoveryContext } from "../covers/cover-lifecycle.service.ts";
import type { RecoveryVendor } from "../covers/cover.facts.ts";

/** Decimals of counted amounts. */
const DECIMALS = 6;

/** The order of a renewal as the engine takes it: in its own currency, and as it was charged. */
export function toRecoveryContext(
  vendor: RecoveryVendor,
  {
    amount,
    currency,
    region,
    ...order
  }: Pick<OrderRecord, "amount" | "currency" | "region" | "paymentGateway" | "paymentMethod">,
  charge: { paymentGateway: PaymentGateway | null; paymentMethod: PaymentMethod | null },
): RecoveryContext {
  return {
    vendor: { ...vendor, currency },
    order: {
      amount,
      paymentGateway: charge.paymentGateway ?? order.paymentGateway ?? "UNKNOWN",
      paymentMethod: charge.paymentMethod ?? order.paymentMethod,
    },
    payer: { country: region },
  };
}

/** The amount of an order in the vendor's currency. */
export const toBaseCurrencyAmount = ({
  amount,
  currency,
  baseCurrency,
  exchangeRate,
}: Pick<OrderRecord, "amount" | "currency" | "baseCurrency" | "exchangeRate">): Amount =>
  currency === baseCurrency || exchangeRate.eq(0)
    ? amount
    : divideRounded({ part: amount, whole: exchangeRate }, DECIMALS);
