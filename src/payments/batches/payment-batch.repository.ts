import { and, count, eq, gte, inArray, isNull } from "drizzle-orm";
import {
  invoices,
  orderSubscriptions,
  paymentMethods,
  payments,
  renewals,
  subscriptions,
  vendors,
} from "../../../schema/tables/index.ts";
import { batchCalls, batchReads } from "../../database/batched-calls.ts";
import type { Handle } from "../../database/client.ts";
import { idIsOneOf } from "../../database/conditions.ts";
import { insertRowBatch, updateRowBatch } from "../../database/row-batches.ts";
import { getOrThrow } from "../../kernel/required-values.ts";
import {
  PaymentRepository,
  type PaymentRecord,
  type PaymentValues,
  type StoredMethodRecord,
} from "../payment.repository.ts";

type Failures = Awaited<ReturnType<PaymentRepository["failuresSince"]>>;
type RenewalPeriod = Awaited<ReturnType<PaymentRepository["renewalPeriodOf"]>>;
interface FailureSearch {
  orderId: number;
  codes: readonly string[];
  since: Date;
}

/** Payments of work that runs many times at once in one transaction: one statement for the calls of all. */
export class PaymentBatchRepository extends PaymentRepository {
  private readonly reads;

  constructor(private readonly handle: Handle) {
    super(handle);
    this.reads = createBatchedReads(handle);
  }

  private readonly inserts = batchCalls<PaymentValues, PaymentRecord>(async (vendorId, all) => {
    await insertRowBatch(this.handle, payments, vendorId, all);
    const keys = all.map(({ idempotencyKey }) => idempotencyKey);
    const byKey = new Map((await findByKeys(this.handle, vendorId, keys)).map((one) => [one.idempotencyKey, one]));
    return keys.map((key) => getOrThrow(byKey, key));
  });

  private readonly changes = batchCalls<{ id: number; values: Partial<PaymentValues> }, PaymentRecord>(
    async (vendorId, all) => {
      await updateRowBatch(this.handle, payments, vendorId, all);
      const ids = all.map(({ id }) => id);
      const byId = new Map((await findByIds(this.handle, vendorId, ids)).map((one) => [one.id, one]));
      return ids.map((id) => getOrThrow(byId, id));
    },
  );

  override add(vendorId: number, values: PaymentValues): Promise<PaymentRecord> {
    return this.inserts(vendorId, values);
  }

  override change(vendorId: number, id: number, values: Partial<PaymentValues>): Promise<PaymentRecord> {
    return this.changes(vendorId, { id, values });
  }

  override async byId(vendorId: number, id: number): Promise<PaymentRecord | undefined> {
    const [row] = await this.reads.byId(vendorId, id);
    return row;
  }

  override async lock(vendorId: number, id: number): Promise<PaymentRecord | undefined> {
    const [row] = await this.reads.locked(vendorId, id);
    return row;
  }

  override async byKey(vendorId: number, idempotencyKey: string): Promise<PaymentRecord | undefined> {
    const [row] = await this.reads.byKey(vendorId, idempotencyKey);
    return row;
  }

  override async countAttempts(vendorId: number, orderId: number): Promise<number> {
    const [row] = await this.reads.attemptCounts(vendorId, orderId);
    return row?.count ?? 0;
  }

  override async renewalPeriodOf(vendorId: number, orderId: number): Promise<RenewalPeriod> {
    const [row] = await this.reads.renewalPeriods(vendorId, orderId);
    return row;
  }

  override async openAttemptOf(vendorId: number, orderId: number): Promise<PaymentRecord | undefined> {
    const [row] = await this.reads.openAttempts(vendorId, orderId);
    return row;
  }

  override failuresSince(vendorId: number, orderId: number, codes: readonly string[], since: Date): Promise<Failures> {
    return this.reads.failures(vendorId, { orderId, codes, since });
  }

  override async instantAmountOf(vendorId: number, orderId: number) {
    const [row] = await this.reads.instantAmounts(vendorId, orderId);
    return row?.instantAmount ?? null;
  }

