import type { FailuresReport } from "./failures-report.ts";

const LABEL = 190;
const BAR = 420;
const ROW = 19;
const WIDTH = LABEL + BAR + 150;

const RECOVERED = "#0b7a5c";
const HOURS = "#9fb0bf";

interface Bar {
  label: string;
  value: number;
  low: number;
  high: number;
  note: string;
}

const percent = (share: number): string => (share * 100).toFixed(1);
const shorten = (value: number): string => String(Math.round(value * 10) / 10);

/** A chart of the report: recovery by class, approvals by hour, and the gain of each setting that has a figure. */
export function renderChart(report: FailuresReport): string {
  const gains = report.settings.flatMap(({ name, figures }) =>
    figures ? [{ label: name, note: `${figures.triesPerCase.toFixed(1)} tries`, ...figures.byCount }] : [],
  );
  const panels = [
    {
      title: "Recovered, % of payments by the first decline",
      color: RECOVERED,
      bars: report.byClass.map(({ reasonClass, recovered, payments }) => ({
        label: reasonClass,
        note: `${payments} payments`,
        ...recovered,
      })),
    },
    {
      title: "Approved, % of tries by hour of the payer&#39;s day",
      color: HOURS,
      bars: report.byHour
        .filter(({ tries }) => tries > 0)
        .map(({ hour, approved, tries }) => ({ label: String(hour), note: `${tries} tries`, ...approved })),
    },
    { title: "Expected gain, points over the file&#39;s own schedule", color: RECOVERED, bars: gains },
  ].filter(({ bars }) => bars.length > 0);
  let top = 50;
  const drawn = panels.map(({ title, color, bars }) => {
    const panel = `<text x="20" y="${top + 20}" font-size="15" font-weight="600">${title}</text>\n${renderBars(bars, color, top + 32)}`;
    top += 50 + bars.length * ROW;
    return panel;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top}" width="${WIDTH}" height="${top}" role="img" font-family="system-ui, sans-serif" font-size="12" fill="#1f2933">
<title>What past failed payments say</title>
<rect width="${WIDTH}" height="${top}" fill="#fff"/>
<text x="20" y="32" font-size="19" font-weight="600">What past failed payments say</text>
${drawn.join("\n")}
</svg>
`;
}

/** Bars on one scale; a loss goes to the left of zero. The thin line is the interval. */
function renderBars(bars: readonly Bar[], color: string, top: number): string {
  const low = Math.min(0, ...bars.map((bar) => bar.low));
  const high = Math.max(0.01, ...bars.map((bar) => bar.high));
  const at = (value: number) => LABEL + ((value - low) / (high - low)) * BAR;
  return bars
    .map(({ label, value, note, ...bar }, index) => {
      const y = top + index * ROW;
      const [from, until] = [Math.min(at(0), at(value)), Math.max(at(0), at(value))];
      return [
        `<text x="${LABEL - 8}" y="${y + 12}" text-anchor="end">${label}</text>`,
        `<rect x="${shorten(from)}" y="${y + 2}" width="${shorten(until - from)}" height="13" fill="${color}"/>`,
        `<path d="M${shorten(at(bar.low))} ${y + 8}H${shorten(at(bar.high))}" stroke="#1f2933"/>`,
        `<text x="${LABEL + BAR + 8}" y="${y + 12}"><tspan font-weight="600">${percent(value)}</tspan><tspan dx="8" fill="#52606d">${note}</tspan></text>`,
      ].join("");
    })
    .join("\n");
}
