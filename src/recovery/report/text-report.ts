import type { CodeSuggestion } from "../estimates/code-suggestion.ts";
import type { NoGainReason } from "../estimates/gain-estimate.ts";
import type { FailuresReport, SettingEstimate } from "./failures-report.ts";

/** What the estimates rest on: printed beside them. */
export const assumptions: readonly string[] = [
  "Payers would have reacted to tries at other times as they did to those of the file at like times.",
  "The time of a try was not chosen by something that the file does not show, such as a payer who asked for it.",
  "A failed try is followed by a decline like those that followed in the file; replaced cards are not foreseen.",
  "A payment without an approved try in the file stayed unpaid.",
  "In simulated worlds whose truth is known, the gain was estimated 4 to 5 points too high. Beside chance, the intervals allow for an error of the model of 2.5 points (standard error).",
];

const reasons: Readonly<Record<NoGainReason, string>> = {
  TOO_FEW_TRIES: "the file has too few payments or results",
  NO_OVERLAP: "it tries where the file has hardly any tries",
};

const percent = (share: number): string => (share * 100).toFixed(1);
const points = (share: number): string => `${share >= 0 ? "+" : ""}${percent(share)}`;
const count = (value: number): string => value.toLocaleString("en-US");
const range = ({ low, high }: { low: number; high: number }, format = percent): string =>
  `[${format(low)} ${format(high)}]`;

/** The report for people, in lines. */
export function toTextReport(report: FailuresReport): string[] {
  return [
    `${count(report.payments)} failed payments of ${count(report.payers)} payers with ${count(report.tries)} tries, from ${day(report.from)} until ${day(report.until)}`,
    `recovered: ${percent(report.recovered.value)} % ${range(report.recovered)}`,
    ...(report.neverFailed > 0 ? [`left out: ${count(report.neverFailed)} payments whose first try was approved`] : []),
    ...(report.errorCount > 0
      ? [`errors, left out: ${count(report.errorCount)}`, ...report.errors.map((error) => `  ${error}`)]
      : []),
    "",
    "recovery by the meaning of the first decline",
    ...table([
      ["  class", "payments", "recovered %", "", "tries a payment"],
      ...report.byClass.map((one) => [
        `  ${one.reasonClass}`,
        count(one.payments),
        percent(one.recovered.value),
        range(one.recovered),
        one.triesPerPayment.toFixed(2),
      ]),
    ]),
    "",
    "approved tries by hour of the payer's day",
    ...table([
      ["  hour", "tries", "approved %", ""],
      ...report.byHour
        .filter(({ tries }) => tries > 0)
        .map(({ hour, tries, approved }) => [
          `  ${String(hour).padStart(2, "0")}`,
          count(tries),
          percent(approved.value),
          range(approved),
        ]),
    ]),
    "",
    ...unmappedLines(report),
    "",
    ...gainLines(report),
    "",
    "Brackets are 95 % intervals. The estimates assume:",
    ...assumptions.map((assumption) => `- ${assumption}`),
  ];
}

const day = (at: Date): string => at.toISOString().slice(0, 10);

function unmappedLines({ unmapped }: FailuresReport): string[] {
  if (unmapped.length === 0) return ["all declines have a known meaning"];
  return [
    "declines without a known meaning, the most costly first",
    ...table([
      ["  gateway", "code", "declines", "lost payments", "lost", "behaves like"],
      ...unmapped.map(({ gateway, code, declines, lostPayments, lost, suggestion }) => [
        `  ${gateway || "-"}`,
        code ?? "(none)",
        count(declines),
        count(lostPayments),
        lost.map(({ currency, amount }) => `${amount.toFixed()} ${currency}`).join(", ") || "-",
        suggestionText(suggestion),
      ]),
    ]),
  ];
}

const suggestionText = (suggestion: CodeSuggestion | null): string =>
  suggestion ? `${suggestion.reasonClass}, ${Math.round(suggestion.probability * 100)} %` : "uncertain";

function gainLines({ ownSchedule, settings, best }: FailuresReport): string[] {
  const { cases, recovered, triesPerCase } = ownSchedule;
  const own = cases > 0 ? percent(recovered / cases) : "0.0";
  return [
    `expected gain over the file's own schedule, which recovered ${own} % of ${count(cases)} payments with ${triesPerCase.toFixed(2)} tries each, in points`,
    ...table([
      ["  tries/days", "by count", "", "by value", "", "recovered %", "tries", "effective cases"],
      ...settings.map(settingRow),
    ]),
    best
      ? `best setting: ${best.name}, ${range(best, points)} points with an interval that holds for all settings together`
      : "best setting: none is sure to recover more than the file's own schedule",
  ];
}

function settingRow({ name, figures, reason, covered, effectiveCases }: SettingEstimate): string[] {
  if (!figures) {
    const share = reason === "NO_OVERLAP" ? ` (${percent(covered)} % of what it recovers is like the file)` : "";
    return [`  ${name}`, `no figure: ${reason === null ? "" : reasons[reason]}${share}`];
  }
  const { byCount, byValue, recovered, triesPerCase } = figures;
  return [
    `  ${name}`,
    points(byCount.value),
    range(byCount, points),
    points(byValue.value),
    range(byValue, points),
    percent(recovered.value),
    triesPerCase.toFixed(2),
    count(effectiveCases),
  ];
}

/** Rows in columns as wide as their widest text; a row that ends early does not widen its last column. */
function table(rows: readonly (readonly string[])[]): string[] {
  const columns = Math.max(...rows.map(({ length }) => length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(
      0,
      ...rows.map((row) => (column === row.length - 1 && row.length < columns ? 0 : (row[column] ?? "").length)),
    ),
  );
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
