import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Network } from "../../../schema/vocabulary.ts";
import { currentRulebook, earliestLegalTime } from "../../../src/recovery/engine/rulebook.ts";
import { findBreaches, type CheckedCharge } from "../../../src/recovery/simulation/breach-checker.ts";
import { assertProperty } from "../../support/property-tests.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 2, 1);

const charges = (count: number, gap: number, said: Partial<CheckedCharge> = {}): CheckedCharge[] =>
  Array.from({ length: count }, (_, index) => ({ at: START + index * gap, code: "51", ...said }));

describe("the independent checker", () => {
  test.each(["04", "7", "12", "14", "15", "41", "43", "46", "57", "r0", "R1", "R3"])(
    "finds an attempt after Visa's %s, also when the network is not given",
    (code) => {
      const before = charges(1, DAY, { code });
      expect(findBreaches("VISA", before, START + 20 * DAY)).toHaveLength(1);
      expect(findBreaches(null, before, START + 20 * DAY)).toHaveLength(1);
      expect(findBreaches("AMEX", before, START + 20 * DAY)).toEqual([]);
    },
  );

  test("counts Visa's thirty days, by the limit of the day", () => {
    expect(findBreaches("VISA", charges(19, DAY), START + 19 * DAY)).toEqual([]);
    expect(findBreaches("VISA", charges(20, DAY), START + 20 * DAY)).toEqual(["Visa: more than 20 in 30 days"]);
    expect(findBreaches("VISA", charges(20, DAY), START + 30 * DAY)).toEqual([]);
    const shift = Date.UTC(2025, 4, 1) - START;
    const earlier = charges(15, DAY).map(({ at, ...rest }) => ({ ...rest, at: at + shift }));
    expect(findBreaches("VISA", earlier, Date.UTC(2025, 4, 20))).toEqual(["Visa: more than 15 in 30 days"]);
    expect(findBreaches("VISA", earlier, Date.UTC(2025, 4, 25))).toEqual([]);
  });

  test("counts Mastercard's day and thirty days", () => {
    expect(findBreaches("MASTERCARD", charges(9, HOUR), START + 10 * HOUR)).toEqual([]);
    expect(findBreaches("MASTERCARD", charges(10, HOUR), START + 11 * HOUR)).toHaveLength(1);
    expect(findBreaches("MASTERCARD", charges(10, HOUR), START + 24 * HOUR)).toEqual([]);
    expect(findBreaches("MASTERCARD", charges(34, 20 * HOUR), START + 29 * DAY)).toEqual([]);
    expect(findBreaches("MASTERCARD", charges(35, 20 * HOUR), START + 30 * DAY - 1)).toHaveLength(1);
  });

  test.each([
    ["02", 72],
    ["24", 1],
    ["25", 24],
    ["26", 48],
    ["27", 96],
    ["28", 144],
    ["29", 192],
    ["30", 240],
  ])("knows that advice %s means %i hours", (adviceCode, hours) => {
    const before = charges(1, DAY, { adviceCode });
    expect(findBreaches("MASTERCARD", before, START + hours * HOUR - 1)).toEqual([
      "Mastercard: tried again earlier than advised",
    ]);
    expect(findBreaches("MASTERCARD", before, START + hours * HOUR)).toEqual([]);
    expect(findBreaches("VISA", before, START + HOUR / 2)).toEqual([]);
  });

  test.each(["03", "21"])("knows that advice %s means never", (adviceCode) => {
    expect(findBreaches("MASTERCARD", charges(1, DAY, { adviceCode }), START + 90 * DAY)).toHaveLength(1);
  });

  test.each(["SEPA", "ACH"] as const)("allows two retries of %s", (network) => {
    expect(findBreaches(network, charges(2, DAY), START + 9 * DAY)).toEqual([]);
    expect(findBreaches(network, charges(3, DAY), START + 9 * DAY)).toHaveLength(1);
  });

  test("agrees with the rulebook: an attempt that is legal there breaks no rule", () => {
    const codes = fc.constantFrom("51", "05", "91", "41", "14");
    const advice = fc.constantFrom(undefined, "02", "24", "25", "27", "30", "03");
    const networks = fc.constantFrom<Network | null>("VISA", "MASTERCARD", "AMEX", "SEPA", "ACH", null);
    const history = fc.array(fc.record({ gap: fc.integer({ min: 1, max: 40 }), code: codes, adviceCode: advice }), {
      minLength: 1,
      maxLength: 40,
    });
    let legalOnes = 0;
    assertProperty(
      fc.record({ network: networks, history, wait: fc.integer({ min: 0, max: 200 }) }),
      ({ network, history, wait }) => {
        let at = START;
        const before = history.map(({ gap, code, adviceCode }): CheckedCharge => ({
          at: (at += gap * HOUR),
          code,
          adviceCode,
        }));
        const attempts = before.map((charge) => ({
          at: new Date(charge.at),
          code: charge.code ?? null,
          adviceCode: charge.adviceCode ?? null,
          network,
          initiator: "MERCHANT" as const,
        }));
        const legal = earliestLegalTime(attempts, new Date(at + wait * HOUR), currentRulebook).at;
        if (!legal) return;
        legalOnes++;
        expect(findBreaches(network, before, legal.getTime())).toEqual([]);
      },
    );
    expect(legalOnes).toBeGreaterThan(50);
  });
});
