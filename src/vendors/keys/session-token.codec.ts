import type { KeyScope } from "../../../schema/vocabulary.ts";
import type { SecretVault } from "../../kernel/secrets/secret-vault.ts";
import { decodeSignedValues, encodeSignedValues } from "../../kernel/secrets/signed-values.ts";

/** The content of a session token: the key that created it, and what a page may do with it. */
export interface SessionTokenContent {
  vendorId: number;
  keyId: number;
  /** Names the session in events. It is no secret. */
  sessionId: string;
  /** The origin of the pages that may send the token, as browsers write it. */
  origin: string;
  scopes: readonly KeyScope[];
  expiresAt: Date;
}

/** Lets people and scanners of secrets recognize a token. */
const PREFIX = "recoup_session_";

/** Signatures for other purposes are not valid for tokens. */
const SIGNATURE_PURPOSE = "session token";

/** No token of ours is longer; signing megabytes of header would only cost. */
const MAX_TOKEN_LENGTH = 1_024;

/** Encodes the content of a token and its signature. @throws SECRETS_KEY_MISSING without a key. */
export function encodeSessionToken(content: SessionTokenContent, vault: SecretVault): string {
  const { vendorId, keyId, sessionId, origin, scopes, expiresAt } = content;
  const values = [vendorId, keyId, sessionId, origin, scopes, expiresAt.getTime()];
  return PREFIX + encodeSignedValues(values, SIGNATURE_PURPOSE, vault);
}

/** Decodes a token, or returns undefined if its signature is not valid. The caller checks its expiry, origin and key. */
export function decodeSessionToken(token: string, vault: SecretVault): SessionTokenContent | undefined {
  if (token.length > MAX_TOKEN_LENGTH || !token.startsWith(PREFIX)) return undefined;
  const values = decodeSignedValues(token.slice(PREFIX.length), SIGNATURE_PURPOSE, vault);
  if (!values) return undefined;
  const [vendorId, keyId, sessionId, origin, scopes, expiresAt] = values as [
    ...[number, number, string, string],
    KeyScope[],
    number,
  ];
  return { vendorId, keyId, sessionId, origin, scopes, expiresAt: new Date(expiresAt) };
}
