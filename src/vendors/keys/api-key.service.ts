import { createHash } from "node:crypto";
import { KeyScope } from "../../../schema/vocabulary.ts";
import type { EventService } from "../../events/event.service.ts";
import { newTokenText } from "../../kernel/cell-numbers.ts";
import { conflict, denied, invalidField, notFound } from "../../kernel/refusals.ts";
import { isWithin, permissionsOfScopes, type Permissions } from "../people/mutation.permissions.ts";
import type { ApiKeyRecord, ApiKeyRepository } from "./api-key.repository.ts";

/** The hash under which a token is stored and looked up. */
export const hashToken = (token: string): Buffer => createHash("sha256").update(token).digest();

/** Generates a token, which is shown once: `recoup_live_…`, or `recoup_payment_live_…` for a payment key. */
export const generateToken = (kind: "secret" | "payment", { id, sandbox }: KeyVendor): string =>
  `recoup_${kind === "payment" ? "payment_" : ""}${sandbox ? "test" : "live"}_${newTokenText(id)}`;

/** What a key may be used for, and until when. Defaults to everything, without an end. */
interface KeyLimits {
  scopes?: KeyScope[];
  expiresAt?: Date | null;
}

/** A key that a caller of the API requests. */
export interface RequestedKey {
  name: string;
  scopes: readonly KeyScope[];
  /** Days after which the key is refused; null or undefined if it does not expire. */
  lifetimeDays?: number | null;
}

/** A key with its token, which is not stored. */
export interface IssuedKey {
  key: ApiKeyRecord;
  token: string;
}

/** The vendor, as far as a token says what it is for. */
interface KeyVendor {
  id: number;
  sandbox: boolean;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_LIFETIME_DAYS = 3_650;
const MAX_GRACE_HOURS = 720;

/** Creates, replaces and revokes the Secret-Tokens of vendors. The times of a key are real ones. */
export class ApiKeyService {
  constructor(
    private readonly deps: {
      apiKeyRepository: ApiKeyRepository;
      events: EventService;
      realNow: Date;
    },
  ) {}

  /** Creates a key. The token is only in the result and is not stored. */
  async create(vendorId: number, name: string, sandbox: boolean, limits?: KeyLimits): Promise<IssuedKey> {
    const token = generateToken("secret", { id: vendorId, sandbox });
    return { key: await this.createWithToken(vendorId, name, token, limits), token };
  }

  /** Creates a key with a given token, such as the demo's token from the environment. */
  createWithToken(vendorId: number, name: string, token: string, limits: KeyLimits = {}): Promise<ApiKeyRecord> {
    return this.add(vendorId, { name, token, trigger: "createKey", ...limits });
  }

  /**
   * Creates a key for a caller, who can give it no more than the caller has.
   * @throws a Refusal PERMISSION_DENIED, INVALID_ARGUMENT.
   */
  async issue(vendor: KeyVendor, requested: RequestedKey, caller: Permissions | undefined): Promise<IssuedKey> {
    const { name, lifetimeDays } = requested;
    if (name.trim() === "") throw invalidField("name", "must not be empty.");
    const scopes = Object.values(KeyScope).filter((scope) => requested.scopes.includes(scope));
    if (scopes.length === 0) throw invalidField("scopes", "must have at least one entry.");
    if (lifetimeDays != null && lifetimeDays > MAX_LIFETIME_DAYS)
      throw invalidField("lifetimeDays", `must be at most ${MAX_LIFETIME_DAYS}.`);
    requireGrantable("key", scopes, caller);
    const expiresAt = lifetimeDays == null ? null : new Date(this.deps.realNow.getTime() + lifetimeDays * DAY_MS);
    return this.create(vendor.id, name, vendor.sandbox, { scopes, expiresAt });
  }

