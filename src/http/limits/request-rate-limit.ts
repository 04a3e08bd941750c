import type { FastifyReply } from "fastify";
import type { RemainingRate } from "../../graphql/limits/operation-cost.ts";
import { runAsParty } from "../../kernel/scheduling/current-party.ts";
import { overLimit } from "../../kernel/refusals.ts";
import type { RequestCountRepository } from "../../vendors/keys/request-count.repository.ts";

const WINDOW_SECONDS = 60;
const SETTLE_INTERVAL_MS = 1_000;

/** The requests of one caller in one minute. */
interface CallerCount {
  minute: number;
  /** Of all gateways, as far as this one knows. */
  total: number;
  /** Of this gateway, not in the database yet. */
  unsent: number;
  /** Of this gateway since it learned the sum of all. */
  sinceSettled: number;
  /** The settlement that requests beyond a second's share wait for. */
  settling: Promise<void> | undefined;
}

export interface RequestRateLimitOptions {
  /** Requests of one caller in a minute, over all gateways. */
  perMinute: number;
  counts: Pick<RequestCountRepository, "add">;
  onFault: (error: unknown) => void;
}

/**
 * Limits the requests of each key and each person in a minute. Requests are counted in memory. Once a second all gateways add their
 * counts in the database, and learn the sum. A caller that sends more than a second's share in between waits for a settlement, so that it
 * can exceed its limit by one second's share for each gateway, and no more.
 */
export class RequestRateLimit {
  private readonly callers = new Map<string, CallerCount>();
  private readonly timer: NodeJS.Timeout;
  private readonly secondsShare: number;

  constructor(private readonly options: RequestRateLimitOptions) {
    this.secondsShare = Math.ceil(options.perMinute / WINDOW_SECONDS);
    this.timer = setInterval(() => void this.settleAll(), SETTLE_INTERVAL_MS).unref();
  }

  /** Counts a request of a caller, and reports the limit in the headers. @throws a Refusal TOO_MANY_REQUESTS beyond it. */
  async consume(caller: string, reply: FastifyReply): Promise<RemainingRate> {
    const isWithin = await this.take(caller);
    const state = this.stateOf(caller);
    void reply
      .header("ratelimit-policy", `"minute";q=${state.limit};w=${WINDOW_SECONDS}`)
      .header("ratelimit", `"minute";r=${state.remaining};t=${state.resetSeconds}`);
    if (isWithin) return state;
    const { limit, resetSeconds } = state;
    throw overLimit(
      "TOO_MANY_REQUESTS",
      `The key or person sent ${limit} requests in this minute, which is the limit; wait ${resetSeconds} seconds.`,
      resetSeconds,
    );
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async take(caller: string): Promise<boolean> {
    for (;;) {
      const count = this.countOf(caller);
      if (count.total >= this.options.perMinute) return false;
      if (count.sinceSettled < this.secondsShare) {
        count.total++;
        count.unsent++;
        count.sinceSettled++;
        return true;
      }
      await (count.settling ??= this.settle(count.minute, [[caller, count]]));
    }
  }

  private countOf(caller: string): CallerCount {
    const minute = currentMinute();
    const found = this.callers.get(caller);
    if (found?.minute === minute) return found;
    const count: CallerCount = { minute, total: 0, unsent: 0, sinceSettled: 0, settling: undefined };
    this.callers.set(caller, count);
    return count;
  }

  private stateOf(caller: string): RemainingRate {
    const { perMinute } = this.options;
    const remaining = Math.max(0, perMinute - this.countOf(caller).total);
    const resetSeconds = Math.ceil(WINDOW_SECONDS - ((Date.now() / 1000) % WINDOW_SECONDS));
    return { limit: perMinute, remaining, resetSeconds };
  }

  /** Settles what was counted since, and forgets the callers of earlier minutes. */
  private async settleAll(): Promise<void> {
    const minute = currentMinute();
    const unsettled: [string, CallerCount][] = [];
    for (const [caller, count] of this.callers) {
      if (count.minute !== minute) this.callers.delete(caller);
      else if (count.unsent > 0 && !count.settling) unsettled.push([caller, count]);
    }
    if (unsettled.length === 0) return;
    const settling = this.settle(minute, unsettled);
    for (const [, count] of unsettled) count.settling = settling;
    await settling;
  }

  /** Adds counts in the database. If it does not answer, this gateway limits by what it has counted itself. */
  private async settle(minute: number, unsettled: readonly [string, CallerCount][]): Promise<void> {
    const sent = unsettled.map(([caller, count]) => {
      const requests = count.unsent;
      count.unsent = 0;
      return { caller, requests };
    });
    try {
      const sums = await runAsParty({ kind: "OTHER", id: "rate limits" }, () => this.options.counts.add(minute, sent));
      for (const [caller, count] of unsettled) {
        count.total = (sums.get(caller) ?? count.total) + count.unsent;
        count.sinceSettled = count.unsent;
      }
    } catch (error) {
      for (const [index, [, count]] of unsettled.entries()) {
        count.unsent += sent[index]?.requests ?? 0;
        count.sinceSettled = 0;
      }
      this.options.onFault(error);
    }
    for (const [, count] of unsettled) count.settling = undefined;
  }
}

const currentMinute = (): number => Math.floor(Date.now() / (WINDOW_SECONDS * 1000));
