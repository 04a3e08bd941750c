import { AddressLimit } from "./address-rate-limit.ts";
import { hashToken } from "../vendors/api-key.service.ts";
import type { ApiKeyRepository } from "../vendors/api-key.repository.ts";
import type { VendorRecord } from "../vendors/vendor.repository.ts";
import type { Clock } from "../kernel/clock.ts";
import { denied, Refusal } from "../kernel/refusals.ts";
import { asParty } from "../kernel/current-party.ts";
import type { Admission } from "./admission.ts";

/** How often the last uses of keys are written down. */
const FLUSH_EVERY_MS = 15_000;

/** No token of ours is longer; hashing megabytes of header would only cost. */
const LONGEST_TOKEN = 512;

/** Wrong tokens that one address may send in a minute. */
const MOST_WRONG_TOKENS = 30;

/** Tokens of which is remembered whose they were. */
const MOST_REMEMBERED = 10_000;

/** What a request needs before it is worked on: its vendor, and a place. */
export interface Admitted {
  vendor: VendorRecord;
  /** Gives the place back. */
  leave: () => void;
}

/** Knows whom a Secret-Token acts for. */
export class SecretTokens {
  private uses = new Map<number, { vendorId: number; keyId: number; at: Date }>();
  private readonly timer: NodeJS.Timeout;
  /** Whose tokens were, by their hashes: only to know whose share a request counts to before the database is asked. */
  private readonly owners = new Map<string, number>();
  /** A right token is never refused for wrong ones from the same address: many back ends can share one. */
  private readonly wrong = new AddressLimit(MOST_WRONG_TOKENS, "wrong tokens");

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly clock: Clock,
    private readonly onLost: (error: unknown) => void,
    private readonly admission: Admission,
  ) {
    this.timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS).unref();
  }

  /**
   * The vendor of a token that came from an address, admitted to its share of the work with a page of so many rows.
   * @throws a Refusal of kind denied, or excess where the vendor has too much under way or the address sent too many wrong tokens.
   */
  async admit(token: string | string[] | undefined, address: string, rows: number): Promise<Admitted> {
    if (typeof token !== "string" || token === "")
      throw denied("TOKEN_MISSING", "Send your token in the Secret-Token header.");
    const hash = token.length > LONGEST_TOKEN ? undefined : hashToken(token);
    const key = hash?.toString("base64");
    const owner = key === undefined ? undefined : this.owners.get(key);
    if (hash === undefined || key === undefined || owner === undefined) {
      const vendor = await this.admission.amongStrangers(address, () => this.vendorOf(hash, address));
      if (key !== undefined) this.remember(key, vendor.id);
      return { vendor, leave: await this.admission.admit(vendor.id, rows) };
    }
    const leave = await this.admission.admit(owner, rows);
    try {
      const vendor = await asParty({ kind: "API", id: owner }, () => this.vendorOf(hash, address));
      return { vendor, leave };
    } catch (error) {
      leave();
      if (error instanceof Refusal) this.owners.delete(key);
      throw error;
    }
  }

  private async vendorOf(hash: Buffer | undefined, address: string): Promise<VendorRecord> {
    const found = hash && (await this.keys.live(hash));
    if (!found) {
      await this.wrong.count(address);
      throw denied("TOKEN_INVALID", "The Secret-Token is not known, or it was revoked.");
    }
    const { keyId, vendor } = found;
    if (!vendor.enabled) throw denied("VENDOR_DISABLED", "The vendor of this Secret-Token is disabled.");
    this.uses.set(keyId, { vendorId: vendor.id, keyId, at: this.clock.now() });
    return vendor;
  }

  private remember(key: string, vendorId: number): void {
    if (this.owners.size >= MOST_REMEMBERED) this.owners.delete(this.owners.keys().next().value!);
    this.owners.set(key, vendorId);
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
