import type { CardTryRepository } from "./card-attempt.repository.ts";
import { faultCodes } from "./gateways/payment.faults.ts";

/** A try with a card that was declined, or whose outcome nobody knows yet. */
type CardTry = Awaited<ReturnType<CardTryRepository["triesOf"]>>[number];

/** Tells how often a card was tried, whichever orders that was for and under whichever customer it is stored. */
export class CardTryService {
  constructor(
    private readonly cards: CardTryRepository,
    private readonly now: Date,
  ) {}

  /** Holds the card of a stored method until the transaction ends: charges of one card begin one after the other. */
  hold(vendorId: number, methodId: number): Promise<void> {
    return this.cards.lock(vendorId, methodId);
  }

  /**
   * The tries of the last so many milliseconds, but for some payments, in order of time. Faults are none, nor is what was
   * approved.
   */
  triesOf(vendorId: number, methodId: number, lastMs: number, except: readonly number[]): Promise<CardTry[]> {
    return this.cards.triesOf(vendorId, methodId, {
      since: new Date(this.now.getTime() - lastMs),
      except,
      faultCodes,
    });
  }
}