  /**
   * Creates a key in place of a valid one, with the same name, scopes and lifetime. The old one is valid for some hours more.
   * @throws a Refusal API_KEY_NOT_FOUND, API_KEY_ROTATED, PERMISSION_DENIED, INVALID_ARGUMENT.
   */
  async rotate(
    vendor: KeyVendor,
    keyId: number,
    graceHours: number,
    caller: Permissions | undefined,
  ): Promise<IssuedKey & { previous: ApiKeyRecord }> {
    const { apiKeyRepository, realNow: now } = this.deps;
    if (graceHours > MAX_GRACE_HOURS) throw invalidField("graceHours", `must be at most ${MAX_GRACE_HOURS}.`);
    const old = await apiKeyRepository.lock(vendor.id, keyId);
    if (!old || old.revokedAt || (old.expiresAt && old.expiresAt <= now)) throw keyNotFound();
    if (old.rotatedAt)
      throw conflict("API_KEY_ROTATED", "Another key replaced this one already. Rotate that key, or create a new one.");
    requireGrantable("key", old.scopes, caller);
    const lifetimeMs = old.expiresAt && old.expiresAt.getTime() - old.createdAt.getTime();
    const graceEnd = new Date(now.getTime() + graceHours * HOUR_MS);
    const expiresAt = old.expiresAt && old.expiresAt < graceEnd ? old.expiresAt : graceEnd;
    const previous = await apiKeyRepository.markRotated(vendor.id, keyId, { rotatedAt: now, expiresAt });
    const token = generateToken("secret", vendor);
    const key = await this.add(vendor.id, {
      ...{ name: old.name, token, scopes: old.scopes, trigger: "rotateKey" },
      expiresAt: lifetimeMs === null ? null : new Date(now.getTime() + lifetimeMs),
    });
    return { key, token, previous };
  }

  /** @throws a Refusal API_KEY_NOT_FOUND if the vendor has no such valid key. */
  async revoke(vendorId: number, keyId: number): Promise<ApiKeyRecord> {
    const revoked = await this.deps.apiKeyRepository.revoke(vendorId, keyId, this.deps.realNow);
    if (!revoked) throw keyNotFound();
    await this.deps.events.recordModuleEvents(vendorId, {
      ...{ type: "KEY_REVOKED", subject: "KEY", subjectId: keyId, trigger: "revokeKey", actor: "MANAGER" },
      ...{ statusBefore: "ACTIVE", statusAfter: "REVOKED", facts: { keyName: revoked.name } },
    });
    return revoked;
  }

  private async add(
    vendorId: number,
    { name, token, trigger, ...limits }: KeyLimits & { name: string; token: string; trigger: string },
  ): Promise<ApiKeyRecord> {
    const key = await this.deps.apiKeyRepository.add(vendorId, {
      ...{ name, hash: hashToken(token), ending: token.slice(-4), createdAt: this.deps.realNow },
      ...limits,
    });
    await this.deps.events.recordModuleEvents(vendorId, {
      ...{ type: "KEY_CREATED", subject: "KEY", subjectId: key.id, trigger, actor: "MANAGER" },
      ...{ statusBefore: null, statusAfter: "ACTIVE", facts: { keyName: name } },
    });
    return key;
  }
}

const keyNotFound = () => notFound("API_KEY_NOT_FOUND", "The vendor has no valid key with this id.");

/** @throws a Refusal PERMISSION_DENIED if a key or a session with these scopes could do what the caller cannot. */
export function requireGrantable(
  subject: "key" | "session",
  scopes: readonly KeyScope[],
  caller: Permissions | undefined,
): void {
  const isGrantable = (scope: KeyScope) => caller && isWithin(permissionsOfScopes([scope]), caller);
  const refused = scopes.filter((scope) => !isGrantable(scope));
  if (refused.length > 0)
    throw denied(
      "PERMISSION_DENIED",
      `A ${subject} cannot have more permissions than the caller who creates it; leave out ${refused.join(", ")}.`,
    );
}
