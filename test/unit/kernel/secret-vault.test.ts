import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { SecretVault } from "../../../src/kernel/secrets/secret-vault.ts";

const [older, newer] = [randomBytes(32), randomBytes(32)];
const vault = new SecretVault([older]);
const PLACE = "vendor_settings.consumer_secret 7";

test.each(["", "s3cret", "비밀 🔑".repeat(100)])("an encrypted text can be decrypted: %j", (text) => {
  expect(vault.decrypt(vault.encrypt(text, PLACE), PLACE)).toBe(text);
});

test("two encryptions of a text differ, and neither shows it", () => {
  const sealed = [vault.encrypt("s3cret", PLACE), vault.encrypt("s3cret", PLACE)];
  expect(sealed[0]).not.toEqual(sealed[1]);
  // The id of the key comes first, to find the key that decrypts it.
  expect(sealed[0]!.subarray(0, 8)).toEqual(sealed[1]!.subarray(0, 8));
  for (const bytes of sealed) expect(bytes.includes("s3cret")).toBe(false);
});

test("a ciphertext that was moved to another place or changed cannot be decrypted", () => {
  const sealed = vault.encrypt("s3cret", PLACE);
  expect(() => vault.decrypt(sealed, "vendor_settings.consumer_secret 8")).toThrow();
  for (let index = 0; index < sealed.length; index++) {
    const changed = Buffer.from(sealed);
    changed[index]! ^= 1;
    expect(() => vault.decrypt(changed, PLACE)).toThrow();
  }
  expect(() => vault.decrypt(sealed.subarray(0, -1), PLACE)).toThrow();
});

test("after a rotation the new key encrypts, and the old one still decrypts until it is removed", () => {
  const sealed = vault.encrypt("s3cret", PLACE);
  const both = new SecretVault([newer, older]);
  expect(both.decrypt(sealed, PLACE)).toBe("s3cret");
  expect([both.isEncryptedWithCurrentKey(sealed), vault.isEncryptedWithCurrentKey(sealed)]).toEqual([false, true]);
  const anew = both.encrypt("s3cret", PLACE);
  expect(both.isEncryptedWithCurrentKey(anew)).toBe(true);
  expect(new SecretVault([newer]).decrypt(anew, PLACE)).toBe("s3cret");
  expect(() => new SecretVault([newer]).decrypt(sealed, PLACE)).toThrow("not among those of SECRETS_KEY");
});

test("without a key encryption is refused, with a sentence that says whom to ask", () => {
  const none = new SecretVault([]);
  expect(() => none.encrypt("s3cret", PLACE)).toThrow(
    expect.objectContaining({
      kind: "invalid",
      code: "SECRETS_KEY_MISSING",
      message: expect.stringContaining("operator"),
    }),
  );
  expect(none.isEncryptedWithCurrentKey(vault.encrypt("s3cret", PLACE))).toBe(false);
});

test("a signature is valid in every vault with the key, for its purpose and unchanged text only", () => {
  const signature = vault.sign("order 7", "link");
  expect(vault.sign("order 7", "link")).toEqual(signature);
  expect(new SecretVault([newer, older]).isSignatureValid("order 7", signature, "link")).toBe(true);
  expect(new SecretVault([newer, older]).sign("order 7", "link")).not.toEqual(signature);
  expect([
    vault.isSignatureValid("order 8", signature, "link"),
    vault.isSignatureValid("order 7", signature, "form"),
    vault.isSignatureValid("order 7", signature.subarray(1), "link"),
    new SecretVault([newer]).isSignatureValid("order 7", signature, "link"),
    new SecretVault([]).isSignatureValid("order 7", signature, "link"),
  ]).toEqual([false, false, false, false, false]);
  expect(() => new SecretVault([]).sign("order 7", "link")).toThrow(
    expect.objectContaining({ code: "SECRETS_KEY_MISSING" }),
  );
});
