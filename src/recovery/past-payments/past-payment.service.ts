import { maskCardNumbers } from "../../kernel/secrets/card-mask.ts";
import { isCurrency } from "../../kernel/currencies.ts";
import { firstOf } from "../../kernel/required-values.ts";
import type { PastTry } from "../estimates/past-payment.ts";
import {
  FailureRowError,
  MAX_TRIES_OF_PAYMENT,
  readFailureRow,
  requireSamePayment,
  type FailedPayment,
  type FailureColumn,
  type FailureRow,
} from "./failure-row.ts";
import type { PastPaymentRecord, PastPaymentRepository, PastTryRecord } from "./past-payment.repository.ts";

/** Why a row was not added: INVALID for its own values, the others for the other tries of its payment. */
export interface RefusedTry {
  reason: "INVALID" | "REPEATED" | "AFTER_APPROVAL";
  column: FailureColumn;
  must: string;
}

/** The result of a row. A KNOWN one was added before with the same values. */
export type TryOutcome = "ADDED" | "KNOWN" | RefusedTry;

interface OpenPayment {
  payment: FailedPayment;
  /** In order of time. */
  tries: PastTryRecord[];
  isChanged: boolean;
}

/** Adds tries of failed payments that a merchant had with another system: history for models to be trained on. */
export class PastPaymentService {
  constructor(private readonly deps: { pastPaymentRepository: PastPaymentRepository; now: Date }) {}

  /** Adds rows in their order, each for itself. The caller keeps other imports of the vendor from running at the same time. */
  async addTries(vendorId: number, rows: readonly FailureRow[]): Promise<TryOutcome[]> {
    const { pastPaymentRepository: repository, now } = this.deps;
    const ids = new Set(rows.flatMap((row) => row.payment_id ?? []));
    const known = await repository.byPartnerIds(vendorId, [...ids]);
    const open = new Map(known.map((record) => [record.partnerId, toOpenPayment(record)]));
    const outcomes = rows.map((row) => addRow(open, row, now));
    await repository.save(
      vendorId,
      [...open.values()].filter(({ isChanged }) => isChanged).map((one) => toRecord(one, now)),
    );
    return outcomes;
  }
}

function addRow(open: Map<string, OpenPayment>, row: FailureRow, now: Date): TryOutcome {
  try {
    const { payment, attempt } = readFailureRow(row, now);
    if (!isCurrency(payment.currency))
      throw new FailureRowError("currency", "must be an ISO 4217 code of a currency that people pay in, such as USD");
    const known = open.get(payment.id) ?? { payment, tries: [], isChanged: false };
    requireSamePayment(known.payment, payment);
    const outcome = addTry(known, toTryRecord(attempt));
    if (outcome === "ADDED") open.set(payment.id, known);
    return outcome;
  } catch (error) {
    if (error instanceof FailureRowError) return { reason: "INVALID", column: error.column, must: error.must };
    throw error;
  }
}

function addTry(open: OpenPayment, added: PastTryRecord): TryOutcome {
  const { tries } = open;
  const same = tries.find(({ at }) => at === added.at);
  if (same)
    return isSameTry(same, added)
      ? "KNOWN"
      : { reason: "REPEATED", column: "time", must: "must not be that of another try of the same payment" };
  const last = tries.at(-1);
  if (last?.approved && last.at < added.at)
    return { reason: "AFTER_APPROVAL", column: "time", must: "must not be after the approved try of the payment" };
  if (last && added.approved && added.at < last.at)
    return { reason: "AFTER_APPROVAL", column: "time", must: "must be the last of the payment if it was approved" };
  if (tries.length >= MAX_TRIES_OF_PAYMENT)
    throw new FailureRowError("payment_id", `must have at most ${MAX_TRIES_OF_PAYMENT} tries`);
  const later = tries.findIndex(({ at }) => at > added.at);
  tries.splice(later < 0 ? tries.length : later, 0, added);
  open.isChanged = true;
  return "ADDED";
}

const isSameTry = (a: PastTryRecord, b: PastTryRecord): boolean =>
  a.approved === b.approved &&
  a.network === b.network &&
  a.code === b.code &&
  a.message === b.message &&
  a.adviceCode === b.adviceCode;

const toTryRecord = ({ at, approved, network, code, message, adviceCode }: PastTry): PastTryRecord => ({
  ...{ at: at.toISOString(), approved, network, code, adviceCode },
  message: message === null ? null : maskCardNumbers(message),
});

const toOpenPayment = ({
  partnerId,
  payerId,
  zoneId,
  gatewayName,
  tries,
  ...record
}: PastPaymentRecord): OpenPayment => {
  const { amount, currency, country, gateway } = record;
  const payment = {
    id: partnerId,
    payerId,
    amount,
    currency,
    country,
    gateway,
    gatewayName,
    paymentMethod: null,
    zoneId,
  };
  return { payment, tries, isChanged: false };
};

const toRecord = ({ payment, tries }: OpenPayment, now: Date) => ({
  partnerId: payment.id,
  payerId: payment.payerId,
  amount: payment.amount,
  currency: payment.currency,
  country: payment.country,
  zoneId: payment.zoneId,
  gateway: payment.gateway ?? ("UNKNOWN" as const),
  gatewayName: payment.gatewayName,
  startedAt: new Date(firstOf(tries).at),
  tries,
  importedAt: now,
});
