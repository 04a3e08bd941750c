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

/** A charge: the balance at the gateway grows by the revenue of the order. */
export const toChargeEntries = (movement: MoneyMovement) => toEntries(movement, "CLEARING", "SALES");

/** A refund: the refunded total grows by the amount that the gateway paid out. */
export const toRefundEntries = (movement: MoneyMovement) => toEntries(movement, "REFUNDS", "CLEARING");
