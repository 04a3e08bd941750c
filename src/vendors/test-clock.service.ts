import { addDurationInZone } from "../kernel/instants.ts";
import { invalid, invalidField, overLimit } from "../kernel/refusals.ts";
import type { VendorRecord, VendorRepository } from "./vendor.repository.ts";

/** A century: enough for every test, and within the range of every date type. */
const MAX_CLOCK_AHEAD_MS = 100 * 365.25 * 24 * 3600 * 1000;

/** The most charges that one advance of a test clock may make due, and all advances of one day together. */
const MAX_CHARGES_PER_MOVE = 5_000;
const MAX_CHARGES_PER_DAY = 20_000;
const DAY_MS = 86_400_000;

/** Advances the test clocks of sandbox vendors, within quotas. */
export class TestClockService {
  constructor(
    private readonly deps: {
      vendorRepository: VendorRepository;
      now: Date;
      /** The real time. The quota of a day is by the real time, because the test clock is ahead of it. */
      realNow: Date;
    },
  ) {}

  /**
   * Advances the test clock of a sandbox, which its children also use.
   * @throws a Refusal TEST_CLOCK_UNAVAILABLE, INVALID_ARGUMENT, CLOCK_MOVE_TOO_LARGE, CLOCK_QUOTA_EXCEEDED.
   * @returns how far ahead of the real time the clock is now, in milliseconds.
   */
  async advance(vendor: VendorRecord, by: string): Promise<number> {
    if (!vendor.sandbox)
      throw invalid("TEST_CLOCK_UNAVAILABLE", "This is a live vendor; only a sandbox has a test clock.");
    if (vendor.parentId !== null)
      throw invalid("TEST_CLOCK_UNAVAILABLE", "A child vendor follows its parent's clock; advance the parent's clock.");
    const milliseconds = this.durationMsOf(by, vendor.zoneId);
    const clock = await this.deps.vendorRepository.lockClock(vendor.id);
    const aheadMs = clock.aheadMs + milliseconds;
    if (aheadMs > MAX_CLOCK_AHEAD_MS)
      throw invalidField("by", "must not advance the clock more than a century ahead of the real time.");
    const from = new Date(this.deps.realNow.getTime() + clock.aheadMs);
    const charges = await this.deps.vendorRepository.estimateChargesWithin(vendor.id, from, milliseconds);
    const day = this.deps.realNow.toISOString().slice(0, 10);
    const today = clock.day === day ? clock.charges : 0;
    this.requireWithinQuota(charges, today);
    await this.deps.vendorRepository.setClock(vendor.id, aheadMs, today + charges, day);
    return aheadMs;
  }

  /** Checks the quotas. A sandbox causes the same load as a live vendor, without any revenue. */
  private requireWithinQuota(charges: number, today: number): void {
    if (charges > MAX_CHARGES_PER_MOVE)
      throw invalid(
        "CLOCK_MOVE_TOO_LARGE",
        `The advance would make about ${Math.ceil(charges)} charges of subscriptions due; one advance may make ${MAX_CHARGES_PER_MOVE} due. Advance the clock in smaller steps, or cancel subscriptions that you do not need.`,
      );
    if (today + charges <= MAX_CHARGES_PER_DAY) return;
    const retryAfterSeconds = Math.ceil((DAY_MS - (this.deps.realNow.getTime() % DAY_MS)) / 1000);
    throw overLimit(
      "CLOCK_QUOTA_EXCEEDED",
      `The advances of today would make about ${Math.ceil(today + charges)} charges of subscriptions due; the limit of a day (UTC, in real time) is ${MAX_CHARGES_PER_DAY}. Continue tomorrow, advance the clock less, or cancel subscriptions that you do not need.`,
      retryAfterSeconds,
    );
  }

  private durationMsOf(duration: string, zoneId: string): number {
    try {
      return addDurationInZone(this.deps.now, duration, zoneId).getTime() - this.deps.now.getTime();
    } catch (error) {
      const reason =
        error instanceof RangeError && /negative/.test(error.message)
          ? error.message
          : "must be an ISO 8601 duration such as P1D.";
      throw invalidField("by", reason);
    }
  }
}