  override async findStoredMethod(vendorId: number, id: number): Promise<StoredMethodRecord | undefined> {
    const [row] = await this.reads.storedMethods(vendorId, id);
    return row;
  }
}

const findByIds = (handle: Handle, vendorId: number, ids: readonly number[]): Promise<PaymentRecord[]> =>
  handle
    .select()
    .from(payments)
    .where(and(eq(payments.vendorId, vendorId), idIsOneOf(payments.id, ids)));

const findByKeys = (handle: Handle, vendorId: number, keys: readonly string[]): Promise<PaymentRecord[]> =>
  handle
    .select()
    .from(payments)
    .where(and(eq(payments.vendorId, vendorId), inArray(payments.idempotencyKey, [...keys])));

const createBatchedReads = (handle: Handle) => ({
  byId: batchReads(
    (vendorId, ids: readonly number[]) => findByIds(handle, vendorId, ids),
    ({ id }) => id,
  ),
  locked: batchReads(
    (vendorId, ids: readonly number[]) =>
      handle
        .select()
        .from(payments)
        .where(and(eq(payments.vendorId, vendorId), idIsOneOf(payments.id, ids)))
        .orderBy(payments.id)
        .for("no key update"),
    ({ id }) => id,
  ),
  byKey: batchReads(
    (vendorId, keys: readonly string[]) => findByKeys(handle, vendorId, keys),
    ({ idempotencyKey }) => idempotencyKey,
  ),
  attemptCounts: batchReads(
    (vendorId, orderIds: readonly number[]) =>
      handle
        .select({ orderId: payments.orderId, count: count() })
        .from(payments)
        .where(and(eq(payments.vendorId, vendorId), idIsOneOf(payments.orderId, orderIds)))
        .groupBy(payments.orderId),
    ({ orderId }) => orderId,
  ),
  renewalPeriods: batchReads(
    (vendorId, orderIds: readonly number[]) =>
      handle
        .select({
          orderId: orderSubscriptions.orderId,
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
            idIsOneOf(orderSubscriptions.orderId, orderIds),
          ),
        ),
    ({ orderId }) => orderId,
  ),
  openAttempts: batchReads(
    (vendorId, orderIds: readonly number[]) =>
      handle
        .select()
        .from(payments)
        .where(
          and(
            eq(payments.vendorId, vendorId),
            idIsOneOf(payments.orderId, orderIds),
            inArray(payments.state, ["PENDING", "UNKNOWN"]),
          ),
        ),
    ({ orderId }) => orderId,
  ),
  failures: batchCalls<FailureSearch, Failures>(async (vendorId, all) => {
    const earliest = new Date(Math.min(...all.map(({ since }) => since.getTime())));
    const failed = await handle
      .select({ orderId: payments.orderId, code: payments.errorCode, at: payments.createdAt })
      .from(payments)
      .where(
        and(
          eq(payments.vendorId, vendorId),
          idIsOneOf(
            payments.orderId,
            all.map(({ orderId }) => orderId),
          ),
          eq(payments.initiator, "MERCHANT"),
          eq(payments.state, "FAILED"),
          gte(payments.createdAt, earliest),
        ),
      )
      .orderBy(payments.createdAt);
    return all.map(({ orderId, codes, since }) => {
      const own = failed.filter((one) => one.orderId === orderId && codes.includes(one.code ?? "") && one.at >= since);
      return { count: own.length, first: own[0]?.at ?? null };
    });
  }),
  instantAmounts: batchReads(
    (vendorId, orderIds: readonly number[]) =>
      handle
        .select({ orderId: invoices.orderId, instantAmount: invoices.instantAmount })
        .from(invoices)
        .where(and(eq(invoices.vendorId, vendorId), idIsOneOf(invoices.orderId, orderIds))),
    ({ orderId }) => orderId ?? 0,
  ),
  storedMethods: batchReads(
    (vendorId, ids: readonly number[]) =>
      handle
        .select()
        .from(paymentMethods)
        .where(
          and(
            eq(paymentMethods.vendorId, vendorId),
            idIsOneOf(paymentMethods.id, ids),
            isNull(paymentMethods.removedAt),
          ),
        ),
    ({ id }) => id,
  ),
});
