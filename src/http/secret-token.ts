import { hashToken } from "../vendors/api-key.service.ts";
import type { ApiKeyRepository } from "../vendors/api-key.repository.ts";
import type { VendorRecord } from "../vendors/vendor.repository.ts";
import type { Clock } from "../kernel/clock.ts";
import { denied } from "../kernel/errors.ts";

/** How often the last uses of keys are written down. */
const FLUSH_EVERY_MS = 15_000;

/** No token of ours is longer; hashing megabytes of header would only cost. */
const LONGEST_TOKEN = 512;

/** Knows whom a Secret-Token acts for. */
export class SecretTokens {
  private uses = new Map<number, { vendorId: number; keyId: number; at: Date }>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly clock: Clock,
    private readonly onLost: (error: unknown) => void,
  ) {
    this.timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS).unref();
  }

  /** The vendor of a token. @throws a Refusal of kind denied. */
  async vendorOf(token: string | string[] | undefined): Promise<VendorRecord> {
    if (typeof token !== "string" || token === "") throw denied("TOKEN_MISSING", "Send your token in the Secret-Token header.");
    const found = token.length > LONGEST_TOKEN ? undefined : await this.keys.live(hashToken(token));
    if (!found) throw denied("TOKEN_INVALID", "The Secret-Token is not known, or it was revoked.");
    const { keyId, vendor } = found;
    if (!vendor.enabled) throw denied("VENDOR_DISABLED", "The vendor of this Secret-Token is disabled.");
    this.uses.set(keyId, { vendorId: vendor.id, keyId, at: this.clock.now() });
    return vendor;
  }

  /** Writes down what was used since the last time: one statement, however many requests there were. */
  async flush(): Promise<void> {
    const uses = [...this.uses.values()];
    this.uses = new Map();
    if (uses.length === 0) return;
    await this.keys.used(uses).catch(this.onLost);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }
}
