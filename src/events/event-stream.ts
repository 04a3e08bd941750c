import type { EventFeedRepository, NumberedEvent } from "./event-feed.repository.ts";
import type { EventFeedFilter } from "./event-number-list.repository.ts";
import type { FollowedVendor } from "./event-poller.ts";

/** Events that a stream reads from the log at once. It is also the most that a stream holds in memory. */
const PAGE_SIZE = 100;

/** What a stream reads. */
interface EventStreamOptions {
  feed: EventFeedRepository;
  vendor: FollowedVendor;
  /** The stream begins after this number. */
  after: number;
  types: EventFeedFilter["types"];
  /** Ends the stream. */
  signal: AbortSignal;
}

/**
 * The events of a vendor after a number, in order and without gaps, until the signal aborts. A stream that is behind reads
 * pages of the log; one that has caught up shares the events that the poller reads for all.
 */
export async function* streamEvents({
  feed,
  vendor,
  after,
  types,
  signal,
}: EventStreamOptions): AsyncGenerator<NumberedEvent> {
  const isRequested = types ? ({ type }: NumberedEvent) => types.includes(type) : () => true;
  const hasEnded = () => signal.aborted;
  let position = after;
  while (!hasEnded()) {
    const { lastNumber, vendorId } = vendor;
    const recent = vendor.recentAfter(position);
    const events = recent?.slice(0, PAGE_SIZE) ?? (await feed.eventsAfter(vendorId, position, types, PAGE_SIZE));
    for (const event of events) {
      if (hasEnded()) return;
      position = event.id;
      if (isRequested(event)) yield event;
    }
    // The log has no further event of these types up to the number that was the last one before the page was read.
    if (!recent && events.length < PAGE_SIZE) position = Math.max(position, lastNumber);
    if (events.length === 0) await vendor.waitForEventAfter(position, signal);
  }
}
