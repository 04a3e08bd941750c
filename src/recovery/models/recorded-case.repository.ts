import { and, asc, desc, eq, gte, lt, sql, type SQL } from "drizzle-orm";
import type { Handle } from "../../database/client.ts";
import { idIsOneOf } from "../../database/conditions.ts";
import { coverAttempts, covers, vendors } from "../../../schema/tables/index.ts";
import type {
  AttemptKind,
  CoverEndReason,
  Initiator,
  PaymentGateway,
  ReasonClass,
} from "../../../schema/vocabulary.ts";

/** A decision of a cover, as JSON has it. */
export interface DecisionOfCaseRow {
  decidedAt: string;
  /** The times that it announced, the next first. */
  planned: string[];
  /** Its facts but the attempts, which the last decision has. */
  facts: unknown;
  propensity: unknown;
  probability: unknown;
  modelVersion: unknown;
  explored: unknown;
  draw: unknown;
}

/** A failed attempt of a cover, as JSON has it. */
export interface AttemptOfCaseRow {
  kind: AttemptKind;
  at: string;
  initiator: Initiator;
  reasonClass: ReasonClass;
}

/** A cover with all that was recorded of it. */
export interface RecordedCaseRow {
  id: number;
  startedAt: Date;
  endedAt: Date | null;
  endReason: CoverEndReason | null;
  renewalOrderId: number | null;
  shadow: boolean;
  /** The customer who pays, registered or of the billing side. */
  payer: string | null;
  policyVersion: string;
  policy: Record<string, unknown> | null;
  /** The facts of the last decision; null if there are none. */
  facts: unknown;
  /** When a registered order was paid, as far as it was reported. */
  paidAt: string | null;
  /** Whether the payer of a registered order paid in person, as the report of the payment says. */
  paidByPayer: boolean;
  /** In order of time. */
  decisions: DecisionOfCaseRow[];
  /** In order of their numbers. */
  attempts: AttemptOfCaseRow[];
  /** The payment of a renewal by a charge of the service: when it was made. Null if the payer paid, or nobody. */
  chargedAt: string | null;
}

/** Cases by the time of their start: from one instant, inclusive, until another, exclusive. */
export interface CasePeriod {
  from: Date;
  until: Date;
}

/** The cases of a period, or only some of them. */
export interface CaseSelection extends CasePeriod {
  /** Those whose caller keeps its own schedule. */
  onlyShadows?: true;
  /** Those of payers of a country: its ISO 3166-1 alpha-2 code. */
  country?: string;
}

const isSelected = ({ from, until, onlyShadows, country }: CaseSelection) =>
  and(
    country === undefined ? undefined : eq(covers.country, country),
    gte(covers.startedAt, from),
    lt(covers.startedAt, until),
    onlyShadows && covers.shadow,
  );

/** The last case of a page. */
export type CasePosition = Pick<RecordedCaseRow, "id" | "startedAt">;

/** More attempts and decisions of one cover are not read: no plan has as many. */
const MAX_STEPS = 200;

/** A code in the form in which codes are compared, as `normalizeCode` has it; the expression of an index. */
const comparedCodeOf = (code: SQL): SQL => sql`regexp_replace(upper(btrim(${code})), '^([0-9])$', '0\\1')`;

/** Queries for what covers have shown: the material that models are trained on. */
export class RecordedCaseRepository {
  constructor(private readonly db: Handle) {}

  /** The vendor and its children that have such covers: a model is trained on those of the whole family. */
  async familyWithCases(
    vendorId: number,
    { from, until, onlyShadows }: Omit<CaseSelection, "country">,
  ): Promise<number[]> {
    const rows = await this.db.execute(sql`select v."id" from ${vendors} v
      where (v."id" = ${vendorId}::bigint or v."parent_id" = ${vendorId}::bigint) and exists (select from ${covers}
        where ${covers.vendorId} = v."id" and ${covers.startedAt} >= ${from.toISOString()}::timestamptz
          and ${covers.startedAt} < ${until.toISOString()}::timestamptz ${onlyShadows ? sql`and ${covers.shadow}` : sql``})
      order by v."id"`);
    return Array.from(rows as Iterable<{ id: string }>, ({ id }) => Number(id));
  }

  /** Amounts of the vendor's newest cases of a period, as their last decisions have them. */
  async recentAmounts(
    vendorId: number,
    { from, until }: CasePeriod,
    limit: number,
  ): Promise<{ currency: string | null; amount: string | null }[]> {
    const facts = sql`(select d."inputs" -> 'case' from "cover_decisions" d where d."vendor_id" = ${covers.vendorId}
      and d."cover_id" = ${covers.id} order by d."decided_at" desc, d."id" desc limit 1)`;
    return this.db
      .select({
        currency: sql<string | null>`${facts} ->> 'currency'`,
        amount: sql<string | null>`${facts} ->> 'amount'`,
      })
      .from(covers)
      .where(and(eq(covers.vendorId, vendorId), isSelected({ from, until })))
      .orderBy(desc(covers.startedAt), desc(covers.id))
      .limit(limit);
  }

  /** The start of a vendor's case that has so many newer ones among those that are selected; null if there is none. */
  async startOfNewest(vendorId: number, selection: CaseSelection, count: number): Promise<Date | null> {
    const [row] = await this.db
      .select({ startedAt: covers.startedAt })
      .from(covers)
      .where(and(eq(covers.vendorId, vendorId), isSelected(selection)))
      .orderBy(desc(covers.startedAt), desc(covers.id))
      .offset(count)
      .limit(1);
    return row?.startedAt ?? null;
  }

