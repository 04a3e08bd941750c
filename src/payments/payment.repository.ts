import { and, count, desc, eq, getTableColumns, gt, gte, inArray, isNull, min, sql } from "drizzle-orm";
import {
  invoices,
  orders,
  orderSubscriptions,
  paymentMethods,
  payments,
  renewals,
  subscriptions,
  vendors,
} from "../../schema/tables/index.ts";
import type { PaymentGateway, PaymentMethod, PaymentState } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import { isOneOf, whenGiven, isWithinRange, type TimeRange } from "../database/conditions.ts";
import { dueRowsOf, literals, timestamp, type DueRows } from "../database/due-rows.ts";
import { ProjectedList } from "../database/lists/projected-list.ts";
import { paymentMethodProjection } from "../customers/customer.projection.ts";
import { firstRow } from "../database/rows.ts";
import { paymentProjection } from "./payment.projection.ts";

export type PaymentRecord = typeof payments.$inferSelect;
export type PaymentValues = Omit<typeof payments.$inferInsert, "id" | "vendorId">;
export type StoredMethodRecord = typeof paymentMethods.$inferSelect;
type StoredMethodValues = Omit<typeof paymentMethods.$inferInsert, "id" | "vendorId">;

/** Filters for payments. */
export interface PaymentFilter {
  orderId?: number | null;
  customerId?: number | null;
  state?: PaymentState | null;
  states?: PaymentState[] | null;
  paymentMethod?: PaymentMethod | null;
  paymentGateway?: PaymentGateway | null;
  /** The gateway's code of a failure. */
  errorCode?: string | null;
  /** Payments that succeeded in this period. */
  paymentDate?: TimeRange | null;
  createdAt?: TimeRange | null;
}

/** Filters for stored payment methods. */
export interface StoredMethodFilter {
  customerId?: number | null;
}

const OPEN_STATES: PaymentState[] = ["PENDING", "UNKNOWN"];

/** Open attempts that are to be looked up at their gateway. */
export const duePayments: DueRows = {
  table: payments,
  isDue: (at) =>
    sql`${payments.lookUpAt} is not null and ${payments.lookUpAt} <= ${at} and ${payments.state} in (${literals(OPEN_STATES)})`,
};

/** Queries for payments and for the payment methods that customers stored. */
export class PaymentRepository {
  readonly list: ProjectedList<PaymentFilter, "CREATED_AT", "orderId">;
  readonly storedMethodList: ProjectedList<StoredMethodFilter, "CREATED_AT">;

  constructor(private readonly db: Handle) {
    this.list = new ProjectedList(db, {
      projection: paymentProjection,
      sorts: { CREATED_AT: payments.createdAt },
      parentConditions: { orderId: payments.orderId },
      filterCondition: (
        { orderId, customerId, state, states, paymentMethod, paymentGateway, errorCode, paymentDate, createdAt },
        vendorId,
      ) =>
        and(
          whenGiven(orderId, (id) => eq(payments.orderId, id)),
          whenGiven(
            customerId,
            (id) =>
              sql`${payments.orderId} in (select ${orders.id} from ${orders}
                where ${orders.vendorId} = ${vendorId} and ${orders.customerId} = ${id})`,
          ),
          whenGiven(state, (word) => eq(payments.state, word)),
          whenGiven(states, (words) => isOneOf(payments.state, words)),
          whenGiven(paymentMethod, (word) => eq(payments.paymentMethod, word)),
          whenGiven(paymentGateway, (word) => eq(payments.paymentGateway, word)),
          whenGiven(errorCode, (code) => eq(payments.errorCode, code)),
          isWithinRange(payments.paymentDate, paymentDate),
          isWithinRange(payments.createdAt, createdAt),
        ),
    });
    this.storedMethodList = new ProjectedList(db, {
      projection: paymentMethodProjection,
      sorts: { CREATED_AT: paymentMethods.createdAt },
      parentConditions: {},
      filterCondition: ({ customerId }) =>
        and(
          isNull(paymentMethods.removedAt),
          whenGiven(customerId, (id) => eq(paymentMethods.customerId, id)),
        ),
    });
  }

