import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { simulateWorld } from "../../../src/recovery/simulation/simulate-world.ts";
import { loadWorld } from "../../../src/recovery/simulation/load-world.ts";
import { InvalidWorldError, type World } from "../../../src/recovery/simulation/world.ts";
import { daysAfterFailedPayments, simulatedPayment, worldWith } from "../../support/fixtures/simulation-fixtures.ts";

/** The error of an operation of a world. */
async function faultOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidWorldError);
    return (error as Error).message;
  }
  throw new Error("Nothing was wrong.");
}

describe("a file that is no world", () => {
  test.each([
    ["a number", "export default 5;", "is not a world: its default export must be an object"],
    ["no default export", "export const name = 'x';", "is not a world: its default export must be an object"],
    ["no name", "export default { generate: () => [] };", "its name must be a string that is not blank."],
    ["no generate", "export default { name: 'x' };", "its generate must be a function."],
    ["no module", "this is none", "cannot be loaded: "],
    ["a module that throws", "throw new Error('at once');", "cannot be loaded: at once"],
    ["a name that throws", "export default { get name() { throw new Error('no'); } };", "failed: no"],
  ])("%s", async (_, text, sentence) => {
    const folder = await mkdtemp(join(tmpdir(), "recoup-world-"));
    const file = join(folder, "one.mjs");
    await writeFile(file, text);
    expect(await faultOf(() => loadWorld(file))).toContain(sentence);
    await rm(folder, { recursive: true });
  });
});

const played = (world: unknown, policy = "LADDER") =>
  faultOf(() => simulateWorld(world as World, policy, { cases: 3, seed: 1, history: 0 }));

describe("a generate function that returns", () => {
  test.each<[string, () => unknown, string]>([
    ["nothing", () => undefined, "generate must return a list or a generator."],
    ["too few", () => [simulatedPayment(1, 2)], "generate returned 1 payments instead of the requested 3."],
    [
      "too many",
      () => Array.from({ length: 4 }, () => simulatedPayment(1, 2)),
      "generate returned more than the requested 3 payments.",
    ],
    ["no payment", () => ["one"], "payment 0 is not an object."],
    [
      "payments out of order",
      () => [simulatedPayment(1, 2, { failedAt: daysAfterFailedPayments(1) }), simulatedPayment(1, 2)],
      "payment 1 failed before the previous one: sort the payments by time.",
    ],
    [
      "an error",
      () => {
        throw new TypeError("boom");
      },
      "generate failed: boom",
    ],
  ])("%s", async (_, generate, sentence) => {
    expect(await played({ name: "told", generate })).toBe(`The world "told": ${sentence}`);
  });
});

describe("a payment whose", () => {
  test.each([
    ["failedAt", "2026-03-01", "a valid Date"],
    ["failedAt", new Date(NaN), "a valid Date"],
    ["amount", "5", "a number above zero"],
    ["amount", 0, "a number above zero"],
    ["currency", "won", "three upper-case letters, such as KRW"],
    ["country", undefined, "two upper-case letters, such as KR"],
    ["timeZone", "Seoul", "a zone of the IANA time zone database"],
    ["gateway", " ", "a string that is not blank"],
    ["network", "CARD", "VISA, MASTERCARD, AMEX, OTHER, or absent"],
    ["payerId", 7, "a string that is not blank"],
    ["code", 51, "a string, or absent"],
    ["message", null, "a string, or absent"],
    ["adviceCode", 3, "a string, or absent"],
    ["attempt", undefined, "a function"],
    ["firstPayableAt", null, "a function"],
    ["methodChangedAt", new Date(), "a list of valid Dates, or absent"],
    ["silentFrom", "never", "a valid Date, or absent"],
  ])("%s is %s", async (name, value, must) => {
    const world = worldWith(() => ({ ...simulatedPayment(1, 2), [name]: value }));
    expect(await played(world)).toBe(`The world "told": payment 0: ${name} must be ${must}.`);
  });

  test.each([
    ["no object", true, "attempt must return { approved: true } or { approved: false, … }."],
    ["no approval", { code: "51" }, "attempt must return { approved: true } or { approved: false, … }."],
    ["a number for a code", { approved: false, code: 51 }, "attempt's code must be a string, or absent."],
  ])("attempt answers %s", async (_, answer, sentence) => {
    const world = worldWith(() => ({ ...simulatedPayment(1, 2), attempt: () => answer as never }));
    // Learning policies call it too.
    for (const policy of ["LADDER", "calendar-counter"])
      expect(await played(world, policy)).toBe(`The world "told": payment 0: ${sentence}`);
  });

  test.each([
    ["nothing", undefined],
    ["a text", "tomorrow"],
    ["a time before the failure", daysAfterFailedPayments(-1)],
  ])("bound is %s", async (_, bound) => {
    const world = worldWith(() => ({ ...simulatedPayment(1, 2), firstPayableAt: () => bound as never }));
    expect(await played(world, "clairvoyant")).toBe(
      'The world "told": payment 0: firstPayableAt must return null, or a Date that is not before from.',
    );
  });
});
