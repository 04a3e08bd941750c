import type { BusyDestinations, DueEndpoint } from "./due-vendor.repository.ts";

/** Attempts of one process that are under way at the same time. */
const MAX_ATTEMPTS = 256;
const MAX_ATTEMPTS_PER_FAMILY = 32;
const MAX_ATTEMPTS_PER_ENDPOINT = 8;
/** Attempts at endpoints whose last attempt failed: the others are for those that work. */
const MAX_FAILING_ATTEMPTS = MAX_ATTEMPTS / 2;
/** The last slots are for families that have none, one each, so that a few slow families never take all. */
const RESERVED_ATTEMPTS = 64;
/** The part of the other free slots that one family can have. */
const SHARE_OF_FREE = 1 / 4;

/**
 * Counts the attempts under way, and says who can begin another. A vendor and its children count as one family: otherwise a
 * merchant would have more slots by each child that it creates.
 */
export class AttemptSlots {
  private taken = 0;
  private takenByFailing = 0;
  private readonly byFamily = new Map<number, number>();
  private readonly byEndpoint = new Map<number, number>();

  /** The number of attempts that can be begun at an endpoint. */
  countFree({ familyId, endpointId, isFailing }: DueEndpoint): number {
    return Math.max(
      0,
      Math.min(
        isFailing ? MAX_FAILING_ATTEMPTS - this.takenByFailing : MAX_ATTEMPTS,
        this.familyLimit - (this.byFamily.get(familyId) ?? 0),
        MAX_ATTEMPTS_PER_ENDPOINT - this.countAt(endpointId),
      ),
    );
  }

  /** The number of attempts under way at an endpoint. */
  countAt(endpointId: number): number {
    return this.byEndpoint.get(endpointId) ?? 0;
  }

  /** The families and endpoints that can begin no other attempt, and the endpoints with attempts under way. */
  findBusy(): BusyDestinations {
    const atLeast = (counts: ReadonlyMap<number, number>, limit: number) =>
      Array.from(counts)
        .filter(([, count]) => count >= limit)
        .map(([id]) => id);
    return {
      familyIds: atLeast(this.byFamily, this.familyLimit),
      endpointIds: atLeast(this.byEndpoint, MAX_ATTEMPTS_PER_ENDPOINT),
      attemptedEndpointIds: [...this.byEndpoint.keys()],
      isFullOfFailing: this.takenByFailing >= MAX_FAILING_ATTEMPTS,
    };
  }

  take(endpoint: DueEndpoint): void {
    this.change(1, endpoint);
  }

  /** @param endpoint the same as was given to `take`. */
  giveBack(endpoint: DueEndpoint): void {
    this.change(-1, endpoint);
  }

  private get familyLimit(): number {
    const free = MAX_ATTEMPTS - this.taken;
    if (free === 0) return 0;
    const share = Math.floor((free - RESERVED_ATTEMPTS) * SHARE_OF_FREE);
    return Math.min(MAX_ATTEMPTS_PER_FAMILY, Math.max(1, share));
  }

  private change(by: number, { familyId, endpointId, isFailing }: DueEndpoint): void {
    this.taken += by;
    if (isFailing) this.takenByFailing += by;
    for (const [counts, id] of [
      [this.byFamily, familyId],
      [this.byEndpoint, endpointId],
    ] as const) {
      const count = (counts.get(id) ?? 0) + by;
      if (count === 0) counts.delete(id);
      else counts.set(id, count);
    }
  }
}