  /** So many of the selected covers with all that was recorded of them, from the oldest, after a position. */
  async page(
    vendorId: number,
    selection: CaseSelection,
    limit: number,
    after?: CasePosition,
  ): Promise<RecordedCaseRow[]> {
    return this.selectCases()
      .where(
        and(
          eq(covers.vendorId, vendorId),
          isSelected(selection),
          after &&
            sql`(${covers.startedAt}, ${covers.id}) > (${after.startedAt.toISOString()}::timestamptz, ${after.id}::bigint)`,
        ),
      )
      .orderBy(asc(covers.startedAt), asc(covers.id))
      .limit(limit);
  }

  /** Some covers of a vendor with all that was recorded of them, in no particular order. */
  ofCovers(vendorId: number, ids: readonly number[]): Promise<RecordedCaseRow[]> {
    return this.selectCases().where(and(eq(covers.vendorId, vendorId), idIsOneOf(covers.id, ids)));
  }

  /** The newest covers with an unmapped decline of each code, so many of each: their numbers. */
  async coversWithCodes(
    vendorId: number,
    codes: readonly { gateway: PaymentGateway; code: string }[],
    limit: number,
  ): Promise<number[]> {
    const rows = await this.db.execute(sql`select distinct n."cover_id" as "id"
      from json_to_recordset(${JSON.stringify(codes)}::json) as w("gateway" text, "code" text), lateral (
        select a."cover_id" from ${coverAttempts} a
        join ${covers} c on c."vendor_id" = a."vendor_id" and c."id" = a."cover_id" and c."gateway" = w."gateway"
        where a."vendor_id" = ${vendorId}::bigint and a."reason_class" = 'UNKNOWN' and ${comparedCodeOf(sql`a."error_code"`)} = w."code"
        order by a."attempted_at" desc, a."id" desc limit ${limit}) n
      order by 1`);
    return Array.from(rows as Iterable<{ id: string }>, ({ id }) => Number(id));
  }

  private selectCases() {
    // Within a field of one table Drizzle leaves the table's name out, unless the column is in an expression of its own. Without it, a
    // subquery would compare its own column with itself, and read the rows of all vendors.
    const vendorId = sql`${covers.vendorId}`;
    const ofCover = (alias: string) =>
      sql`${sql.raw(alias)}."vendor_id" = ${covers.vendorId} and ${sql.raw(alias)}."cover_id" = ${covers.id}`;
    return this.db
      .select({
        id: covers.id,
        startedAt: covers.startedAt,
        endedAt: covers.endedAt,
        endReason: covers.endReason,
        renewalOrderId: covers.renewalOrderId,
        shadow: covers.shadow,
        payer: sql<string | null>`coalesce(
          (select 'registered ' || o."customer_id" from "cover_orders" o where o."vendor_id" = ${vendorId} and o."id" = ${covers.orderId}),
          (select 'own ' || o."customer_id" from "orders" o where o."vendor_id" = ${vendorId} and o."id" = ${covers.renewalOrderId}))`,
        paidAt: sql<string | null>`(select to_json(o."payment_date") #>> '{}' from "cover_orders" o
          where o."vendor_id" = ${vendorId} and o."id" = ${covers.orderId})`,
        paidByPayer: sql<boolean>`exists (select from "event_log" e where ${ofCover("e")}
          and e."type" = 'COVER_RECOVERED' and e."actor" = 'CUSTOMER')`,
        policyVersion: covers.policyVersion,
        policy: covers.policy,
        facts: sql<unknown>`(select d."inputs" -> 'case' from "cover_decisions" d where ${ofCover("d")}
          order by d."decided_at" desc, d."id" desc limit 1)`,
        decisions: sql<DecisionOfCaseRow[]>`(select coalesce(json_agg(json_build_object('decidedAt', d."decided_at",
            'planned', array_remove(d."retry_at" || d."alternatives", null),
            'facts', case when jsonb_typeof(d."inputs" -> 'case') = 'object'
              then (d."inputs" -> 'case') - '{attempts,alongside,zone}'::text[] end,
            'propensity', d."outcome" -> 'propensity', 'probability', d."outcome" -> 'probability',
            'modelVersion', d."outcome" -> 'modelVersion', 'explored', d."outcome" #> '{choice,explored}', 'draw', d."outcome" #> '{choice,draw}')
            order by d."decided_at", d."id"), '[]'::json)
          from (select * from "cover_decisions" d where ${ofCover("d")} order by d."decided_at", d."id" limit ${MAX_STEPS}) d)`,
        attempts: sql<AttemptOfCaseRow[]>`(select coalesce(json_agg(json_build_object('kind', a."kind",
            'at', a."attempted_at", 'initiator', a."initiator", 'reasonClass', a."reason_class") order by a."number"), '[]'::json)
          from (select * from "cover_attempts" a where ${ofCover("a")} order by a."number" limit ${MAX_STEPS}) a)`,
        chargedAt: sql<string | null>`(select to_json(p."created_at") #>> '{}' from "payments" p
          where p."vendor_id" = ${vendorId} and p."order_id" = ${covers.renewalOrderId} and p."state" = 'SUCCEEDED'
            and p."initiator" = 'MERCHANT' and p."created_at" >= ${covers.startedAt} order by p."id" limit 1)`,
      })
      .from(covers);
  }
}
