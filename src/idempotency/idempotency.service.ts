import { conflict, mismatch } from "../kernel/errors.ts";
import type { Vault } from "../kernel/vault.ts";
import type { IdempotencyRepository, StoredAnswer } from "./idempotency.repository.ts";

const KEPT_MS = 24 * 3_600_000;
const HASH_BYTES = 32;

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
    private readonly vault: Vault,
    private readonly now: Date,
  ) {}

  /**
   * The stored answer, or that of `run`, which is stored if it changed anything: a refusal may be mended and sent again.
   * @throws a Refusal SECRETS_KEY_MISSING where a secret would be stored that cannot be encrypted.
   */
  async once(
    vendorId: number,
    { key, hash }: KeyedRequest,
    run: () => Promise<Answer & { changed: boolean; confided: boolean }>,
  ): Promise<Answer & { replayed: boolean }> {
    const oldest = new Date(this.now.getTime() - KEPT_MS);
    if (!(await this.answers.claim(vendorId, key))) {
      throw conflict(
        "IDEMPOTENCY_KEY_IN_USE",
        "A request with this idempotency key is still running; send it again in a moment.",
      );
    }
    const place = placeOf(vendorId, key);
    const known = this.opened(await this.answers.find(vendorId, key, oldest), place);
    if (known && !known.requestHash.equals(hash)) {
      throw mismatch(
        "IDEMPOTENCY_KEY_REUSED",
        "This idempotency key was sent with another request; use a new key for each request.",
      );
    }
    if (known) return { status: known.status, body: known.body, replayed: true };
    const { changed, confided, ...answer } = await run();
    const stored = { requestHash: hash, ...answer, sealed: null };
    if (changed)
      await this.answers.keep(vendorId, key, confided ? this.sealed(stored, place) : stored, this.now, oldest);
    return { ...answer, replayed: false };
  }

  /** Encrypts with the first key whatever an older one encrypted. @returns how many answers that were. */
  async rotate(): Promise<number> {
    const old = (await this.answers.sealed()).filter(({ sealed }) => !this.vault.isCurrent(sealed));
    for (const { vendorId, key, sealed } of old) {
      const place = placeOf(vendorId, key);
      await this.answers.reseal(vendorId, key, this.vault.seal(this.vault.open(sealed, place), place));
    }
    return old.length;
  }

  /** The hash is sealed too: a password in the request could be guessed by it. */
  private sealed({ requestHash, status, body }: StoredAnswer, place: string): StoredAnswer {
    const sealed = this.vault.seal(requestHash.toString("hex") + body, place);
    return { requestHash: Buffer.alloc(0), status, body: "", sealed };
  }

  private opened(answer: StoredAnswer | undefined, place: string): StoredAnswer | undefined {
    if (!answer?.sealed) return answer;
    const text = this.vault.open(answer.sealed, place);
    const hash = Buffer.from(text.slice(0, 2 * HASH_BYTES), "hex");
    return { ...answer, requestHash: hash, body: text.slice(2 * HASH_BYTES) };
  }
}

/** Where a sealed answer stands. */
const placeOf = (vendorId: number, key: string): string => `idempotency_keys.sealed ${vendorId} ${key}`;
