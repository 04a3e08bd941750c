import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { Vault } from "../../../src/kernel/secret-vault.ts";

const [older, newer] = [randomBytes(32), randomBytes(32)];
const vault = new Vault([older]);
const PLACE = "vendor_settings.consumer_secret 7";

test.each(["", "s3cret", "비밀 🔑".repeat(100)])("what is sealed can be opened again: %j", (text) => {
  expect(vault.open(vault.seal(text, PLACE), PLACE)).toBe(text);
});

test("sealed twice, a text is not the same twice, and neither shows it", () => {
  const sealed = [vault.seal("s3cret", PLACE), vault.seal("s3cret", PLACE)];
  expect(sealed[0]).not.toEqual(sealed[1]);
  // The id of the key comes first, so that it can be told which key opens it.
  expect(sealed[0]!.subarray(0, 8)).toEqual(sealed[1]!.subarray(0, 8));
  for (const bytes of sealed) expect(bytes.includes("s3cret")).toBe(false);
});

test("what was moved to another place, or changed anywhere, cannot be opened", () => {
  const sealed = vault.seal("s3cret", PLACE);
  expect(() => vault.open(sealed, "vendor_settings.consumer_secret 8")).toThrow();
  for (let index = 0; index < sealed.length; index++) {
    const changed = Buffer.from(sealed);
    changed[index]! ^= 1;
    expect(() => vault.open(changed, PLACE)).toThrow();
  }
  expect(() => vault.open(sealed.subarray(0, -1), PLACE)).toThrow();
});

test("after a rotation the new key seals, and the old one still opens until it is gone", () => {
  const sealed = vault.seal("s3cret", PLACE);
  const both = new Vault([newer, older]);
  expect(both.open(sealed, PLACE)).toBe("s3cret");
  expect([both.isCurrent(sealed), vault.isCurrent(sealed)]).toEqual([false, true]);
  const anew = both.seal("s3cret", PLACE);
  expect(both.isCurrent(anew)).toBe(true);
  expect(new Vault([newer]).open(anew, PLACE)).toBe("s3cret");
  expect(() => new Vault([newer]).open(sealed, PLACE)).toThrow("not among those of SECRETS_KEY");
});

test("without a key nothing can be sealed, and the refusal says whom to ask", () => {
  const none = new Vault([]);
  expect(() => none.seal("s3cret", PLACE)).toThrow(
    expect.objectContaining({
      kind: "invalid",
      code: "SECRETS_KEY_MISSING",
      message: expect.stringContaining("operator"),
    }),
  );
  expect(none.isCurrent(vault.seal("s3cret", PLACE))).toBe(false);
});

test("what one key signed for a purpose every vault with that key knows, for that purpose and as it stands", () => {
  const signature = vault.sign("order 7", "link");
  expect(vault.sign("order 7", "link")).toEqual(signature);
  expect(new Vault([newer, older]).hasSigned("order 7", signature, "link")).toBe(true);
  expect(new Vault([newer, older]).sign("order 7", "link")).not.toEqual(signature);
  expect([
    vault.hasSigned("order 8", signature, "link"),
    vault.hasSigned("order 7", signature, "form"),
    vault.hasSigned("order 7", signature.subarray(1), "link"),
    new Vault([newer]).hasSigned("order 7", signature, "link"),
    new Vault([]).hasSigned("order 7", signature, "link"),
  ]).toEqual([false, false, false, false, false]);
  expect(() => new Vault([]).sign("order 7", "link")).toThrow(expect.objectContaining({ code: "SECRETS_KEY_MISSING" }));
});
