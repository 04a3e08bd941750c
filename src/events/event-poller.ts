import { setTimeout as wait } from "node:timers/promises";
import { runAsParty } from "../kernel/scheduling/current-party.ts";
import { groupBy } from "../kernel/group-by.ts";
import type { EventFeedRepository, NumberedEvent } from "./event-feed.repository.ts";
import type { EventFeedFilter } from "./event-number-list.repository.ts";
import { streamEvents } from "./event-stream.ts";

/** The dependencies of a poller. */
interface EventPollerOptions {
  feed: EventFeedRepository;
  onFault: (error: unknown) => void;
}

const POLL_INTERVAL_MS = 250;
const AFTER_FAULT_MS = 2_000;
/** Events of a vendor that one statement reads. */
const BATCH_SIZE = 200;
/** Events of a vendor that stay in memory for its streams. A stream that is further behind reads the log. */
const RECENT_EVENTS = 400;

/** The last events of one vendor, shared by its open streams. */
export class FollowedVendor {
  private recent: NumberedEvent[] = [];
  private readonly waiting = new Set<() => void>();

  constructor(
    readonly vendorId: number,
    /** The number of the last event that was read. */
    public lastNumber: number,
    private readonly feed: EventFeedRepository,
  ) {}

  /** The events after a number, in order and without gaps, until the signal aborts. */
  streamAfter(after: number, types: EventFeedFilter["types"], signal: AbortSignal): AsyncIterable<NumberedEvent> {
    return streamEvents({ feed: this.feed, vendor: this, after, types, signal });
  }

  /** The events after a number; undefined if some of them are no longer in memory. */
  recentAfter(number: number): readonly NumberedEvent[] | undefined {
    if (number >= this.lastNumber) return [];
    const first = this.recent[0]?.id ?? Infinity;
    return number < first - 1 ? undefined : this.recent.slice(number - first + 1);
  }

  /** Adds the events that follow the last one, and wakes the streams that wait for them. */
  addEvents(events: readonly NumberedEvent[]): void {
    this.recent = [...this.recent, ...events].slice(-RECENT_EVENTS);
    this.lastNumber = events.at(-1)?.id ?? this.lastNumber;
    for (const wake of this.waiting) wake();
  }

  /** Waits until there is an event after a number, or the signal aborts. */
  async waitForEventAfter(number: number, signal: AbortSignal): Promise<void> {
    while (number >= this.lastNumber && !signal.aborted)
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.waiting.delete(wake);
          signal.removeEventListener("abort", wake);
          resolve();
        };
        this.waiting.add(wake);
        signal.addEventListener("abort", wake);
      });
  }
}

/**
 * Reads the new events of all vendors that have open streams, by one statement for all of them, however many streams
 * there are. It polls, because notifications of PostgreSQL do not pass a transaction pooler. Without streams it is idle.
 */
export class EventPoller {
  private readonly followed = new Map<number, { vendor?: Promise<FollowedVendor>; streams: number }>();
  private readonly vendors = new Map<number, FollowedVendor>();
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly options: EventPollerOptions) {}

  /** Follows a vendor until as many calls of `unfollow` were made. */
  async follow(vendorId: number): Promise<FollowedVendor> {
    const entry = this.followed.get(vendorId) ?? { streams: 0 };
    this.followed.set(vendorId, entry);
    entry.streams++;
    try {
      entry.vendor ??= this.startFollowing(vendorId, () => this.followed.get(vendorId) === entry);
      return await entry.vendor;
    } catch (error) {
      this.unfollow(vendorId);
      throw error;
    }
  }

  unfollow(vendorId: number): void {
    const entry = this.followed.get(vendorId);
    if (!entry || --entry.streams > 0) return;
    this.followed.delete(vendorId);
    this.vendors.delete(vendorId);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async startFollowing(vendorId: number, isFollowed: () => boolean): Promise<FollowedVendor> {
    const { feed } = this.options;
    const vendor = new FollowedVendor(vendorId, await feed.lastNumber(vendorId), feed);
    if (isFollowed()) this.vendors.set(vendorId, vendor);
    this.running ??= this.runLoop();
    return vendor;
  }

  private async runLoop(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted && this.vendors.size > 0) {
      let pauseMs = POLL_INTERVAL_MS;
      try {
        if (await runAsParty({ kind: "OTHER", id: "event streams" }, () => this.poll())) pauseMs = 0;
      } catch (error) {
        this.options.onFault(error);
        pauseMs = AFTER_FAULT_MS;
      }
      await wait(pauseMs, undefined, { signal }).catch(() => undefined);
    }
    this.running = undefined;
  }

  /** Reads what is new. @returns true if there is more. */
  private async poll(): Promise<boolean> {
    const positions = [...this.vendors.values()].map(({ vendorId, lastNumber }) => ({ vendorId, after: lastNumber }));
    const events = await this.options.feed.eventsOfVendorsAfter(positions, BATCH_SIZE);
    const byVendor = groupBy(events, ({ vendorId }) => vendorId);
    for (const { vendorId, after } of positions) {
      const vendor = this.vendors.get(vendorId);
      // Its last stream ended meanwhile, and another one may have begun.
      if (vendor?.lastNumber === after) vendor.addEvents(byVendor.get(vendorId) ?? []);
    }
    return [...byVendor.values()].some(({ length }) => length === BATCH_SIZE);
  }
}
