import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { overLimit } from "../../kernel/refusals.ts";
import { FairSemaphore, NoSlotError, type FairSemaphoreOptions } from "../../kernel/scheduling/fair-semaphore.ts";
import { runAsParty, type Party } from "../../kernel/scheduling/current-party.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The slot of the request while it is processed. */
    place: AdmissionSlot | undefined;
  }
}

/** The limits of concurrent and of waiting requests. */
export interface AdmissionOptions {
  /** The limits for vendors, each separately. */
  vendors: FairSemaphoreOptions;
  /** The limit for callers with unverified tokens, all together. */
  unknownCallers: FairSemaphoreOptions;
  /** Whether large pages of one vendor follow each other at a distance where others are at work. */
  pacesLargePages?: boolean;
}

const DEFAULT_ADMISSION_OPTIONS: AdmissionOptions = {
  vendors: { slots: 64, acquireTimeoutMs: 5_000, maxWaiting: 128, startsOneAtATime: true },
  unknownCallers: { slots: 4, acquireTimeoutMs: 5_000, maxWaiting: 64 },
  pacesLargePages: true,
};

const RETRY_AFTER_SECONDS = 1;

/** A page of more rows takes the processor so long that others notice. */
const LARGE_PAGE_ROWS = 100;

/** After a large page a vendor rests so many times as long as it took, where others are at work. */
const REST_FACTOR = 9;

const MAX_REST_MS = 20_000;

/** Time that the next large page waits for the end of that pause; beyond it the page is refused. */
const LARGE_PAGE_TIMEOUT_MS = 5_000;

/** How the large pages of one vendor follow each other. */
const LARGE_PAGE_OPTIONS: FairSemaphoreOptions = { slots: 1, acquireTimeoutMs: LARGE_PAGE_TIMEOUT_MS, maxWaiting: 8 };

/** Admits requests: each vendor has its share of the concurrent requests, and a short queue of its own. */
export class AdmissionControl {
  private readonly vendors: FairSemaphore;
  private readonly unknownCallers: FairSemaphore;
  /** Until when each vendor must wait for its next large page, in milliseconds. */
  private readonly restsUntil = new Map<number, number>();

  /** The large pages of each vendor that requested any. */
  private readonly largePages = new Map<number, FairSemaphore>();
  private readonly pacesLargePages: boolean;

  constructor({ vendors, unknownCallers, pacesLargePages = false }: AdmissionOptions = DEFAULT_ADMISSION_OPTIONS) {
    this.pacesLargePages = pacesLargePages;
    this.vendors = new FairSemaphore(vendors);
    this.unknownCallers = new FairSemaphore(unknownCallers);
  }

  /**
   * Waits for a place of the vendor's, for a request of a page of so many rows. @returns what gives it back.
   * @throws a Refusal TOO_MANY_REQUESTS where too many of its requests are under way.
   */
  async admit(vendorId: number, rows: number): Promise<() => void> {
    const party = { kind: "API", id: vendorId } as const;
    const isLarge = this.pacesLargePages && rows > LARGE_PAGE_ROWS;
    const endLargePage = isLarge ? await this.beginLargePage(party) : () => undefined;
    try {
      const releaseSlot = await acquireOrRefuse(this.vendors, party, "Too many requests of the vendor are in progress");
      return () => {
        releaseSlot();
        endLargePage();
      };
    } catch (error) {
      endLargePage();
      throw error;
    }
  }

  /**
   * Begins a large page: one at a time per vendor, also on an idle server, because the next vendor would have to wait
   * for all that have begun. @returns a function that ends it.
   */
  private async beginLargePage(party: Party & { id: number }): Promise<() => void> {
    const releaseSlot = await acquireOrRefuse(
      this.largePageSemaphoreOf(party.id),
      party,
      "Too many large pages of the vendor are in progress",
    );
    if (!this.vendors.hasOtherParties(party)) return releaseSlot;
    try {
      const endPacing = await this.beginPacedPage(party.id);
      return () => {
        endPacing();
        releaseSlot();
      };
    } catch (error) {
      releaseSlot();
      throw error;
    }
  }

  /** The large pages of one vendor. */
  private largePageSemaphoreOf(vendorId: number): FairSemaphore {
    let semaphore = this.largePages.get(vendorId);
    if (!semaphore) this.largePages.set(vendorId, (semaphore = new FairSemaphore(LARGE_PAGE_OPTIONS)));
    return semaphore;
  }

  /**
   * Begins a large page on a busy server: after it the vendor must pause several times as long as it took, because
   * large reads and writes block all other requests. @returns a function that ends it.
   */
  private async beginPacedPage(vendorId: number): Promise<() => void> {
    const now = performance.now();
    for (const [id, until] of this.restsUntil) if (until <= now) this.restsUntil.delete(id);
    const waitMs = (this.restsUntil.get(vendorId) ?? now) - now;
    if (waitMs > LARGE_PAGE_TIMEOUT_MS) {
      const seconds = Math.ceil(waitMs / 1000);
      const message = `The vendor requested a large page just before; wait ${seconds} s, or request pages of at most ${LARGE_PAGE_ROWS} rows.`;
      throw overLimit("TOO_MANY_REQUESTS", message, seconds);
    }
    if (waitMs > 0) await sleep(waitMs);
    const begun = performance.now();
    return () => {
      const ended = performance.now();
      this.restsUntil.set(vendorId, ended + Math.min((ended - begun) * REST_FACTOR, MAX_REST_MS));
    };
  }

  /** Runs work for a caller from an address whose vendor is unknown. @throws a Refusal TOO_MANY_REQUESTS. */
  async runForUnknownCaller<T>(address: string, work: () => Promise<T>): Promise<T> {
    const party: Party = { kind: "OTHER", id: address };
    const releaseSlot = await acquireOrRefuse(
      this.unknownCallers,
      party,
      "Too many requests with unknown tokens are in progress",
    );
    try {
      return await runAsParty({ kind: "OTHER", id: "strangers" }, work);
    } finally {
      releaseSlot();
    }
  }
}

async function acquireOrRefuse(semaphore: FairSemaphore, party: Party, reason: string): Promise<() => void> {
  try {
    return await semaphore.acquire(party);
  } catch (error) {
    if (!(error instanceof NoSlotError)) throw error;
    const message = `${reason}; wait ${RETRY_AFTER_SECONDS} second.`;
    throw overLimit("TOO_MANY_REQUESTS", message, RETRY_AFTER_SECONDS);
  }
}

/**
 * The slot of one request: released when its answer is sent and its work is done, also if the caller has disconnected
 * before.
 */
export class AdmissionSlot {
  private uses = 1;
  private hasResponseEnded = false;

  constructor(private readonly releaseSlot: () => void) {}

  /** Occupies the slot until the work ends. */
  async holdDuring<T>(work: () => Promise<T>): Promise<T> {
    this.uses++;
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  /** Releases the slot for the answer, once: it is sent, or it is a stream, which lasts too long to occupy a slot. */
  endResponse(): void {
    if (this.hasResponseEnded) return;
    this.hasResponseEnded = true;
    this.release();
  }

  private release(): void {
    if (--this.uses === 0) this.releaseSlot();
  }
}

/** Gives a request its place. */
export function holdAdmissionSlot(request: FastifyRequest, { raw }: FastifyReply, releaseSlot: () => void): void {
  const slot = new AdmissionSlot(releaseSlot);
  raw.once("finish", () => slot.endResponse()).once("close", () => slot.endResponse());
  // The caller disconnected while the request waited.
  if (raw.destroyed) slot.endResponse();
  request.place = slot;
}
