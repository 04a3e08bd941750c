import { AddressRateLimit } from "../limits/address-rate-limit.ts";
import { hashToken } from "../../vendors/keys/api-key.service.ts";
import type { ApiKeyRepository } from "../../vendors/keys/api-key.repository.ts";
import type { VendorRecord } from "../../vendors/vendor.repository.ts";
import type { KeyScope } from "../../../schema/vocabulary.ts";
import type { Clock } from "../../kernel/clock.ts";
import { denied, Refusal } from "../../kernel/refusals.ts";
import { runAsParty } from "../../kernel/scheduling/current-party.ts";
import type { AdmissionControl } from "../limits/admission.ts";
import type { RecentKeys } from "./recent-keys.ts";

/** Interval at which the last uses of keys are saved. */
const FLUSH_INTERVAL_MS = 15_000;

/** No token of ours is longer; hashing megabytes of header would only cost. */
const MAX_TOKEN_LENGTH = 512;

/** Wrong tokens that one address may send in a minute. */
const MAX_WRONG_TOKENS = 30;

/** Number of tokens whose vendor is cached. */
const MAX_CACHED_TOKENS = 10_000;

/** The vendor and the slot that a request needs before it is processed. */
export interface AdmittedRequest {
  vendor: VendorRecord;
  /** The key of the token. */
  keyId: number;
  /** What the key may be used for. */
  scopes: readonly KeyScope[];
  /** Gives the place back. */
  releaseSlot: () => void;
}

export const tokenInvalid = () => denied("TOKEN_INVALID", "The Secret-Token is unknown or was revoked.");
const tokenExpired = () => denied("TOKEN_INVALID", "The Secret-Token has expired.");
export const vendorDisabled = () => denied("VENDOR_DISABLED", "The vendor of this Secret-Token is disabled.");

/** Knows whom a Secret-Token acts for. */
export class TokenAuthenticator {
  private pendingUses = new Map<number, { vendorId: number; keyId: number; at: Date }>();
  private readonly timer: NodeJS.Timeout;
  /**
   * The vendors of recent tokens, by token hash: only used to charge a request to its vendor's share before the
   * database query.
   */
  private readonly vendorIdByToken = new Map<string, number>();
  /** A right token is never refused for wrong ones from the same address: many back ends can share one. */
  private readonly wrongTokenLimit = new AddressRateLimit(MAX_WRONG_TOKENS, "wrong tokens");

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly clock: Clock,
    private readonly onFlushFailed: (error: unknown) => void,
    private readonly admission: AdmissionControl,
    private readonly recentKeys: RecentKeys,
  ) {
    this.timer = setInterval(() => void this.flushUses(), FLUSH_INTERVAL_MS).unref();
  }

  /**
   * Authenticates the vendor of a token from an address, and admits it to its share of the work with a page of this
   * many rows.
   * @throws a Refusal of kind denied, or excess if the vendor has too many requests in progress or the address sent too
   * many wrong tokens.
   */
  async authenticateAndAdmit(
    token: string | string[] | undefined,
    address: string,
    rows: number,
  ): Promise<AdmittedRequest> {
    if (typeof token !== "string" || token === "")
      throw denied("TOKEN_MISSING", "Send your token in the Secret-Token header.");
    const hash = token.length > MAX_TOKEN_LENGTH ? undefined : hashToken(token);
    const key = hash?.toString("base64");
    const ownerId = key === undefined ? undefined : this.vendorIdByToken.get(key);
    if (hash === undefined || key === undefined || ownerId === undefined) {
      const active = await this.admission.runForUnknownCaller(address, () => this.authenticate(hash, address));
      if (key !== undefined) this.rememberOwner(key, active.vendor.id);
      return { ...active, releaseSlot: await this.admission.admit(active.vendor.id, rows) };
    }
    const releaseSlot = await this.admission.admit(ownerId, rows);
    try {
      const active = await runAsParty({ kind: "API", id: ownerId }, () => this.authenticate(hash, address));
      return { ...active, releaseSlot };
    } catch (error) {
      releaseSlot();
      if (error instanceof Refusal) this.vendorIdByToken.delete(key);
      throw error;
    }
  }

  private async authenticate(hash: Buffer | undefined, address: string) {
    const activeKey = hash && (await this.recentKeys.find(hash.toString("base64"), () => this.keys.findActive(hash)));
    if (!activeKey) {
      await this.wrongTokenLimit.consume(address);
      throw tokenInvalid();
    }
    const { keyId, scopes, expiresAt, vendor } = activeKey;
    if (expiresAt && expiresAt <= this.clock.now()) throw tokenExpired();
    if (!vendor.enabled) throw vendorDisabled();
    this.noteUse(vendor.id, keyId);
    return { keyId, scopes, vendor };
  }

  /** Notes that a key was used now, also by a session that it created; the time is saved with the next flush. */
  noteUse(vendorId: number, keyId: number): void {
    this.pendingUses.set(keyId, { vendorId, keyId, at: this.clock.now() });
  }

  private rememberOwner(key: string, vendorId: number): void {
    const [oldest] = this.vendorIdByToken.keys();
    if (oldest !== undefined && this.vendorIdByToken.size >= MAX_CACHED_TOKENS) this.vendorIdByToken.delete(oldest);
    this.vendorIdByToken.set(key, vendorId);
  }

  /** Saves the uses since the last flush: one statement, however many requests there were. */
  async flushUses(): Promise<void> {
    const uses = [...this.pendingUses.values()];
    this.pendingUses = new Map();
    if (uses.length === 0) return;
    await this.keys.saveLastUses(uses).catch(this.onFlushFailed);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.flushUses();
  }
}
