import type { SecretVault } from "./secret-vault.ts";

/** Encodes values and their signature as one word of letters that an address can contain. @throws SECRETS_KEY_MISSING without a key. */
export function encodeSignedValues(values: readonly unknown[], purpose: string, vault: SecretVault): string {
  const payload = Buffer.from(JSON.stringify(values)).toString("base64url");
  return `${payload}.${vault.sign(payload, purpose).toString("base64url")}`;
}

/** Decodes values, or returns undefined if they were not signed for this purpose. */
export function decodeSignedValues(text: string, purpose: string, vault: SecretVault): unknown[] | undefined {
  const [, payload, signature] = /^([\w-]+)\.([\w-]{43})$/.exec(text) ?? [];
  if (payload === undefined || signature === undefined) return undefined;
  if (!vault.isSignatureValid(payload, Buffer.from(signature, "base64url"), purpose)) return undefined;
  return JSON.parse(Buffer.from(payload, "base64url").toString()) as unknown[];
}
