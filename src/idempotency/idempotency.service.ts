import { conflict, mismatch } from "../kernel/errors.ts";
import type { IdempotencyRepository } from "./idempotency.repository.ts";

const KEPT_MS = 24 * 3_600_000;

/** An answer as it goes out. */
export interface Answer {
  status: number;
  body: string;
}

/** A request that carries a key of its sender's choice. */
export interface KeyedRequest {
  key: string;
  /** SHA-256 of the call and its body. */
  hash: Buffer;
}

/**
 * Gives a request that is sent again one effect and one answer. The request is one transaction and its answer is stored in
 * it: whoever sees the effect can be given the answer, whenever the process dies.
 */
export class IdempotencyService {
  constructor(
    private readonly answers: IdempotencyRepository,
    private readonly now: Date,
  ) {}

  /** The stored answer, or that of `run`, which is stored if it changed anything: a refusal may be mended and sent again. */
  async once(
    vendorId: number,
    { key, hash }: KeyedRequest,
    run: () => Promise<Answer & { changed: boolean }>,
  ): Promise<Answer & { replayed: boolean }> {
    const oldest = new Date(this.now.getTime() - KEPT_MS);
    if (!(await this.answers.claim(vendorId, key))) {
      throw conflict(
        "IDEMPOTENCY_KEY_IN_USE",
        "A request with this idempotency key is still running; send it again in a moment.",
      );
    }
    const known = await this.answers.find(vendorId, key, oldest);
    if (known && !known.requestHash.equals(hash)) {
      throw mismatch(
        "IDEMPOTENCY_KEY_REUSED",
        "This idempotency key was sent with another request; use a new key for each request.",
      );
    }
    if (known) return { status: known.status, body: known.body, replayed: true };
    const { changed, ...answer } = await run();
    if (changed) await this.answers.keep(vendorId, key, { requestHash: hash, ...answer }, this.now, oldest);
    return { ...answer, replayed: false };
  }
}
