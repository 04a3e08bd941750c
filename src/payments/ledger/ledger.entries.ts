import type { LedgerAccount } from "../../../schema/vocabulary.ts";
import type { Amount } from "../../kernel/amounts.ts";

/** Money that moved: where from and where to. */
interface MoneyMovement {
  orderId: number;
  paymentId: number;
  refundId?: number;
  amount: Amount;
  currency: string;
  createdAt: Date;
}

const toEntries = ({ amount, ...movement }: MoneyMovement, to: LedgerAccount, from: LedgerAccount) => [
  { ...movement, account: to, amount },
  { ...movement, account: from, amount: amount.times(-1) },
];

/** A charge: what the gateway holds for the merchant grows by what the order brought. */
export const toChargeEntries = (movement: MoneyMovement) => toEntries(movement, "CLEARING", "SALES");

/** A refund: what was given back grows by what the gateway paid out. */
export const toRefundEntries = (movement: MoneyMovement) => toEntries(movement, "REFUNDS", "CLEARING");
