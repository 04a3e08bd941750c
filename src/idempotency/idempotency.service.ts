import { conflict, invalid, mismatch } from "../kernel/refusals.ts";
import type { Vault } from "../kernel/secret-vault.ts";
import type { IdempotencyRepository, SavedRequest } from "./idempotency.repository.ts";

const KEPT_MS = 24 * 3_600_000;
const HASH_BYTES = 32;
/** Characters of the largest answer that is stored: what a request may make the database keep for a day. */
const LARGEST_ANSWER = 1_048_576;
/** What a saved request without an answer says to an older gateway, which takes it for one. */
const NO_ANSWER = { status: 409, body: "", answered: false };

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

/** A request with a key that asks a payment gateway. */
export interface MoneyRequest extends KeyedRequest {
  /** Whether a secret stands in it, such as the number of a card: then its hash is encrypted. */
  holdsSecret: () => boolean;
}

/** What a request that moves money did, or began to do. */
export type MoneyEffect = NonNullable<SavedRequest["effect"]>;

/**
 * Gives a request that is sent again one effect and one answer. A request is one transaction and its answer is stored in
 * it; one that moves money binds its key in the transaction that claims its charge or refund, and is answered later.
 */
export class IdempotencyService {
  constructor(
    private readonly requests: IdempotencyRepository,
    private readonly vault: Vault,
    /** The real time: a sandbox that moves its clock forgets no request. */
    private readonly now: Date,
  ) {}

  /**
   * The stored answer, or that of `run`, which is stored if it changed anything: a refusal may be mended and sent again.
   * @throws a Refusal IDEMPOTENCY_KEY_IN_USE, IDEMPOTENCY_KEY_REUSED, KEYED_ANSWER_TOO_LARGE, or SECRETS_KEY_MISSING where
   * a secret would be stored that cannot be encrypted.
   */
  async once(
    vendorId: number,
    request: KeyedRequest,
    run: () => Promise<Answer & { changed: boolean; confided: boolean }>,
  ): Promise<Answer & { replayed: boolean }> {
    const known = await this.findAnswer(vendorId, request);
    if (known) return { ...known, replayed: true };
    const { changed, confided, ...answer } = await run();
    if (changed) await this.saveWithAnswer(vendorId, request, answer, confided);
    return { ...answer, replayed: false };
  }

  /** The stored answer, if there is one; until the transaction ends nobody else answers for the key. */
  async findAnswer(vendorId: number, request: KeyedRequest): Promise<Answer | undefined> {
    const known = await this.find(vendorId, request);
    return known?.answered ? { status: known.status, body: known.body } : undefined;
  }

  /** What the key is bound to, if it is; until the transaction ends nobody else binds it. */
  async findEffect(vendorId: number, request: KeyedRequest): Promise<MoneyEffect | undefined> {
    return (await this.find(vendorId, request))?.effect ?? undefined;
  }

  /** Binds the key to its request and to what that did or began, so that a repeat goes on with the same effect. */
  async bind(vendorId: number, { key, hash, holdsSecret }: MoneyRequest, effect: MoneyEffect): Promise<void> {
    const saved = this.saved(vendorId, { key, hash }, NO_ANSWER, holdsSecret());
    await this.requests.save(vendorId, key, { ...saved, effect }, this.now, this.oldest());
  }

  /** Stores the answer of a request that is bound. One that is too large is not stored: a repeat reads it anew. */
  async answerBound(vendorId: number, { key, hash, holdsSecret }: MoneyRequest, answer: Answer): Promise<void> {
    if (answer.body.length > LARGEST_ANSWER) return;
    const { effect: _kept, ...saved } = this.saved(vendorId, { key, hash }, answer, holdsSecret());
    await this.requests.saveAnswer(vendorId, key, saved);
  }

  /** Deletes requests that no longer count, at most `limit` at once. @returns how many were deleted. */
  deleteExpired(vendorId: number, limit: number): Promise<number> {
    return this.requests.deleteUntil(vendorId, this.oldest(), limit);
  }

  /** Encrypts with the first key whatever an older one encrypted. @returns how many answers that were. */
  async rotate(): Promise<number> {
    const old = (await this.requests.sealed()).filter(({ sealed }) => !this.vault.isCurrent(sealed));
    for (const { vendorId, key, sealed } of old) {
      const place = placeOf(vendorId, key);
      await this.requests.reseal(vendorId, key, this.vault.seal(this.vault.open(sealed, place), place));
    }
    return old.length;
  }

  private async find(vendorId: number, { key, hash }: KeyedRequest): Promise<SavedRequest | undefined> {
    const standing = await this.requests.lockKey(vendorId, key, hash);
    if (standing === "SAME_RUNNING") throw keyInUse();
    if (standing === "OTHER_RUNNING") throw keyReused();
    const known = this.opened(await this.requests.find(vendorId, key, this.oldest()), placeOf(vendorId, key));
    if (known && !known.requestHash.equals(hash)) throw keyReused();
    return known;
  }

  private async saveWithAnswer(
    vendorId: number,
    request: KeyedRequest,
    answer: Answer,
    confided: boolean,
  ): Promise<void> {
    if (answer.body.length > LARGEST_ANSWER)
      throw invalid(
        "KEYED_ANSWER_TOO_LARGE",
        `The answer has more than ${LARGEST_ANSWER} characters, so that it cannot be stored for a repeat, and nothing was changed. Select fewer fields or rows, or send the request without Idempotency-Key.`,
      );
    const saved = this.saved(vendorId, request, answer, confided);
    await this.requests.save(vendorId, request.key, saved, this.now, this.oldest());
  }

  private oldest(): Date {
    return new Date(this.now.getTime() - KEPT_MS);
  }

  /** The hash is sealed too: a password or a card number in the request could be guessed by it. */
  private saved(
    vendorId: number,
    { key, hash }: KeyedRequest,
    { status, body, answered = true }: Answer & { answered?: boolean },
    holdsSecret: boolean,
  ): SavedRequest {
    const rest = { status, answered, effect: null };
    if (!holdsSecret) return { requestHash: hash, body, sealed: null, ...rest };
    const sealed = this.vault.seal(hash.toString("hex") + body, placeOf(vendorId, key));
    return { requestHash: Buffer.alloc(0), body: "", sealed, ...rest };
  }

  private opened(request: SavedRequest | undefined, place: string): SavedRequest | undefined {
    if (!request?.sealed) return request;
    const text = this.vault.open(request.sealed, place);
    const hash = Buffer.from(text.slice(0, 2 * HASH_BYTES), "hex");
    return { ...request, requestHash: hash, body: text.slice(2 * HASH_BYTES) };
  }
}

/** The same request is still running. */
export const keyInUse = () =>
  conflict(
    "IDEMPOTENCY_KEY_IN_USE",
    "A request with this idempotency key is still running; send it again in a moment.",
  );

const keyReused = () =>
  mismatch(
    "IDEMPOTENCY_KEY_REUSED",
    "This idempotency key was sent with another request; use a new key for each request.",
  );

/** Where a sealed request stands. */
const placeOf = (vendorId: number, key: string): string => `idempotency_keys.sealed ${vendorId} ${key}`;
