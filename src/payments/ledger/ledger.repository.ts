import { and, eq } from "drizzle-orm";
import { ledgerEntries } from "../../../schema/tables/index.ts";
import type { DisputeState, LedgerAccount } from "../../../schema/vocabulary.ts";
import type { Handle } from "../../database/client.ts";
import { whenGiven, isWithinRange, type TimeRange } from "../../database/conditions.ts";
import { ProjectedList } from "../../database/lists/projected-list.ts";
import { sumAmounts, type Amount } from "../../kernel/amounts.ts";
import { groupBy } from "../../kernel/group-by.ts";
import { ledgerProjection } from "./ledger.projection.ts";

/** Filters for ledger entries. */
export interface LedgerFilter {
  orderId?: number | null;
  account?: LedgerAccount | null;
  createdAt?: TimeRange | null;
}

/** Money that moved: where from and where to. */
interface MoneyMovement {
  orderId: number;
  paymentId: number;
  refundId?: number;
  disputeId?: number;
  amount: Amount;
  currency: string;
  createdAt: Date;
}

type EntryValues = Omit<typeof ledgerEntries.$inferInsert, "id" | "vendorId">;

/** Queries for the ledger, which is append-only. */
export class LedgerRepository {
  readonly list: ProjectedList<LedgerFilter, "CREATED_AT">;

  constructor(private readonly db: Handle) {
    this.list = new ProjectedList(db, {
      projection: ledgerProjection,
      sorts: { CREATED_AT: ledgerEntries.createdAt },
      parentConditions: {},
      filterCondition: ({ orderId, account, createdAt }) =>
        and(
          whenGiven(orderId, (id) => eq(ledgerEntries.orderId, id)),
          whenGiven(account, (word) => eq(ledgerEntries.account, word)),
          isWithinRange(ledgerEntries.createdAt, createdAt),
        ),
    });
  }

  /** Adds entries, which together leave each order balanced. */
  async add(vendorId: number, entries: readonly EntryValues[]): Promise<void> {
    requireBalance(entries);
    await this.db.insert(ledgerEntries).values(entries.map((entry) => ({ vendorId, ...entry })));
  }
}

/**
 * Ensures that entries which are added together sum to zero for each order and currency, so that each order stays balanced
 * where no trigger checks it: a distributed engine has none. @throws a bug.
 */
export function requireBalance(entries: readonly Pick<EntryValues, "orderId" | "currency" | "amount">[]): void {
  for (const [order, added] of groupBy(entries, ({ orderId, currency }) => `${orderId} in ${currency}`))
    if (!sumAmounts(added.map(({ amount }) => amount)).eq(0))
      throw new Error(`The new ledger entries of order ${order} do not sum to zero. Add both sides of each movement.`);
}

const toEntries = ({ amount, ...movement }: MoneyMovement, to: LedgerAccount, from: LedgerAccount) => [
  { ...movement, account: to, amount },
  { ...movement, account: from, amount: amount.times(-1) },
];

/** A charge: the balance at the gateway grows by the revenue of the order. */
export const toChargeEntries = (movement: MoneyMovement) => toEntries(movement, "CLEARING", "SALES");

/** A refund: the refunded total grows by the amount that the gateway paid out. */
export const toRefundEntries = (movement: MoneyMovement) => toEntries(movement, "REFUNDS", "CLEARING");

/** The account on which the amount of a dispute is in each state; before the dispute it is at the gateway. */
const accountOfDispute: Readonly<Record<DisputeState, LedgerAccount>> = {
  OPEN: "DISPUTES",
  WON: "CLEARING",
  LOST: "LOSSES",
};

/** A transition of a dispute: its amount is held, comes back, or is lost. */
export const toDisputeEntries = (movement: MoneyMovement, before: DisputeState | null, after: DisputeState) =>
  toEntries(movement, accountOfDispute[after], before === null ? "CLEARING" : accountOfDispute[before]);
