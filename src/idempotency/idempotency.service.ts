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
    const known = await this.recall(vendorId, { key, hash });
    if (known) return { ...known, replayed: true };
    const { changed, confided, ...answer } = await run();
    if (changed) await this.remember(vendorId, { key, hash }, answer, confided);
    return { ...answer, replayed: false };
  }

  /** The stored answer, if there is one; until the transaction ends nobody else answers for the key. */
  async recall(vendorId: number, { key, hash }: KeyedRequest): Promise<Answer | undefined> {
    if (!(await this.answers.claim(vendorId, key))) {
      throw conflict(
        "IDEMPOTENCY_KEY_IN_USE",
        "A request with this idempotency key is still running; send it again in a moment.",
      );
    }
    const known = this.opened(await this.answers.find(vendorId, key, this.oldest()), placeOf(vendorId, key));
    if (known && !known.requestHash.equals(hash)) {
      throw mismatch(
        "IDEMPOTENCY_KEY_REUSED",
        "This idempotency key was sent with another request; use a new key for each request.",
      );
    }
    return known && { status: known.status, body: known.body };
  }

  /** Stores an answer; where one is stored already, that one stays. */
  async remember(
    vendorId: number,
    { key, hash }: KeyedRequest,
    { status, body }: Answer,
    confided: boolean,
  ): Promise<void> {
    const stored = { requestHash: hash, status, body, sealed: null };
    const kept = confided ? this.sealed(stored, placeOf(vendorId, key)) : stored;
    await this.answers.keep(vendorId, key, kept, this.now, this.oldest());
  }

  private oldest(): Date {
    return new Date(this.now.getTime() - KEPT_MS);
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
