import type { CardAttempt, CardAttemptRepository } from "./card-attempt.repository.ts";
import { faultCodes } from "./gateways/payment.faults.ts";

/** Tells how often a card was tried, whichever orders that was for and under whichever customer it is stored. */
export class CardAttemptService {
  constructor(
    private readonly deps: {
      cardAttemptRepository: CardAttemptRepository;
      now: Date;
    },
  ) {}

  /** Holds the card of a stored method until the transaction ends: charges of one card begin one after the other. */
  lockCard(vendorId: number, methodId: number): Promise<void> {
    return this.deps.cardAttemptRepository.lockCard(vendorId, methodId);
  }

  /**
   * Recent attempts, within a number of milliseconds, in order of time, without some payments. Faults and approved
   * attempts are excluded.
   */
  recentAttemptsOf(
    vendorId: number,
    methodId: number,
    windowMs: number,
    excludedPaymentIds: readonly number[],
  ): Promise<CardAttempt[]> {
    return this.deps.cardAttemptRepository.attemptsOf(vendorId, methodId, {
      since: new Date(this.deps.now.getTime() - windowMs),
      excludedPaymentIds,
      faultCodes,
    });
  }
}
