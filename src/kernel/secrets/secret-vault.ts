import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { invalid, invariant } from "../refusals.ts";

/** Length of a key in bytes: AES-256. */
export const KEY_BYTES = 32;

const ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Identifies the key without revealing it. */
const keyIdOf = (key: Buffer): Buffer =>
  createHash("sha256").update("key id").update(key).digest().subarray(0, ID_BYTES);

/** Derives a key for one purpose, which reveals nothing of the original key. */
const deriveKey = (key: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", key, "", purpose, KEY_BYTES));

/**
 * Encrypts secrets that must be used again (AES-256-GCM), so that they are unreadable in the database. A sealed value
 * contains the id of its key, a nonce, the ciphertext and its tag. The first key seals; the others only open values
 * that they sealed before, until these are sealed anew.
 */
export class SecretVault {
  private readonly keys: readonly { id: Buffer; key: Buffer }[];

  constructor(keys: readonly Buffer[]) {
    this.keys = keys.map((key) => ({ id: keyIdOf(key), key }));
    invariant(
      keys.every(({ length }) => length === KEY_BYTES),
      "a key has 32 bytes",
    );
  }

  /** Whether there is an encryption key. */
  get hasKey(): boolean {
    return this.keys.length > 0;
  }

  /** Identifies the key that encrypts, without revealing it; undefined without a key. */
  get currentKeyId(): string | undefined {
    return this.keys[0]?.id.toString("hex");
  }

  /** Whether one of the keys has this id. */
  hasKeyWithId(keyId: string): boolean {
    return this.keys.some(({ id }) => id.toString("hex") === keyId);
  }

  /**
   * Encrypts a text for one context: it cannot be decrypted in another, so that it cannot be moved there.
   * @throws a Refusal SECRETS_KEY_MISSING if there is no key.
   */
  encrypt(plaintext: string, context: string): Buffer {
    const [current] = this.keys;
    if (!current)
      throw invalid(
        "SECRETS_KEY_MISSING",
        "A secret would be stored, but this gateway has no key to encrypt it; ask its operator to set SECRETS_KEY.",
      );
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", current.key, nonce).setAAD(Buffer.from(context));
    return Buffer.concat([current.id, nonce, cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()]);
  }

  /**
   * Decrypts a text that was encrypted for a context. @throws if its key is missing, or the text was changed or moved.
   */
  decrypt(encrypted: Buffer, context: string): string {
    const sealingKey = this.keys.find(({ id }) => id.equals(encrypted.subarray(0, ID_BYTES)));
    if (!sealingKey) throw new Error("The key of a stored secret is not among those of SECRETS_KEY.");
    const body = encrypted.subarray(ID_BYTES);
    const decipher = createDecipheriv("aes-256-gcm", sealingKey.key, body.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(context))
      .setAuthTag(body.subarray(-TAG_BYTES));
    return decipher.update(body.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  }

  /**
   * Signs a text that is handed out and comes back (HMAC-SHA-256), with a separate key for each purpose. Every gateway
   * with the same keys accepts the signature, before and after a restart.
   * @throws a Refusal SECRETS_KEY_MISSING if there is no key.
   */
  sign(text: string, purpose: string): Buffer {
    const [current] = this.keys;
    if (!current)
      throw invalid(
        "SECRETS_KEY_MISSING",
        "A link would be signed, but this gateway has no key for it; ask its operator to set SECRETS_KEY.",
      );
    return createHmac("sha256", deriveKey(current.key, purpose)).update(text).digest();
  }

  /** Whether any of the keys signed this text for this purpose. */
  isSignatureValid(text: string, signature: Buffer, purpose: string): boolean {
    return this.keys.some(({ key }) => {
      const expected = createHmac("sha256", deriveKey(key, purpose)).update(text).digest();
      return expected.length === signature.length && timingSafeEqual(expected, signature);
    });
  }

  /** Whether the first key sealed this. */
  isEncryptedWithCurrentKey(encrypted: Buffer): boolean {
    return this.keys[0]?.id.equals(encrypted.subarray(0, ID_BYTES)) ?? false;
  }
}
