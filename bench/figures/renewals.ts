import { setTimeout as wait } from "node:timers/promises";
import type postgres from "postgres";
import { required } from "../../src/kernel/required-values.ts";
import { openRenewingMerchant, type RenewalTerms } from "./renewing-merchant.ts";

/** Renewals of one vendor that one worker charged. */
export interface RenewalFigures {
  perMinute: number;
  gatewayMs: number;
  /** Orders that the payment gateway charged more than once. */
  chargedTwice: number;
}

const SUBSCRIPTIONS = Number(process.env["SUBSCRIPTIONS"] ?? 6_000);
/** The longest time of a measurement. */
const MAX_SECONDS = 60;
/** The worker has to start, and the first renewals are not measured. */
const MAX_WARM_UP_SECONDS = 15;
const WARM_UP_SHARE = 0.05;

/** Thousands of renewals of one vendor become due at once, and one worker charges them, for a minute at most. */
export async function measureRenewals(terms: Omit<RenewalTerms, "subscriptions">): Promise<RenewalFigures> {
  const merchant = await openRenewingMerchant({ ...terms, subscriptions: SUBSCRIPTIONS });
  try {
    const stopWorker = merchant.launchWorker();
    const perMinute = await measureRate(merchant.sql);
    await stopWorker();
    return { perMinute, gatewayMs: terms.gatewayMs, chargedTwice: merchant.countChargedTwice() };
  } finally {
    await merchant.close();
  }
}

/** The renewals of a minute, from the end of the warm-up to the last one or the longest time. */
async function measureRate(sql: postgres.Sql): Promise<number> {
  const countTried = async (): Promise<number> => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from payments where state in ('SUCCEEDED', 'FAILED')`;
    return required(row, "a count").count;
  };
  const until = async (least: number, end: number): Promise<number> => {
    let count = await countTried();
    while (count < least && performance.now() < end) {
      await wait(200);
      count = await countTried();
    }
    return count;
  };
  const first = await until(SUBSCRIPTIONS * WARM_UP_SHARE, performance.now() + MAX_WARM_UP_SECONDS * 1_000);
  const started = performance.now();
  const last = await until(SUBSCRIPTIONS, started + MAX_SECONDS * 1_000);
  return Math.round(((last - first) / (performance.now() - started)) * 60_000);
}
