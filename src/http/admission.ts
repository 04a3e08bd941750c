import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { excess } from "../kernel/refusals.ts";
import { FairShare, NoPlace, type ShareRules } from "../kernel/fair-semaphore.ts";
import { asParty, type Party } from "../kernel/current-party.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The place that the request holds while it is worked on. */
    place: Place | undefined;
  }
}

/** How many requests are worked on at once, and how many wait. */
export interface AdmissionRules {
  /** Of vendors, each by itself. */
  vendors: ShareRules;
  /** Of senders of tokens that are not known yet, all together. */
  strangers: ShareRules;
  /** Whether large pages of one vendor follow each other at a distance where others are at work. */
  pacesLargePages?: boolean;
}

const usualRules: AdmissionRules = {
  vendors: { places: 64, patienceMs: 5_000, mostWaiting: 128, oneByOne: true },
  strangers: { places: 4, patienceMs: 5_000, mostWaiting: 64 },
  pacesLargePages: true,
};

const AGAIN_AFTER_SECONDS = 1;

/** A page of more rows takes the processor so long that others notice. */
const LARGE_PAGE = 100;

/** After a large page a vendor rests so many times as long as it took, where others are at work. */
const REST = 9;

const LONGEST_REST_MS = 20_000;

/** How long the next large page waits for the end of that rest; beyond it is refused. */
const LARGE_PATIENCE_MS = 5_000;

/** How the large pages of one vendor follow each other. */
const largePageRules: ShareRules = { places: 1, patienceMs: LARGE_PATIENCE_MS, mostWaiting: 8 };

/** Admits requests: each vendor has its share of what is worked on at once, and a short queue of its own. */
export class Admission {
  private readonly vendors: FairShare;
  private readonly strangers: FairShare;
  /** Until when a vendor's last large page keeps it from the next one, in milliseconds. */
  private readonly occupied = new Map<number, number>();

  /** The large pages of each vendor that requested any. */
  private readonly largePages = new Map<number, FairShare>();
  private readonly pacesLargePages: boolean;

  constructor({ vendors, strangers, pacesLargePages = false }: AdmissionRules = usualRules) {
    this.pacesLargePages = pacesLargePages;
    this.vendors = new FairShare(vendors);
    this.strangers = new FairShare(strangers);
  }

  /**
   * Waits for a place of the vendor's, for a request of a page of so many rows. @returns what gives it back.
   * @throws a Refusal TOO_MANY_REQUESTS where too many of its requests are under way.
   */
  async admit(vendorId: number, rows: number): Promise<() => void> {
    const party = { kind: "API", id: vendorId } as const;
    const isLarge = this.pacesLargePages && rows > LARGE_PAGE;
    const end = isLarge ? await this.beginLarge(party) : () => undefined;
    try {
      const leave = await entered(this.vendors, party, "Too many requests of the vendor are under way");
      return () => {
        leave();
        end();
      };
    } catch (error) {
      end();
      throw error;
    }
  }

  /**
   * Begins a large page: one of a vendor's at a time, also while nobody else is at work, because the next vendor would have to
   * wait for all that have begun. @returns what ends it.
   */
  private async beginLarge(party: Party & { id: number }): Promise<() => void> {
    const leave = await entered(this.largePagesOf(party.id), party, "Too many large pages of the vendor are under way");
    if (!this.vendors.hasOthers(party)) return leave;
    try {
      const end = await this.beginPaced(party.id);
      return () => {
        end();
        leave();
      };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** The large pages of one vendor. */
  private largePagesOf(vendorId: number): FairShare {
    let share = this.largePages.get(vendorId);
    if (!share) this.largePages.set(vendorId, (share = new FairShare(largePageRules)));
    return share;
  }

  /**
   * Begins a large page where others are at work: after it its vendor rests several times as long as it took, because to read
   * and write one holds up everybody. @returns what ends it.
   */
  private async beginPaced(vendorId: number): Promise<() => void> {
    const now = performance.now();
    for (const [id, until] of this.occupied) if (until <= now) this.occupied.delete(id);
    const waitMs = (this.occupied.get(vendorId) ?? now) - now;
    if (waitMs > LARGE_PATIENCE_MS) {
      const seconds = Math.ceil(waitMs / 1000);
      const message = `The vendor had a large page just before; wait ${seconds} s, or request pages of at most ${LARGE_PAGE} rows.`;
      throw excess("TOO_MANY_REQUESTS", message, seconds);
    }
    if (waitMs > 0) await sleep(waitMs);
    const begun = performance.now();
    return () => {
      const ended = performance.now();
      this.occupied.set(vendorId, ended + Math.min((ended - begun) * REST, LONGEST_REST_MS));
    };
  }

  /** Does work for a caller from an address whose vendor is not known. @throws a Refusal TOO_MANY_REQUESTS. */
  async amongStrangers<T>(address: string, work: () => Promise<T>): Promise<T> {
    const party: Party = { kind: "OTHER", id: address };
    const leave = await entered(this.strangers, party, "Too many requests with unknown tokens are under way");
    try {
      return await asParty({ kind: "OTHER", id: "strangers" }, work);
    } finally {
      leave();
    }
  }
}

async function entered(share: FairShare, party: Party, reason: string): Promise<() => void> {
  try {
    return await share.enter(party);
  } catch (error) {
    if (!(error instanceof NoPlace)) throw error;
    const message = `${reason}; wait ${AGAIN_AFTER_SECONDS} second.`;
    throw excess("TOO_MANY_REQUESTS", message, AGAIN_AFTER_SECONDS);
  }
}

/** The place of one request: given back when its answer is out and its work is done, also where the caller has gone before. */
export class Place {
  private uses = 1;

  constructor(private readonly giveBack: () => void) {}

  /** Holds the place for as long as the work goes on. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.uses++;
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  release(): void {
    if (--this.uses === 0) this.giveBack();
  }
}

/** Gives a request its place. */
export function holdPlace(request: FastifyRequest, { raw }: FastifyReply, giveBack: () => void): void {
  const place = new Place(giveBack);
  let isOut = false;
  const out = () => {
    if (isOut) return;
    isOut = true;
    place.release();
  };
  raw.once("finish", out).once("close", out);
  // The caller has gone while the request waited.
  if (raw.destroyed) out();
  request.place = place;
}
