import { firstOf, itemAt } from "../../kernel/required-values.ts";
import type { PolicyDifference, PolicyMetrics, WorldMetrics } from "./world-metrics.ts";
import type { Estimate } from "./statistics.ts";

const formatScaled = (value: number, scale: number, decimals: number): string => (value * scale).toFixed(decimals);

const formatEstimate = (estimate: Estimate | null, scale: number, decimals: number): string =>
  estimate
    ? `${formatScaled(estimate.value, scale, decimals)} [${estimate.interval.map((bound) => formatScaled(bound, scale, decimals)).join(" ")}]`
    : "-";

const columns: readonly (readonly [heading: string, of: (figures: PolicyMetrics) => string])[] = [
  ["policy", ({ name }) => name],
  ["recovered %", ({ recoveredByCount }) => formatEstimate(recoveredByCount, 100, 1)],
  ["by value %", ({ recoveredByValue }) => formatEstimate(recoveredByValue, 100, 1)],
  ["tries per case", ({ triesPerCase }) => formatEstimate(triesPerCase, 1, 2)],
  ["days, median", ({ daysMedian }) => formatEstimate(daysMedian, 1, 1)],
  ["days, p90", ({ daysP90 }) => formatEstimate(daysP90, 1, 1)],
  ["in 10 days %", ({ within10Days }) => formatEstimate(within10Days, 100, 1)],
  ["hard %", ({ hardRecovered }) => formatEstimate(hardRecovered, 100, 1)],
  ["breaches", ({ breaches, breachesPerTry }) => `${breaches} [≤${formatScaled(breachesPerTry.interval[1], 100, 3)}%]`],
  ["calibration error", ({ calibrationError }) => formatEstimate(calibrationError, 1, 3)],
];

const netValueColumn = ["net value %", ({ netValue }: PolicyMetrics) => formatEstimate(netValue, 100, 1)] as const;

/** Pads the texts of each column to the width of its widest text. */
function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = firstOf(rows).map((_, column) => Math.max(...rows.map((row) => itemAt(row, column).length)));
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(itemAt(widths, column)))
      .join("  ")
      .trimEnd(),
  );
}

/** The report as lines of text. */
export function toTextReport(worlds: readonly WorldMetrics[]): string[] {
  const all = worlds.flatMap(({ policies }) => policies);
  const sum = (of: (figures: PolicyMetrics) => number) => all.reduce((total, figures) => total + of(figures), 0);
  return [
    ...worlds.flatMap((world) => [...toWorldLines(world), ""]),
    "Brackets: 95% intervals. Recovered: paid within 28 days, as a share of the cases without a hard decline. An open case counts as not recovered.",
    "Hard: the share of the hard declines that were paid with a new payment method. Breaches: tries that broke a network's limit; in brackets, the upper bound of their share of all tries.",
    `${sum(({ tries }) => tries).toLocaleString("en-US")} tries in all, ${sum(({ breaches }) => breaches)} breaches.`,
    ...all.flatMap(({ name, firstBreach }) =>
      firstBreach === null ? [] : [`The first breach of ${name}: ${firstBreach}`],
    ),
  ];
}

function toWorldLines({ name, cases, hard, policies, differences }: WorldMetrics): string[] {
  const shown = policies.some(({ netValue }) => netValue) ? [...columns, netValueColumn] : columns;
  return [
    `${name}: ${cases.toLocaleString("en-US")} failed payments, ${hard.toLocaleString("en-US")} of them hard declines, which are counted separately`,
    ...alignColumns([
      shown.map(([heading]) => heading),
      ...policies.map((policy) => shown.map(([, of]) => of(policy))),
    ]),
    ...toDifferenceLines(policies, differences),
    ...toHistoryLines(policies),
  ];
}

/** Learned policies by the time of the failure, since a law may drift, and by the history that they learned from. */
function toHistoryLines(policies: readonly PolicyMetrics[]): string[] {
  const rows = policies.flatMap(({ name, recoveredFirst30Days, recoveredLater, histories }) =>
    histories.map(({ model, recoveredByCount, triesPerCase, calibrationError }, number) => [
      `  ${name}, history ${number + 1}, model ${model}`,
      formatEstimate(recoveredByCount, 100, 1),
      `${triesPerCase.value.toFixed(2)} tries`,
      `calibration error ${formatEstimate(calibrationError, 1, 3)}`,
      number > 0
        ? ""
        : `failed in the first 30 days ${formatEstimate(recoveredFirst30Days, 100, 1)}, later ${formatEstimate(recoveredLater, 100, 1)}`,
    ]),
  );
  return rows.length > 0 ? ["learned policies by what they learned from, recovered %", ...alignColumns(rows)] : [];
}

/** Compares each policy of the engine with the best ladder and the other baselines. */
function toDifferenceLines(policies: readonly PolicyMetrics[], differences: readonly PolicyDifference[]): string[] {
  const ladders = policies.filter(({ baseline, name }) => baseline && name.startsWith("ladder-"));
  const bestLadder = ladders.reduce((a, b) => (b.recoveredByCount.value > a.recoveredByCount.value ? b : a));
  const comparedBaselines = [bestLadder.name, "even-4", "even-8", "daily", "calendar-counter"];
  const rows = differences.filter(({ minus }) => comparedBaselines.includes(minus));
  if (rows.length === 0) return [];
  return [
    "differences on the same payments, in points",
    ...alignColumns(
      rows.map(({ of, minus, points, triesRatio }) => [
        `  ${of} minus ${minus}${minus === bestLadder.name ? " (best ladder)" : ""}`,
        formatEstimate(points, 1, 1),
        triesRatio === null ? "" : `${triesRatio.toFixed(2)} times its tries`,
      ]),
    ),
  ];
}
