import { and, eq, inArray, sql, type SQL } from "drizzle-orm";
import type { Handle } from "../../database/client.ts";
import { recoveryExperimentCounts as counts, recoveryExperiments } from "../../../schema/tables/index.ts";
import type { Amount } from "../../kernel/amounts.ts";
import type { DayRange } from "../analytics/recovery-count.repository.ts";

/** A cover as an experiment counts it. */
export interface ExperimentCover {
  id: number;
  experimentId: number;
  experimentArm: number;
  experimentPayer: number;
  startedOn: string;
  amount: Amount;
}

/** The counts of an arm. */
export interface ArmCounts {
  payers: number;
  cases: number;
  amount: Amount;
  recovered: number;
  recoveredAmount: Amount;
  lost: number;
  lostAmount: Amount;
  attempts: number;
  daysTaken: number;
  casesSquared: number;
  recoveredSquared: number;
  casesRecovered: number;
  amountSquared: number;
  recoveredAmountSquared: number;
  amountRecoveredAmount: number;
}

/** What two arms are compared by. */
export type ComparedCounts = Omit<ArmCounts, "lost" | "lostAmount" | "attempts" | "daysTaken">;

/** The counts of an arm of an experiment. */
export interface ExperimentArmCounts extends ArmCounts {
  experimentId: number;
  arm: number;
}

/** Covers of so many groups of payers never wait for each other. */
const SHARDS = 8;

const COLUMNS = [
  ...["payers", "cases", "amount", "recovered", "recovered_amount", "lost", "lost_amount", "attempts", "days_taken"],
  ...["cases_squared", "recovered_squared", "cases_recovered"],
  ...["amount_squared", "recovered_amount_squared", "amount_recovered_amount"],
] as const;
type Change = Partial<Record<(typeof COLUMNS)[number], SQL>>;

/**
 * Queries for the counts of experiments. Squares of a payer's sums grow by (n + 1)² − n² = 2n + 1: each cover adds what it changes,
 * so that no payer is ever read again.
 */
export class ExperimentCountRepository {
  constructor(private readonly db: Handle) {}

  /** Counts a case that starts. `isLost`: it ends at once. */
  async countStart(vendorId: number, cover: ExperimentCover, isLost: boolean): Promise<void> {
    const amount = amountOf(cover);
    const payer = sql`insert into recovery_experiment_payers as p (vendor_id, experiment_id, payer, cases, amount)
      select vendor_id, id, ${cover.experimentPayer}::bigint, 1, ${amount} from experiment
      on conflict (vendor_id, experiment_id, payer)
      do update set cases = p.cases + 1, amount = p.amount + excluded.amount
      returning vendor_id, cases, recovered, amount, recovered_amount`;
    await this.addToCounts(vendorId, cover, payer, {
      payers: sql`(cases = 1)::integer`,
      cases: sql`1`,
      amount,
      cases_squared: sql`2 * cases - 1`,
      cases_recovered: sql`recovered`,
      amount_squared: sql`${amount} * (2 * amount - ${amount})`,
      amount_recovered_amount: sql`${amount} * recovered_amount`,
      ...(isLost && { lost: sql`1`, lost_amount: amount }),
    });
  }

  /** Counts a case that was recovered after so many whole days. */
  async countRecovered(vendorId: number, cover: ExperimentCover, daysTaken: number): Promise<void> {
    const amount = amountOf(cover);
    const payer = sql`update recovery_experiment_payers p
      set recovered = p.recovered + 1, recovered_amount = p.recovered_amount + ${amount}
      from experiment e
      where p.vendor_id = e.vendor_id and p.experiment_id = e.id and p.payer = ${cover.experimentPayer}::bigint
      returning p.vendor_id, p.cases, p.recovered, p.amount, p.recovered_amount`;
    await this.addToCounts(vendorId, cover, payer, {
      recovered: sql`1`,
      recovered_amount: amount,
      attempts: sql`1 + failed`,
      days_taken: sql`${daysTaken}::integer`,
      recovered_squared: sql`2 * recovered - 1`,
      cases_recovered: sql`cases`,
      recovered_amount_squared: sql`${amount} * (2 * recovered_amount - ${amount})`,
      amount_recovered_amount: sql`${amount} * amount`,
    });
  }

  /** Counts a case that ended without payment. */
  async countLost(vendorId: number, cover: ExperimentCover): Promise<void> {
    await this.addToCounts(vendorId, cover, sql`select vendor_id from experiment`, {
      lost: sql`1`,
      lost_amount: amountOf(cover),
      attempts: sql`failed`,
    });
  }

