import { eq, sql } from "drizzle-orm";
import type { Handle } from "../../database/client.ts";
import { messageSettings } from "../../../schema/tables/index.ts";
import type { MessageArm } from "../../../schema/vocabulary.ts";
import { toAmount, type Amount } from "../../kernel/amounts.ts";
import type { DayRange } from "../analytics/recovery-count.repository.ts";
import type { ComparedCounts } from "../experiments/experiment-count.repository.ts";

/** The failed renewals of an arm. */
export interface MessageArmCounts extends ComparedCounts {
  arm: MessageArm;
  lost: number;
  lostAmount: Amount;
}

/** A row of counts as the driver gives it. */
type CountRow = { arm: MessageArm } & Record<Exclude<keyof MessageArmCounts, "arm">, string>;

/** Queries for the payers who get messages about failed renewals, and the holdout that gets none. */
export class MessageArmRepository {
  constructor(private readonly db: Handle) {}

  /** The holdout's part of all payers, in ten-thousandths. */
  async holdoutPartsOf(vendorId: number): Promise<number> {
    const [row] = await this.db
      .select({ parts: messageSettings.holdoutParts })
      .from(messageSettings)
      .where(eq(messageSettings.vendorId, vendorId));
    return row?.parts ?? 0;
  }

  /**
   * The failed renewals of a period by arm, as counts and as sums of squares over payers. The covers of one order are one case,
   * which belongs to the first of them: a payer whose first cover ended may still store another payment method. Declines
   * that end a cover at once, whatever the payer does, are no cases.
   */
  async countsByArm(vendorId: number, { from, until }: DayRange): Promise<MessageArmCounts[]> {
    const rows = await this.db.execute(sql`
      with cases as (
        select c.message_arm as arm, s.customer_id as payer, c.amount,
          exists (select from covers o where o.vendor_id = ${vendorId}::bigint
            and o.renewal_order_id = c.renewal_order_id and o.state = 'RECOVERED') as is_recovered,
          exists (select from covers o where o.vendor_id = ${vendorId}::bigint
            and o.renewal_order_id = c.renewal_order_id and o.state = 'IN_PROGRESS') as is_open
        from covers c
        join subscriptions s on s.vendor_id = ${vendorId}::bigint and s.id = c.renewal_subscription_id
        where c.vendor_id = ${vendorId}::bigint and c.message_arm is not null
          and c.started_on between ${from}::date and ${until}::date
          and not exists (select from covers o where o.vendor_id = ${vendorId}::bigint
            and o.renewal_order_id = c.renewal_order_id and o.id < c.id)
          and (c.ended_at = c.started_at and c.end_reason in ('MUST_NOT_RETRY', 'ALREADY_PAID')) is not true
      ), payers as (
        select arm, payer, count(*) as cases, sum(amount) as amount,
          count(*) filter (where is_recovered) as recovered,
          coalesce(sum(amount) filter (where is_recovered), 0) as recovered_amount,
          count(*) filter (where not is_recovered and not is_open) as lost,
          coalesce(sum(amount) filter (where not is_recovered and not is_open), 0) as lost_amount
        from cases group by arm, payer
      )
      select arm, count(*) as payers, sum(cases) as cases, sum(amount) as amount, sum(recovered) as recovered,
        sum(recovered_amount) as "recoveredAmount", sum(lost) as lost, sum(lost_amount) as "lostAmount",
        sum(cases * cases) as "casesSquared", sum(recovered * recovered) as "recoveredSquared",
        sum(cases * recovered) as "casesRecovered", sum(amount * amount) as "amountSquared",
        sum(recovered_amount * recovered_amount) as "recoveredAmountSquared",
        sum(amount * recovered_amount) as "amountRecoveredAmount"
      from payers group by arm`);
    return Array.from(rows as Iterable<CountRow>, toCounts);
  }
}

const toCounts = ({ arm, ...row }: CountRow): MessageArmCounts => ({
  arm,
  payers: Number(row.payers),
  cases: Number(row.cases),
  amount: toAmount(row.amount),
  recovered: Number(row.recovered),
  recoveredAmount: toAmount(row.recoveredAmount),
  lost: Number(row.lost),
  lostAmount: toAmount(row.lostAmount),
  casesSquared: Number(row.casesSquared),
  recoveredSquared: Number(row.recoveredSquared),
  casesRecovered: Number(row.casesRecovered),
  amountSquared: Number(row.amountSquared),
  recoveredAmountSquared: Number(row.recoveredAmountSquared),
  amountRecoveredAmount: Number(row.amountRecoveredAmount),
});
