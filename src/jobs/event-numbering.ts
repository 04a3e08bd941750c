import type { FastifyBaseLogger } from "fastify";
import type { WriteForInstallation } from "../graphql/context.ts";
import { toWireName } from "../events/event.message.ts";
import type { DueVendorRepository } from "./due-vendor.repository.ts";
import { TurnLoop } from "./turn-loop.ts";

/** The dependencies of the sequencer. */
interface EventNumberingOptions {
  write: WriteForInstallation;
  dueVendors: DueVendorRepository;
  logger: FastifyBaseLogger;
  /** Counts an event by its name. */
  countEvent?: ((name: string) => void) | undefined;
  /** Counts the amount of a recovery. */
  countRecovered?: ((currency: string, amount: number) => void) | undefined;
}

const RECOVERED = toWireName("COVER_RECOVERED");
/** Events that are numbered in one transaction. */
const BATCH_SIZE = 500;
/** Vendors that are found by one search. */
const MAX_VENDORS = 100;
const IDLE_MS = 250;
/** Some more events are awaited before the next turn: a turn for each few of them costs the writers their processors. */
const COLLECT_MS = 100;
const AFTER_FAULT_MS = 5_000;

/**
 * Numbers events soon after their commit, in a loop of its own: a slow charge of the worker must not delay the feed. Any
 * number of workers may run it, because a batch locks the vendor's sequence.
 */
export class EventNumbering {
  private readonly loop: TurnLoop;
  /** The last vendor of the turn before, so that vendors with many events do not hide the ones after them. */
  private lastVendorId = 0;

  constructor(private readonly options: EventNumberingOptions) {
    this.loop = new TurnLoop({
      runTurn: () => this.runTurn(),
      pauseMsAfter: (numbered) => (numbered === 0 ? IDLE_MS : numbered < BATCH_SIZE ? COLLECT_MS : 0),
      afterFaultMs: AFTER_FAULT_MS,
      logger: options.logger,
      faultMessage: "the numbering of events failed",
    });
  }

  start(): void {
    this.loop.start();
  }

  /** Stops the loop, and waits for the batch in progress. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Gives each vendor with unnumbered events one batch. @returns the number of numbered events. */
  async runTurn(): Promise<number> {
    const { dueVendors, write, countEvent, countRecovered, logger } = this.options;
    let numbered = 0;
    let vendorIds = await dueVendors.vendorsWithUnnumberedEvents(this.lastVendorId, MAX_VENDORS);
    if (vendorIds.length === 0 && this.lastVendorId > 0)
      vendorIds = await dueVendors.vendorsWithUnnumberedEvents(0, MAX_VENDORS);
    this.lastVendorId = vendorIds.length < MAX_VENDORS ? 0 : (vendorIds.at(-1) ?? 0);
    for (const vendorId of vendorIds) {
      if (this.loop.isStopping) break;
      const { events, lines } = await write(async ({ eventSequences }) => {
        const events = await eventSequences.numberEvents(vendorId, BATCH_SIZE);
        return { events, lines: await eventSequences.logLinesOf(vendorId, events) };
      });
      // After the commit: what was rolled back is numbered, counted and logged again.
      for (const { type } of events) countEvent?.(toWireName(type));
      for (const line of lines) {
        logger.info(line, "recorded");
        const { event, currency, amount } = line;
        if (event === RECOVERED && typeof currency === "string") countRecovered?.(currency, Number(amount));
      }
      numbered += events.length;
    }
    return numbered;
  }
}
