import type { PaymentGateway } from "../../../schema/vocabulary.ts";
import type { StoredMethodService } from "../stored-method.service.ts";
import type { MethodDetachmentRepository } from "./method-detachment.repository.ts";

/** After this time the next attempt is made, also if the worker of the one before died. */
const RETRY_MS = 3_600_000;
/** After this time no further attempt is made, and the token is deleted all the same. */
const GIVE_UP_MS = 14 * 86_400_000;

/** A claimed attempt to detach a method. */
export interface ClaimedDetachment {
  id: number;
  gateway: PaymentGateway;
  /** What the gateway knows the method by; undefined if it is not known any more. */
  token: string | undefined;
  /** Whether no attempt follows. */
  isLast: boolean;
}

/** Claims attempts to detach stored methods of erased customers, and deletes their tokens afterwards. */
export class MethodDetachmentService {
  constructor(
    private readonly deps: {
      methodDetachmentRepository: MethodDetachmentRepository;
      storedMethods: StoredMethodService;
      realNow: Date;
    },
  ) {}

  /** Begins the next attempt; undefined if none is due. */
  async claimDue(vendorId: number): Promise<ClaimedDetachment | undefined> {
    const { methodDetachmentRepository, storedMethods, realNow } = this.deps;
    const method = await methodDetachmentRepository.lockDue(vendorId, realNow);
    if (!method) return undefined;
    await methodDetachmentRepository.change(vendorId, method.id, { detachAt: new Date(realNow.getTime() + RETRY_MS) });
    const removedAt = method.removedAt?.getTime() ?? 0;
    const { id, gateway } = method;
    const token = storedMethods.openToken(vendorId, method);
    return { id, gateway, token, isLast: realNow.getTime() - removedAt >= GIVE_UP_MS };
  }

  /** Deletes what the method was charged by. */
  forgetToken(vendorId: number, id: number): Promise<void> {
    return this.deps.methodDetachmentRepository.change(vendorId, id, {
      detachAt: null,
      token: null,
      fingerprint: null,
    });
  }
}
