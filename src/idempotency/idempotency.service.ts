import { conflict, invalid, mismatch } from "../kernel/refusals.ts";
import type { SecretVault } from "../kernel/secrets/secret-vault.ts";
import { RETENTION_MS, type IdempotencyRepository, type SavedRequest } from "./idempotency.repository.ts";

const HASH_BYTES = 32;
/** Characters of the largest stored answer: the limit for data that a request stores in the database for a day. */
const MAX_STORED_ANSWER_LENGTH = 1_048_576;
/** The columns of a request without an answer; an older gateway reads them as its answer. */
const PENDING_ANSWER = { status: 409, body: "", answered: false };

/** An answer as it goes out. */
export interface HttpAnswer {
  status: number;
  body: string;
}

/** A request that carries a key of its sender's choice. */
export interface KeyedRequest {
  key: string;
  /** SHA-256 of the call and its body. */
  hash: Buffer;
}

/** A request with a key that calls a payment gateway. */
export interface ChargingRequest extends KeyedRequest {
  /** Whether it contains a secret, such as a card number: then its hash is encrypted. */
  isSensitive: () => boolean;
}

/** The effect of a request that moves money, completed or started. */
export type ChargeEffect = NonNullable<SavedRequest["effect"]>;

/**
 * Gives a request that is sent again one effect and one answer. A request is one transaction and its answer is stored in
 * it; one that moves money binds its key in the transaction that claims its charge or refund, and is answered later.
 */
export class IdempotencyService {
  constructor(
    private readonly deps: {
      idempotencyRepository: IdempotencyRepository;
      vault: SecretVault;
      /** The real time: a sandbox that moves its clock forgets no request. */
      realNow: Date;
    },
  ) {}

  /**
   * The stored answer, or that of `run`, which is stored if it wrote anything: a refused request may be corrected and
   * sent again.
   * @throws a Refusal IDEMPOTENCY_KEY_IN_USE, IDEMPOTENCY_KEY_REUSED, KEYED_ANSWER_TOO_LARGE, or SECRETS_KEY_MISSING if
   * a secret cannot be encrypted for storage.
   */
  async runOnce(
    vendorId: number,
    request: KeyedRequest,
    run: () => Promise<HttpAnswer & { hasWritten: boolean; isSensitive: boolean }>,
  ): Promise<HttpAnswer & { replayed: boolean }> {
    const stored = await this.findAnswer(vendorId, request);
    if (stored) return { ...stored, replayed: true };
    const { hasWritten, isSensitive, ...answer } = await run();
    if (hasWritten) await this.saveWithAnswer(vendorId, request, answer, isSensitive);
    return { ...answer, replayed: false };
  }

  /** The stored answer, if there is one; locks the key until the transaction ends. */
  async findAnswer(vendorId: number, request: KeyedRequest): Promise<HttpAnswer | undefined> {
    const known = await this.lockAndFind(vendorId, request);
    return known?.answered ? { status: known.status, body: known.body } : undefined;
  }

  /** The effect that the key is bound to, if it is; locks the key until the transaction ends. */
  async findEffect(vendorId: number, request: KeyedRequest): Promise<ChargeEffect | undefined> {
    return (await this.lockAndFind(vendorId, request))?.effect ?? undefined;
  }

  /**
   * Binds the key to its request and to the effect, completed or started, so that a repeat continues with the same
   * effect.
   */
  async bindKeyToEffect(
    vendorId: number,
    { key, hash, isSensitive }: ChargingRequest,
    effect: ChargeEffect,
  ): Promise<void> {
    const saved = this.toSavedRequest(vendorId, { key, hash }, PENDING_ANSWER, isSensitive());
    await this.deps.idempotencyRepository.save(
      vendorId,
      key,
      { ...saved, effect },
      this.deps.realNow,
      this.oldestKept(),
    );
  }

  /** Stores the answer of a request that is bound. One that is too large is not stored: a repeat reads it anew. */
  async saveBoundAnswer(
    vendorId: number,
    { key, hash, isSensitive }: ChargingRequest,
    answer: HttpAnswer,
  ): Promise<void> {
    if (answer.body.length > MAX_STORED_ANSWER_LENGTH) return;
    const { effect: _kept, ...saved } = this.toSavedRequest(vendorId, { key, hash }, answer, isSensitive());
    await this.deps.idempotencyRepository.saveAnswer(vendorId, key, saved);
  }

  /** Deletes requests that no longer count, at most `limit` at once. @returns how many were deleted. */
  deleteExpired(vendorId: number, limit: number): Promise<number> {
    return this.deps.idempotencyRepository.deleteExpired(vendorId, this.deps.realNow, limit);
  }

