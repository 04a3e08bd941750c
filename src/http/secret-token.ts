import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { hashToken } from "../vendors/api-key.service.ts";
import type { ApiKeyRepository } from "../vendors/api-key.repository.ts";
import type { VendorRecord } from "../vendors/vendor.repository.ts";
import type { Clock } from "../kernel/clock.ts";
import { denied, excess } from "../kernel/errors.ts";

/** How often the last uses of keys are written down. */
const FLUSH_EVERY_MS = 15_000;

/** No token of ours is longer; hashing megabytes of header would only cost. */
const LONGEST_TOKEN = 512;

/** Wrong tokens that one address may send in a minute. */
const MOST_WRONG_TOKENS = 30;

/** Knows whom a Secret-Token acts for. */
export class SecretTokens {
  private uses = new Map<number, { vendorId: number; keyId: number; at: Date }>();
  private readonly timer: NodeJS.Timeout;
  private readonly wrong = new RateLimiterMemory({ points: MOST_WRONG_TOKENS, duration: 60 });

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly clock: Clock,
    private readonly onLost: (error: unknown) => void,
  ) {
    this.timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS).unref();
  }

  /** The vendor of a token that came from an address. @throws a Refusal of kind denied, or excess after too many wrong ones. */
  async vendorOf(token: string | string[] | undefined, address: string): Promise<VendorRecord> {
    if (typeof token !== "string" || token === "")
      throw denied("TOKEN_MISSING", "Send your token in the Secret-Token header.");
    const found = token.length > LONGEST_TOKEN ? undefined : await this.keys.live(hashToken(token));
    if (!found) {
      await this.countWrong(address);
      throw denied("TOKEN_INVALID", "The Secret-Token is not known, or it was revoked.");
    }
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

  /** A right token is never refused for wrong ones from the same address: many back ends can share one. */
  private async countWrong(address: string): Promise<void> {
    try {
      await this.wrong.consume(address);
    } catch (limit) {
      if (!(limit instanceof RateLimiterRes)) throw limit;
      const seconds = Math.max(1, Math.ceil(limit.msBeforeNext / 1000));
      throw excess(
        "TOO_MANY_REQUESTS",
        `Too many wrong tokens came from this address; wait ${seconds} seconds.`,
        seconds,
      );
    }
  }
}