  async add(vendorId: number, values: PaymentValues): Promise<PaymentRecord> {
    const row = firstRow(
      await this.db
        .insert(payments)
        .values({ vendorId, ...values })
        .returning(),
    );
    return row;
  }

  async change(vendorId: number, id: number, values: Partial<PaymentValues>): Promise<PaymentRecord> {
    const row = firstRow(
      await this.db
        .update(payments)
        .set(values)
        .where(and(eq(payments.vendorId, vendorId), eq(payments.id, id)))
        .returning(),
    );
    return row;
  }

  async byId(vendorId: number, id: number): Promise<PaymentRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(payments)
      .where(and(eq(payments.vendorId, vendorId), eq(payments.id, id)));
    return row;
  }

  /** The payment, locked until the transaction ends. */
  async lock(vendorId: number, id: number): Promise<PaymentRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(payments)
      .where(and(eq(payments.vendorId, vendorId), eq(payments.id, id)))
      .for("no key update");
    return row;
  }

  async byKey(vendorId: number, idempotencyKey: string): Promise<PaymentRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(payments)
      .where(and(eq(payments.vendorId, vendorId), eq(payments.idempotencyKey, idempotencyKey)));
    return row;
  }

  /** The newest attempt of an order. */
  async newestOf(vendorId: number, orderId: number): Promise<PaymentRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(payments)
      .where(and(eq(payments.vendorId, vendorId), eq(payments.orderId, orderId)))
      .orderBy(desc(payments.id))
      .limit(1);
    return row;
  }

  /** Number of attempts of an order. */
  countAttempts(vendorId: number, orderId: number): Promise<number> {
    return this.db.$count(payments, and(eq(payments.vendorId, vendorId), eq(payments.orderId, orderId)));
  }

  /** The payment with a gateway's charge reference. */
  async byReference(vendorId: number, gateway: PaymentGateway, reference: string): Promise<PaymentRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(payments)
      .where(
        and(
          eq(payments.vendorId, vendorId),
          eq(payments.paymentGateway, gateway),
          eq(payments.gatewayReference, reference),
        ),
      );
    return row;
  }

  /**
   * The subscription and the period that an order charges; `dueAt` is null for the last order, which has no period of
   * its own.
   */
  async renewalPeriodOf(vendorId: number, orderId: number) {
    const [row] = await this.db
      .select({
        vendorUuid: vendors.uuid,
        code: subscriptions.code,
        dueAt: renewals.dueAt,
        periodStart: subscriptions.currentPeriodStart,
      })
      .from(orderSubscriptions)
      .innerJoin(vendors, eq(vendors.id, orderSubscriptions.vendorId))
      .innerJoin(
        subscriptions,
        and(
          eq(subscriptions.vendorId, orderSubscriptions.vendorId),
          eq(subscriptions.id, orderSubscriptions.subscriptionId),
        ),
      )
      .leftJoin(
        renewals,
        and(eq(renewals.vendorId, orderSubscriptions.vendorId), eq(renewals.orderId, orderSubscriptions.orderId)),
      )
      .where(
        and(
          eq(orderSubscriptions.vendorId, vendorId),
          eq(subscriptions.vendorId, vendorId),
          eq(orderSubscriptions.orderId, orderId),
        ),
      );
    return row;
  }

  /** The attempt of an order that is under way. */
  async openAttemptOf(vendorId: number, orderId: number): Promise<PaymentRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(payments)
      .where(and(eq(payments.vendorId, vendorId), eq(payments.orderId, orderId), inArray(payments.state, OPEN_STATES)));
    return row;
  }

  /** The merchant's attempts on an order since an instant that failed with some codes: how many, and when the first was made. */
  async failuresSince(
    vendorId: number,
    orderId: number,
    codes: readonly string[],
    since: Date,
  ): Promise<{ count: number; first: Date | null }> {
    const row = firstRow(
      await this.db
        .select({ count: count(), first: min(payments.createdAt) })
        .from(payments)
        .where(
          and(
            eq(payments.vendorId, vendorId),
            eq(payments.orderId, orderId),
            eq(payments.initiator, "MERCHANT"),
            eq(payments.state, "FAILED"),
            inArray(payments.errorCode, [...codes]),
            gte(payments.createdAt, since),
          ),
        ),
    );
    return row;
  }

  /** The instants at which its payer's attempts by some methods on an order failed since an instant, oldest first. */
  async failedByMethodsSince(
    vendorId: number,
    orderId: number,
    methods: readonly PaymentMethod[],
    since: Date,
  ): Promise<Date[]> {
    const rows = await this.db
      .select({ at: payments.createdAt })
      .from(payments)
      .where(
        and(
          eq(payments.vendorId, vendorId),
          eq(payments.orderId, orderId),
          eq(payments.initiator, "CUSTOMER"),
          eq(payments.state, "FAILED"),
          inArray(payments.paymentMethod, [...methods]),
          gt(payments.createdAt, since),
        ),
      )
      .orderBy(payments.id);
    return rows.map(({ at }) => at);
  }

  /** The succeeded payments of an order, newest first. */
  succeededOf(vendorId: number, orderId: number): Promise<PaymentRecord[]> {
    return this.db
      .select()
      .from(payments)
      .where(and(eq(payments.vendorId, vendorId), eq(payments.orderId, orderId), eq(payments.state, "SUCCEEDED")))
      .orderBy(desc(payments.id));
  }

  /** Open attempts of a vendor that are to be looked up, oldest first. */
  dueForLookUp(vendorId: number, now: Date, limit: number): Promise<PaymentRecord[]> {
    return this.db
      .select()
      .from(payments)
      .where(dueRowsOf(duePayments, vendorId, timestamp(now)))
      .orderBy(payments.lookUpAt, payments.id)
      .limit(limit);
  }

  /** The part of an order that is due at once, if its invoice defines one. */
  async instantAmountOf(vendorId: number, orderId: number) {
    const [row] = await this.db
      .select({ instantAmount: invoices.instantAmount })
      .from(invoices)
      .where(and(eq(invoices.vendorId, vendorId), eq(invoices.orderId, orderId)));
    return row?.instantAmount ?? null;
  }

  async findStoredMethod(vendorId: number, id: number): Promise<StoredMethodRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(paymentMethods)
      .where(and(eq(paymentMethods.vendorId, vendorId), eq(paymentMethods.id, id), isNull(paymentMethods.removedAt)));
    return row;
  }

  /** Stores a method; one with the same fingerprint gets the newer token and is charged again. */
  async upsertStoredMethod(
    vendorId: number,
    values: StoredMethodValues,
  ): Promise<{ method: StoredMethodRecord; isNew: boolean }> {
    const { isNew, ...method } = firstRow(
      await this.db
        .insert(paymentMethods)
        .values({ vendorId, ...values })
        .onConflictDoUpdate({
          target: [
            paymentMethods.vendorId,
            paymentMethods.customerId,
            paymentMethods.gateway,
            paymentMethods.fingerprint,
          ],
          set: {
            token: sql`excluded.token`,
            // The same card may have been renewed.
            expiresAt: sql`coalesce(excluded.expires_at, ${paymentMethods.expiresAt})`,
            removedAt: null,
          },
        })
        // A row that was inserted has no earlier version.
        .returning({ ...getTableColumns(paymentMethods), isNew: sql<boolean>`(xmax = 0)` }),
    );
    return { method, isNew };
  }

  /** The encrypted tokens of all vendors, for the operator who changes the key. */
  allEncryptedMethods(): Promise<StoredMethodRecord[]> {
    return this.db
      .select()
      .from(paymentMethods)
      .where(sql`${paymentMethods.token} is not null`);
  }

  async saveMethodToken(vendorId: number, id: number, token: Buffer): Promise<void> {
    await this.db
      .update(paymentMethods)
      .set({ token })
      .where(and(eq(paymentMethods.vendorId, vendorId), eq(paymentMethods.id, id)));
  }
}
