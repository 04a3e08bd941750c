import type { Difference, Figures, WorldFigures } from "./world-metrics.ts";
import type { Estimate } from "./statistics.ts";

const fixed = (value: number, scale: number, decimals: number): string => (value * scale).toFixed(decimals);

const told = (estimate: Estimate | null, scale: number, decimals: number): string =>
  estimate
    ? `${fixed(estimate.value, scale, decimals)} [${estimate.interval.map((bound) => fixed(bound, scale, decimals)).join(" ")}]`
    : "-";

const columns: readonly (readonly [heading: string, of: (figures: Figures) => string])[] = [
  ["policy", ({ name }) => name],
  ["recovered %", ({ recoveredByCount }) => told(recoveredByCount, 100, 1)],
  ["by value %", ({ recoveredByValue }) => told(recoveredByValue, 100, 1)],
  ["tries a case", ({ triesPerCase }) => told(triesPerCase, 1, 2)],
  ["days, median", ({ daysMedian }) => told(daysMedian, 1, 1)],
  ["days, p90", ({ daysP90 }) => told(daysP90, 1, 1)],
  ["in 10 days %", ({ within10Days }) => told(within10Days, 100, 1)],
  ["hard %", ({ hardRecovered }) => told(hardRecovered, 100, 1)],
  ["breaches", ({ breaches, breachesPerTry }) => `${breaches} [≤${fixed(breachesPerTry.interval[1], 100, 3)}%]`],
  ["calibration error", ({ calibrationError }) => told(calibrationError, 1, 3)],
];

/** Rows in columns as wide as their widest text. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
}

/** The report for people, in lines. */
export function textOf(worlds: readonly WorldFigures[]): string[] {
  const all = worlds.flatMap(({ policies }) => policies);
  const sum = (of: (figures: Figures) => number) => all.reduce((total, figures) => total + of(figures), 0);
  return [
    ...worlds.flatMap((world) => [...worldText(world), ""]),
    "Brackets are 95% intervals. Recovered: within 28 days, of all cases but hard declines; a case that is still open is not recovered.",
    "Hard: of the declines that forbid another try, those that were paid with a new payment method. Breaches: with the most of 100 tries that could be one.",
    `${sum(({ tries }) => tries).toLocaleString("en-US")} tries in all, ${sum(({ breaches }) => breaches)} breaches.`,
    ...all.flatMap(({ name, firstBreach }) =>
      firstBreach === null ? [] : [`The first breach of ${name}: ${firstBreach}`],
    ),
  ];
}

function worldText({ name, cases, hard, policies, differences }: WorldFigures): string[] {
  return [
    `${name}: ${cases.toLocaleString("en-US")} failed payments, ${hard.toLocaleString("en-US")} of them hard declines, which stand apart`,
    ...aligned([columns.map(([heading]) => heading), ...policies.map((one) => columns.map(([, of]) => of(one)))]),
    ...differencesText(policies, differences),
  ];
}

/** Each policy of the engine against the strongest of each kind of baseline. */
function differencesText(policies: readonly Figures[], differences: readonly Difference[]): string[] {
  const ladders = policies.filter(({ baseline, name }) => baseline && name.startsWith("ladder-"));
  const best = ladders.reduce((a, b) => (b.recoveredByCount.value > a.recoveredByCount.value ? b : a));
  const against = [best.name, "even-4", "even-8", "daily", "calendar-counter"];
  const rows = differences.filter(({ minus }) => against.includes(minus));
  if (rows.length === 0) return [];
  return [
    "differences on the same payments, in points",
    ...aligned(
      rows.map(({ of, minus, points, triesRatio }) => [
        `  ${of} minus ${minus}${minus === best.name ? " (best ladder)" : ""}`,
        told(points, 1, 1),
        triesRatio === null ? "" : `${triesRatio.toFixed(2)} times its tries`,
      ]),
    ),
  ];
}
