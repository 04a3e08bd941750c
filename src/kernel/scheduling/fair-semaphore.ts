import { invariant } from "../refusals.ts";
import type { Party } from "./current-party.ts";

/** The limits of concurrent work, and of the wait for it. */
export interface FairSemaphoreOptions {
  /** Places for all parties together. */
  slots: number;
  /** Time that a party's work waits for a slot, in milliseconds. */
  acquireTimeoutMs: number;
  /** Limit of waiting work per party. Defaults to no limit. */
  maxWaiting?: number;
  /** Whether only one piece of work starts before the process handles other events: for CPU-bound work. */
  startsOneAtATime?: boolean;
}

/** The places that are taken, the work that waits for one, and all places. */
export interface SemaphoreUse {
  used: number;
  waiting: number;
  limit: number;
}

/** Thrown to work that found no place: the party has too much of it. */
export class NoSlotError extends Error {}

/**
 * A party whose last work ended less than this ago still has its share, so that it is not lost between two requests.
 */
const SHARE_KEPT_MS = 1_000;

/** One slot in this many is reserved for newcomers, because running work cannot be interrupted. */
const SLOTS_PER_RESERVED_SLOT = 5;

/** A party's share is never smaller: one place may wait for what is done in the other. */
const MIN_SHARE = 2;

/** One party's work. */
interface PartyQueue {
  kind: string;
  running: number;
  waiting: Set<() => void>;
  lastSeen: number;
  /** Maximum of its running and waiting work since its first request. */
  peakDemand: number;
  /** The time of its last slot, counted in slots; a newcomer comes first. */
  lastGrant: number;
}

/**
 * Limits concurrent work and shares it fairly: a free slot goes to the kinds of parties in turn, and within a kind to
 * its parties in turn, however much of it each has waiting. A party may use slots that others do not need, except for a
 * few that are reserved for newcomers; next to other heavy users it may have as many as each of them, and one newcomer,
 * could have.
 */
export class FairSemaphore {
  private readonly queues = new Map<string, PartyQueue>();
  /** The time of each kind's last slot. */
  private readonly lastGrantByKind = new Map<string, number>();
  private grants = 0;
  private running = 0;
  private isScheduled = false;
  private hasStartedThisTick = false;

  constructor(private readonly options: FairSemaphoreOptions) {}

  /**
   * Waits for a slot. @returns a function that releases it; a second call does nothing.
   * @throws NoSlotError if too much of the party's work waits already, or for too long.
   */
  async acquire(party: Party): Promise<() => void> {
    const queue = this.queueOf(party);
    if (this.hasFreeSlot() && queue.waiting.size === 0 && queue.running < this.computeShares().of(queue))
      this.grantSlot(queue);
    else await this.waitForSlot(queue);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      queue.running--;
      this.running--;
      queue.lastSeen = performance.now();
      this.grantFreeSlots();
    };
  }

  /** How much work is running, how much waits, and how much may run. */
  get use(): SemaphoreUse {
    const waiting = [...this.queues.values()].reduce((sum, queue) => sum + queue.waiting.size, 0);
    return { used: this.running, waiting, limit: this.options.slots };
  }

  /** Whether another party is active, or was a moment ago. */
  hasOtherParties({ kind, id }: Party): boolean {
    this.computeShares();
    return this.queues.size > (this.queues.has(`${kind}/${id}`) ? 1 : 0);
  }

  private hasFreeSlot(): boolean {
    return this.running < this.options.slots && !this.hasStartedThisTick;
  }

  private grantSlot(queue: PartyQueue): void {
    queue.running++;
    this.running++;
    queue.lastGrant = ++this.grants;
    this.lastGrantByKind.set(queue.kind, this.grants);
    if (!this.options.startsOneAtATime) return;
    this.hasStartedThisTick = true;
    setImmediate(() => {
      this.hasStartedThisTick = false;
      this.grantFreeSlots();
    });
  }

  private waitForSlot(queue: PartyQueue): Promise<void> {
    if (queue.waiting.size >= (this.options.maxWaiting ?? Infinity)) throw new NoSlotError("The queue is full.");
    return new Promise((resolve, reject) => {
      const grant = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.waiting.delete(grant);
        reject(new NoSlotError("No slot became free in time."));
      }, this.options.acquireTimeoutMs);
      queue.waiting.add(grant);
      this.grantFreeSlots();
    });
  }

  /** Gives free places to those who wait; where they wait for their share to grow, looks again a little later. */
  private grantFreeSlots(): void {
    const shares = this.computeShares();
    while (this.hasFreeSlot()) {
      const next = this.nextQueue(shares);
      if (!next) break;
      const [grant] = next.waiting;
      invariant(grant, "who is next waits");
      next.waiting.delete(grant);
      this.grantSlot(next);
      grant();
    }
    if (this.isScheduled || !this.hasFreeSlot() || !this.hasWaiting()) return;
    this.isScheduled = true;
    setTimeout(() => {
      this.isScheduled = false;
      this.grantFreeSlots();
    }, SHARE_KEPT_MS);
  }

  /** Whether the kind of a queue, or the queue within its kind, has waited longer for a slot than another. */
  private isBefore(line: PartyQueue, other: PartyQueue): boolean {
    const ahead = this.lastGrantOf(line.kind) - this.lastGrantOf(other.kind);
    return ahead < 0 || (ahead === 0 && line.lastGrant < other.lastGrant);
  }

  private hasWaiting(): boolean {
    return [...this.queues.values()].some(({ waiting }) => waiting.size > 0);
  }

  /** Of the queues with room in their share, the one whose kind, and then whose party, has waited longest. */
  private nextQueue(shares: { of(line: PartyQueue): number }): PartyQueue | undefined {
    let next: PartyQueue | undefined;
    for (const line of this.queues.values()) {
      if (line.waiting.size === 0 || line.running >= shares.of(line)) continue;
      if (next === undefined || this.isBefore(line, next)) next = line;
    }
    return next;
  }

  private lastGrantOf(kind: string): number {
    return this.lastGrantByKind.get(kind) ?? 0;
  }

  /** The current number of slots that each party may have. */
  private computeShares(): { of(line: PartyQueue): number } {
    const now = performance.now();
    for (const [key, { running, waiting, lastSeen }] of this.queues)
      if (running === 0 && waiting.size === 0 && now - lastSeen > SHARE_KEPT_MS) this.queues.delete(key);
    const { slots } = this.options;
    const evenShare = Math.max(MIN_SHARE, Math.ceil(slots / (this.queues.size + 1)));
    const used = ({ peakDemand }: PartyQueue) => Math.min(peakDemand, evenShare);
    const usedByAll = [...this.queues.values()].reduce((sum, line) => sum + used(line), 0);
    const reserve = Math.max(1, Math.floor(slots / SLOTS_PER_RESERVED_SLOT));
    return { of: (line) => Math.max(Math.min(evenShare, slots), slots - (usedByAll - used(line)) - reserve) };
  }

  private queueOf({ kind, id }: Party): PartyQueue {
    const key = `${kind}/${id}`;
    const existing = this.queues.get(key);
    const queue = existing ?? { kind, running: 0, waiting: new Set(), lastSeen: 0, peakDemand: 0, lastGrant: 0 };
    queue.lastSeen = performance.now();
    queue.peakDemand = Math.max(queue.peakDemand, queue.running + queue.waiting.size + 1);
    if (!existing) this.queues.set(key, queue);
    return queue;
  }
}
