import type { SecretVault } from "../kernel/secret-vault.ts";

/** Encodes values and their signature as a path segment. @throws SECRETS_KEY_MISSING without a key. */
export function encodeSignedLink(values: readonly unknown[], purpose: string, vault: SecretVault): string {
  const payload = Buffer.from(JSON.stringify(values)).toString("base64url");
  return `${payload}.${vault.sign(payload, purpose).toString("base64url")}`;
}

/** Decodes the values of a link, or returns undefined if it was not signed for this purpose. */
export function decodeSignedLink(text: string, purpose: string, vault: SecretVault): unknown[] | undefined {
  const [, payload, signature] = /^([\w-]+)\.([\w-]{43})$/.exec(text) ?? [];
  if (payload === undefined || signature === undefined) return undefined;
  if (!vault.isSignatureValid(payload, Buffer.from(signature, "base64url"), purpose)) return undefined;
  return JSON.parse(Buffer.from(payload, "base64url").toString()) as unknown[];
}
