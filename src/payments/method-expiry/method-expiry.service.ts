import type { EventService } from "../../events/event.service.ts";
import type { MethodExpiryRepository } from "./method-expiry.repository.ts";

/** Announces stored payment methods that expire soon. */
export class MethodExpiryService {
  constructor(
    private readonly deps: {
      methodExpiryRepository: MethodExpiryRepository;
      events: EventService;
      now: Date;
    },
  ) {}

  /** Records an event for each stored method that expires within 30 days, once for its expiry. @returns how many. */
  async announceDue(vendorId: number, limit: number): Promise<number> {
    const { methodExpiryRepository, events, now } = this.deps;
    const claimed = await methodExpiryRepository.claim(vendorId, now, limit);
    await events.recordEvents(
      vendorId,
      ...claimed.map(({ id, customerId, method, expiresAt }) => ({
        ...{ subject: "PAYMENT_METHOD" as const, subjectId: id, customerId, trigger: "announceMethodExpiry" as const },
        ...{ statusBefore: "STORED", statusAfter: "STORED" },
        facts: { paymentMethod: method, expiresAt },
      })),
    );
    return claimed.length;
  }
}