  /**
   * Rewrites the stored answers that contain one of some texts. A repeat of their request then gets the new answer, and has no
   * second effect.
   */
  async rewriteAnswers(vendorId: number, texts: readonly string[], rewrite: (body: string) => string): Promise<void> {
    const { idempotencyRepository, vault } = this.deps;
    // As JSON has them in a string: with escaped quotes.
    const encoded = texts.map((text) => JSON.stringify(text).slice(1, -1));
    for (const { key, body, sealed } of await idempotencyRepository.lockAnswers(vendorId, encoded)) {
      if (sealed === null) {
        await idempotencyRepository.replaceBody(vendorId, key, rewrite(body));
        continue;
      }
      const context = encryptionContextOf(vendorId, key);
      const { hash, body: opened } = splitSealed(vault.decrypt(sealed, context));
      if (!encoded.some((text) => opened.includes(text))) continue;
      await idempotencyRepository.replaceEncrypted(vendorId, key, vault.encrypt(hash + rewrite(opened), context));
    }
  }

  /** Encrypts again, with the first key, the answers that an older key encrypted. @returns the number of answers. */
  async reencryptAnswers(): Promise<number> {
    const outdated = (await this.deps.idempotencyRepository.encryptedRequests()).filter(
      ({ sealed }) => !this.deps.vault.isEncryptedWithCurrentKey(sealed),
    );
    for (const { vendorId, key, sealed } of outdated) {
      const place = encryptionContextOf(vendorId, key);
      await this.deps.idempotencyRepository.replaceEncrypted(
        vendorId,
        key,
        this.deps.vault.encrypt(this.deps.vault.decrypt(sealed, place), place),
      );
    }
    return outdated.length;
  }

  private async lockAndFind(vendorId: number, { key, hash }: KeyedRequest): Promise<SavedRequest | undefined> {
    const lockResult = await this.deps.idempotencyRepository.lockKey(vendorId, key, hash);
    if (lockResult === "SAME_RUNNING") throw keyInUseRefusal();
    if (lockResult === "OTHER_RUNNING") throw keyReusedRefusal();
    const saved = this.decryptRequest(
      await this.deps.idempotencyRepository.find(vendorId, key, this.oldestKept()),
      encryptionContextOf(vendorId, key),
    );
    if (saved && !saved.requestHash.equals(hash)) throw keyReusedRefusal();
    return saved;
  }

  private async saveWithAnswer(
    vendorId: number,
    request: KeyedRequest,
    answer: HttpAnswer,
    isSensitive: boolean,
  ): Promise<void> {
    if (answer.body.length > MAX_STORED_ANSWER_LENGTH)
      throw invalid(
        "KEYED_ANSWER_TOO_LARGE",
        `The answer has more than ${MAX_STORED_ANSWER_LENGTH} characters, so it cannot be stored for a repeat, and nothing was changed. Select fewer fields or rows, or send the request without Idempotency-Key.`,
      );
    const saved = this.toSavedRequest(vendorId, request, answer, isSensitive);
    await this.deps.idempotencyRepository.save(vendorId, request.key, saved, this.deps.realNow, this.oldestKept());
  }

  private oldestKept(): Date {
    return new Date(this.deps.realNow.getTime() - RETENTION_MS);
  }

  /** The hash is sealed too: a password or a card number in the request could be guessed by it. */
  private toSavedRequest(
    vendorId: number,
    { key, hash }: KeyedRequest,
    { status, body, answered = true }: HttpAnswer & { answered?: boolean },
    isSensitive: boolean,
  ): SavedRequest {
    const rest = { status, answered, effect: null };
    if (!isSensitive) return { requestHash: hash, body, sealed: null, ...rest };
    const sealed = this.deps.vault.encrypt(hash.toString("hex") + body, encryptionContextOf(vendorId, key));
    return { requestHash: Buffer.alloc(0), body: "", sealed, ...rest };
  }

  private decryptRequest(request: SavedRequest | undefined, context: string): SavedRequest | undefined {
    if (!request?.sealed) return request;
    const { hash, body } = splitSealed(this.deps.vault.decrypt(request.sealed, context));
    return { ...request, requestHash: Buffer.from(hash, "hex"), body };
  }
}

/** The hash in hexadecimal digits, and the body. */
const splitSealed = (text: string) => ({ hash: text.slice(0, 2 * HASH_BYTES), body: text.slice(2 * HASH_BYTES) });

/** The same request is still running. */
export const keyInUseRefusal = () =>
  conflict(
    "IDEMPOTENCY_KEY_IN_USE",
    "A request with this idempotency key is still running; send it again in a moment.",
  );

const keyReusedRefusal = () =>
  mismatch(
    "IDEMPOTENCY_KEY_REUSED",
    "This idempotency key was sent with another request; use a new key for each request.",
  );

/** The encryption context of a sealed request. */
const encryptionContextOf = (vendorId: number, key: string): string => `idempotency_keys.sealed ${vendorId} ${key}`;