  /** The counts of experiments by arm; with `maturedOn`, only of covers that are old enough to be compared on that day. */
  armCountsOf(
    vendorId: number,
    experimentIds: readonly number[],
    { maturedOn, days }: { maturedOn?: string; days?: DayRange } = {},
  ): Promise<ExperimentArmCounts[]> {
    const count = (column: typeof counts.cases) => sql<number>`sum(${column})`.mapWith(Number);
    const square = (column: typeof counts.casesSquared) => sql<number>`sum(${column})`.mapWith(Number);
    const money = (column: typeof counts.amount) => sql<Amount>`sum(${column})`.mapWith(counts.amount);
    return this.db
      .select({
        experimentId: counts.experimentId,
        arm: counts.arm,
        payers: count(counts.payers),
        cases: count(counts.cases),
        amount: money(counts.amount),
        recovered: count(counts.recovered),
        recoveredAmount: money(counts.recoveredAmount),
        lost: count(counts.lost),
        lostAmount: money(counts.lostAmount),
        attempts: count(counts.attempts),
        daysTaken: count(counts.daysTaken),
        casesSquared: square(counts.casesSquared),
        recoveredSquared: square(counts.recoveredSquared),
        casesRecovered: square(counts.casesRecovered),
        amountSquared: square(counts.amountSquared),
        recoveredAmountSquared: square(counts.recoveredAmountSquared),
        amountRecoveredAmount: square(counts.amountRecoveredAmount),
      })
      .from(counts)
      .innerJoin(
        recoveryExperiments,
        and(eq(recoveryExperiments.vendorId, counts.vendorId), eq(recoveryExperiments.id, counts.experimentId)),
      )
      .where(
        and(
          eq(counts.vendorId, vendorId),
          inArray(counts.experimentId, [...experimentIds]),
          maturedOn === undefined
            ? undefined
            : sql`${counts.day} <= ${maturedOn}::date - ${recoveryExperiments.comparedAfterDays}`,
          days && sql`${counts.day} between ${days.from}::date and ${days.until}::date`,
        ),
      )
      .groupBy(counts.experimentId, counts.arm);
  }

  /** The vendor's latest experiment with a cover that started on these days. */
  async findLatestWithin(vendorId: number, { from, until }: DayRange): Promise<number | undefined> {
    const [found] = await this.db
      .select({ id: recoveryExperiments.id })
      .from(recoveryExperiments)
      .where(
        and(
          eq(recoveryExperiments.vendorId, vendorId),
          sql`exists (select from recovery_experiment_counts c where c.vendor_id = ${vendorId}
            and c.experiment_id = ${recoveryExperiments.id} and c.day between ${from}::date and ${until}::date)`,
        ),
      )
      .orderBy(sql`${recoveryExperiments.startedAt} desc, ${recoveryExperiments.id} desc`)
      .limit(1);
    return found?.id;
  }

  /**
   * Changes the payer's row by a statement and adds to the counts, together. The experiment belongs to the cover's vendor
   * or to its parent, and its rows to the same one. Nothing is counted where the statement returns no row.
   */
  private async addToCounts(vendorId: number, cover: ExperimentCover, payer: SQL, change: Change): Promise<void> {
    const columns = COLUMNS.filter((column) => change[column]);
    const names = sql.raw(columns.join(", "));
    const values = sql.join(
      columns.map((column) => change[column] ?? sql`0`),
      sql`, `,
    );
    const sums = sql.raw(columns.map((column) => `${column} = c.${column} + excluded.${column}`).join(", "));
    await this.db.execute(sql`
      with experiment as (
        select vendor_id, id from recovery_experiments where id = ${cover.experimentId}::bigint
          and vendor_id in (${vendorId}::bigint, (select parent_id from vendors where id = ${vendorId}::bigint))
      ), payer as (${payer})${change.attempts && sql`, retries as (${failedRetriesOf(vendorId, cover)})`}
      insert into recovery_experiment_counts as c (vendor_id, experiment_id, day, arm, shard, ${names})
      select vendor_id, ${cover.experimentId}::bigint, ${cover.startedOn}::date, ${cover.experimentArm}::smallint,
        ${cover.experimentPayer % SHARDS}::smallint, ${values} from payer${change.attempts && sql`, retries`}
      on conflict (vendor_id, experiment_id, day, arm, shard) do update set ${sums}`);
  }
}

const amountOf = ({ amount }: ExperimentCover): SQL => sql`${amount.toFixed()}::numeric`;

/** The retries of a cover that failed. As a subquery of the counts they would be read by a node of Citus, which refuses that. */
const failedRetriesOf = (vendorId: number, { id }: ExperimentCover): SQL =>
  sql`select count(*)::integer as failed from cover_attempts a where a.vendor_id = ${vendorId}::bigint and a.cover_id = ${id}::bigint
    and a.kind <> 'FIRST_FAILURE'`;
