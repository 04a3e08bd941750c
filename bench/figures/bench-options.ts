import { parseArgs } from "node:util";

/** The measurements of `npm run bench`, by the names that `--only` takes. */
export const MEASUREMENTS = ["reads", "rest", "renewals", "work"] as const;
export type MeasurementName = (typeof MEASUREMENTS)[number];

/** The options of `npm run bench`. */
export interface BenchOptions {
  /** Whether the figures are printed as JSON, alone on standard output. Otherwise they are written to docs/figures.md. */
  json: boolean;
  only: ReadonlySet<MeasurementName>;
  vendors: number;
  /** The orders of each vendor. */
  each: number;
  rounds: number;
  /** The time in which the payment gateway answers. */
  gatewayMs: number;
}

export const USAGE = `npm run -s bench -- [--json] [--only ${MEASUREMENTS.join(",")}] [--vendors 1000] [--each 1000] [--rounds 3] [--gateway-ms 500]`;

/** @throws an Error with what is wrong. */
export function readOptions(words: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...words],
    options: {
      json: { type: "boolean", default: false },
      only: { type: "string", default: MEASUREMENTS.join(",") },
      vendors: { type: "string", default: "1000" },
      each: { type: "string", default: "1000" },
      rounds: { type: "string", default: "3" },
      "gateway-ms": { type: "string", default: "500" },
    },
  });
  return {
    json: values.json,
    only: new Set(values.only.split(",").map(readName)),
    vendors: readCount("vendors", values.vendors, 1),
    each: readCount("each", values.each, 1),
    rounds: readCount("rounds", values.rounds, 1),
    gatewayMs: readCount("gateway-ms", values["gateway-ms"], 0),
  };
}

function readName(word: string): MeasurementName {
  const name = MEASUREMENTS.find((each) => each === word);
  if (!name) throw new Error(`--only: ${JSON.stringify(word)} is not one of ${MEASUREMENTS.join(", ")}.`);
  return name;
}

function readCount(option: string, word: string, least: number): number {
  const count = Number(word);
  if (!/^\d+$/.test(word) || count < least) throw new Error(`--${option}: must be a whole number from ${least}.`);
  return count;
}
