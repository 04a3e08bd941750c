import { z } from "zod";
import { Network } from "../../../schema/vocabulary.ts";
import { firstOf, itemAt } from "../../kernel/required-values.ts";
import { cachedZoneRules } from "../../kernel/zone-rules.ts";
import { classifyDecline } from "../engine/decline.ts";
import type { RecordedRetry } from "../engine/recorded-case.ts";
import { toCaseAfter, type PastPayment } from "../estimates/past-payment.ts";
import type { PastPaymentRecord, PastPaymentRepository } from "./past-payment.repository.ts";

/** Payments that are read by one statement. */
const PAGE_SIZE = 200;

const storedText = z.string().nullable();
const storedTry = z.object({
  at: z.iso.datetime().transform((text) => new Date(text)),
  approved: z.boolean(),
  network: z.enum(Network).nullable(),
  code: storedText,
  message: storedText,
  adviceCode: storedText,
});
const storedTries = z.array(storedTry).min(1);

/** @throws if the stored tries cannot be read. */
function toPastPayment({ partnerId, tries: stored, zoneId, ...record }: PastPaymentRecord): PastPayment {
  const { payerId, amount, currency, country, gateway } = record;
  const tries = storedTries.parse(stored).map((one) => ({ ...one, initiator: "MERCHANT" as const }));
  const zone = cachedZoneRules(zoneId, firstOf(tries).at);
  return { id: partnerId, payerId, amount, currency, country, gateway, paymentMethod: null, zone, tries };
}

/** The retries of a payment: another system chose their times, so that their propensities are unknown. */
function retriesOf(payment: PastPayment): RecordedRetry[] {
  const chosen = { propensity: null, probability: null, modelVersion: null, explored: false, choice: null };
  return payment.tries.slice(1).map((one, index) => {
    const before = payment.tries.slice(0, index + 1);
    const declinedAs = one.approved ? null : classifyDecline(one, payment);
    const facts = toCaseAfter(payment, before);
    return { facts, at: one.at, approved: one.approved, declinedAs, chosenAt: itemAt(before, index).at, ...chosen };
  });
}

/** The imported payments of a vendor that failed in a period, with their retries. Those that cannot be read are counted. */
export async function* streamPastPayments(
  repository: Pick<PastPaymentRepository, "page">,
  vendorId: number,
  period: { from: Date; until: Date },
  leftOut: { unreadable: number },
): AsyncGenerator<{ retries: RecordedRetry[] }> {
  let rows: PastPaymentRecord[] = [];
  do {
    rows = await repository.page(vendorId, period, PAGE_SIZE, rows.at(-1));
    for (const row of rows) {
      const retries = readRetries(row);
      if (retries) yield { retries };
      else leftOut.unreadable++;
    }
  } while (rows.length === PAGE_SIZE);
}

function readRetries(row: PastPaymentRecord): RecordedRetry[] | undefined {
  try {
    return retriesOf(toPastPayment(row));
  } catch {
    // One that was spoilt must not hide the others.
    return undefined;
  }
}
