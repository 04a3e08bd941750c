import type { PolicyMetrics, WorldMetrics } from "./world-metrics.ts";

const PANEL = 560;
const LABEL = 240;
const BAR = 200;
const ROW = 19;
const HEAD = 62;
const MARGIN = 20;

const ENGINE = "#0b7a5c";
const BASELINE = "#9fb0bf";
const BOUND = "#e3e8ed";

const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`).replace(/\p{Cc}/gu, " ");

const formatNumber = (value: number): string => String(Math.round(value * 10) / 10);
const formatPercent = (part: number): string => (part * 100).toFixed(1);

/** Renders a bar chart for merchants: how many of 100 failed payments each policy recovers in each world. */
export function renderChart(worlds: readonly WorldMetrics[]): string {
  const columns = Math.min(2, worlds.length);
  const heights = worlds.map(({ policies }) => HEAD + policies.length * ROW);
  const rowTop = (row: number) => {
    let top = 76;
    for (let before = 0; before < row; before++)
      top += Math.max(...heights.slice(before * columns, (before + 1) * columns));
    return top;
  };
  const width = Math.max(columns * PANEL, 2 * PANEL) + 2 * MARGIN;
  const height = rowTop(Math.ceil(worlds.length / columns)) + 16;
  const panels = worlds.map((world, index) =>
    renderPanel(world, MARGIN + (index % columns) * PANEL, rowTop(Math.floor(index / columns))),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="system-ui, sans-serif" font-size="12" fill="#1f2933">
<title>Of 100 failed payments, how many are paid in the end</title>
<desc>One bar for each policy, in one panel for each world. ${escapeXml(worlds.map(describeWorld).join(" "))}</desc>
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="${MARGIN}" y="32" font-size="19" font-weight="600">Of 100 failed payments, how many are paid in the end</text>
<text x="${MARGIN}" y="54" fill="#52606d">Within 28 days, without hard declines. Green: Recoup. Grey: baselines. Thin lines: 95% intervals. At the right: recovered payments and tries per payment.</text>
${panels.join("\n")}
</svg>
`;
}

const describeWorld = ({ name, policies }: WorldMetrics): string =>
  `${name}: ${policies.map(({ label, recoveredByCount }) => `${label}, ${formatPercent(recoveredByCount.value)}`).join("; ")}.`;

function renderPanel({ name, policies }: WorldMetrics, left: number, top: number): string {
  const rows = [...policies].sort((a, b) => b.recoveredByCount.value - a.recoveredByCount.value);
  return [
    `<g transform="translate(${left} ${top})">`,
    `<text y="34" font-size="15" font-weight="600">${escapeXml(`${name.slice(0, 1).toUpperCase()}${name.slice(1)}`)}</text>`,
    ...rows.map((figures, index) => renderBar(figures, HEAD - 14 + index * ROW)),
    "</g>",
  ].join("\n");
}

function renderBar({ name, label, baseline, recoveredByCount, triesPerCase }: PolicyMetrics, top: number): string {
  const at = (part: number) => formatNumber(LABEL + part * BAR);
  const [low, high] = recoveredByCount.interval;
  const isUpperBound = name === "clairvoyant";
  const effortText = isUpperBound ? "upper bound" : `${triesPerCase.value.toFixed(1)} tries`;
  return [
    `<text x="${LABEL - 8}" y="${top + 12}" text-anchor="end"${baseline ? "" : ' font-weight="600"'}>${escapeXml(label)}</text>`,
    `<rect x="${LABEL}" y="${top + 2}" width="${formatNumber(recoveredByCount.value * BAR)}" height="13" fill="${isUpperBound ? BOUND : baseline ? BASELINE : ENGINE}"/>`,
    `<path d="M${at(low)} ${formatNumber(top + 8.5)}H${at(high)}" stroke="#1f2933"/>`,
    `<text x="${formatNumber(LABEL + Math.max(high, recoveredByCount.value) * BAR + 6)}" y="${top + 12}"><tspan font-weight="600">${formatPercent(recoveredByCount.value)}</tspan><tspan dx="8" fill="#52606d">${effortText}</tspan></text>`,
  ].join("");
}
