import { randomBytes } from "node:crypto";
import { KeyScope } from "../../../schema/vocabulary.ts";
import type { EventService } from "../../events/event.service.ts";
import { isBrowserOrigin } from "../../kernel/browser-origin.ts";
import { denied, invalidField, notFound } from "../../kernel/refusals.ts";
import type { SecretVault } from "../../kernel/secrets/secret-vault.ts";
import type { Caller } from "../people/caller.ts";
import type { ApiKeyRepository } from "./api-key.repository.ts";
import { requireGrantable } from "./api-key.service.ts";
import { encodeSessionToken } from "./session-token.codec.ts";

/** The session of a browser that a back end requests. */
export interface RequestedSession {
  origin: string;
  scopes: readonly KeyScope[];
  minutes: number;
}

/** A session token, which is not stored, and what it is valid for. */
export interface IssuedSession {
  token: string;
  sessionId: string;
  expiresAt: Date;
  scopes: readonly KeyScope[];
}

const MINUTE_MS = 60_000;
const MAX_MINUTES = 60;

/** No origin of a browser is longer: a domain name has at most 253 characters. */
const MAX_ORIGIN_LENGTH = 300;

/** Distinguishes sessions in events. The signature protects a token, not this id. */
const SESSION_ID_BYTES = 12;

/** The scopes that a page in a browser may have: nothing that gives more rights, or changes settings. */
const SESSION_SCOPES = [KeyScope.READ, KeyScope.WRITE, KeyScope.RECOVERY] as const;

/** Creates the tokens with which the pages of a merchant call the API. Their times are real ones. */
export class SessionTokenService {
  constructor(
    private readonly deps: {
      apiKeyRepository: ApiKeyRepository;
      events: EventService;
      vault: SecretVault;
      realNow: Date;
    },
  ) {}

  /**
   * Creates a token for the pages of one origin. It ends with its key, and can do no more than that.
   * @throws a Refusal PERMISSION_DENIED, INVALID_ARGUMENT, SECRETS_KEY_MISSING.
   */
  async create(vendorId: number, requested: RequestedSession, { author, permissions }: Caller): Promise<IssuedSession> {
    const { apiKeyRepository, events, vault, realNow: now } = this.deps;
    if (author.kind !== "KEY" || author.id === null)
      throw denied("PERMISSION_DENIED", "A session token ends with the key that creates it; call with a Secret-Token.");
    const { origin, minutes } = requested;
    requireOrigin(origin);
    if (minutes > MAX_MINUTES) throw invalidField("minutes", `must be at most ${MAX_MINUTES}.`);
    const scopes = SESSION_SCOPES.filter((scope) => requested.scopes.includes(scope));
    if (requested.scopes.length === 0) throw invalidField("scopes", "must have at least one entry.");
    if (requested.scopes.some((scope) => !scopes.some((allowed) => allowed === scope)))
      throw invalidField("scopes", `must be of ${SESSION_SCOPES.join(", ")}: a browser gets no other scope.`);
    requireGrantable("session", scopes, permissions);
    const [key] = await apiKeyRepository.byIds(vendorId, [author.id]);
    if (!key || key.revokedAt) throw notFound("API_KEY_NOT_FOUND", "The key was revoked meanwhile.");
    const latest = new Date(now.getTime() + minutes * MINUTE_MS);
    const expiresAt = key.expiresAt && key.expiresAt < latest ? key.expiresAt : latest;
    const sessionId = randomBytes(SESSION_ID_BYTES).toString("base64url");
    const token = encodeSessionToken({ vendorId, keyId: key.id, sessionId, origin, scopes, expiresAt }, vault);
    await events.recordModuleEvents(vendorId, {
      ...{ type: "KEY_SESSION_CREATED", subject: "KEY", subjectId: key.id, trigger: "createSessionToken" },
      ...{ actor: "MANAGER", statusBefore: "ACTIVE", statusAfter: "ACTIVE" },
      facts: { keyName: key.name, sessionId, origin, until: expiresAt.toISOString() },
    });
    return { token, sessionId, expiresAt, scopes };
  }
}

function requireOrigin(origin: string): void {
  if (origin.length > MAX_ORIGIN_LENGTH)
    throw invalidField("origin", `must have at most ${MAX_ORIGIN_LENGTH} characters.`);
  if (!isBrowserOrigin(origin))
    throw invalidField(
      "origin",
      "must be an https origin as browsers send it, such as https://shop.example.com: lower case, no path, no `/` at the end. On the own machine http://localhost:3000 and its like are accepted, too.",
    );
}
