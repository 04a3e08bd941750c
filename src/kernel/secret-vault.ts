import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { invalid, invariant } from "./refusals.ts";

/** How many bytes a key has: AES-256. */
export const KEY_BYTES = 32;

const ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Says which key it is, and nothing of the key. */
const idOf = (key: Buffer): Buffer => createHash("sha256").update("key id").update(key).digest().subarray(0, ID_BYTES);

/** A key for one purpose, from which nothing can be learned of the key that it is made from. */
const derived = (key: Buffer, purpose: string): Buffer => Buffer.from(hkdfSync("sha256", key, "", purpose, KEY_BYTES));

/**
 * Encrypts secrets that must be used again (AES-256-GCM), so that whoever reads the database learns nothing. What is sealed
 * is the id of its key, a nonce, the ciphertext and its tag. The first key seals; the others only open what they sealed
 * before, until it is sealed anew.
 */
export class Vault {
  private readonly keys: readonly { id: Buffer; key: Buffer }[];

  constructor(keys: readonly Buffer[]) {
    this.keys = keys.map((key) => ({ id: idOf(key), key }));
    invariant(
      keys.every(({ length }) => length === KEY_BYTES),
      "a key has 32 bytes",
    );
  }

  /** Whether there is a key to seal with. */
  get canSeal(): boolean {
    return this.keys.length > 0;
  }

  /**
   * Seals a text for one place: elsewhere it cannot be opened, so that nobody can move it there.
   * @throws a Refusal SECRETS_KEY_MISSING where there is no key.
   */
  seal(text: string, place: string): Buffer {
    const [current] = this.keys;
    if (!current)
      throw invalid(
        "SECRETS_KEY_MISSING",
        "A secret would have to be stored, and this gateway has no key to encrypt it; ask its operator to set SECRETS_KEY.",
      );
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", current.key, nonce).setAAD(Buffer.from(place));
    return Buffer.concat([current.id, nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  }

  /** Opens what was sealed for a place. @throws where its key is not there, or somebody changed or moved it. */
  open(sealed: Buffer, place: string): string {
    const known = this.keys.find(({ id }) => id.equals(sealed.subarray(0, ID_BYTES)));
    if (!known) throw new Error("The key of a stored secret is not among those of SECRETS_KEY.");
    const body = sealed.subarray(ID_BYTES);
    const decipher = createDecipheriv("aes-256-gcm", known.key, body.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(place))
      .setAuthTag(body.subarray(-TAG_BYTES));
    return decipher.update(body.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  }

  /**
   * Signs a text that is handed out and comes back (HMAC-SHA-256), with a key of its own for each purpose. Every gateway that
   * has the same keys knows the signature, before and after a restart.
   * @throws a Refusal SECRETS_KEY_MISSING where there is no key.
   */
  sign(text: string, purpose: string): Buffer {
    const [current] = this.keys;
    if (!current)
      throw invalid(
        "SECRETS_KEY_MISSING",
        "A link would have to be signed, and this gateway has no key for it; ask its operator to set SECRETS_KEY.",
      );
    return createHmac("sha256", derived(current.key, purpose)).update(text).digest();
  }

  /** Whether any of the keys signed this text for this purpose. */
  hasSigned(text: string, signature: Buffer, purpose: string): boolean {
    return this.keys.some(({ key }) => {
      const own = createHmac("sha256", derived(key, purpose)).update(text).digest();
      return own.length === signature.length && timingSafeEqual(own, signature);
    });
  }

  /** Whether the first key sealed this. */
  isCurrent(sealed: Buffer): boolean {
    return this.keys[0]?.id.equals(sealed.subarray(0, ID_BYTES)) ?? false;
  }
}
