import "uplot/dist/uPlot.min.css";
import { useEffect, useRef } from "react";
import { Table, useComputedColorScheme } from "@mantine/core";
import UPlot from "uplot";
import { useTexts } from "../language/language.tsx";
import { partsTexts } from "./parts.texts.ts";

export interface ChartSeries {
  name: string;
  values: readonly (number | null)[];
  /** Drawn as a dashed line: what the others are compared with. */
  isReference?: boolean;
}

interface LineChartProps {
  /** What the chart shows, in a sentence: its name for screen readers. */
  label: string;
  xTitle: string;
  x: readonly number[];
  series: readonly ChartSeries[];
  formatX: (value: number) => string;
  formatY: (value: number) => string;
  /** How the axes show values. Default to `formatX` and `formatY`. */
  formatTickX?: (value: number) => string;
  formatTickY?: (value: number) => string;
}

const COLORS = {
  light: { lines: ["#17653f", "#2563b0", "#a05a00", "#8a3ffc"], text: "#565d64", grid: "#e6e9e7" },
  dark: { lines: ["#7bc39a", "#8ab8f0", "#e0a85c", "#c3a6ff"], text: "#a9b0b6", grid: "#2e3432" },
};

const HEIGHT = 220;

/** The height of a chart with its legend and the closed table below it, in pixels. */
export const CHART_PLACE = 310;

/** The legend has the latest figures while the pointer is elsewhere. */
function showLatest(chart: UPlot): void {
  if (chart.cursor.idx == null) chart.setLegend({ idx: chart.data[0].length - 1 });
}

/** Lines over a common axis, and the same figures as a table. */
export function LineChart({
  label,
  xTitle,
  x,
  series,
  formatX,
  formatY,
  formatTickX = formatX,
  formatTickY = formatY,
}: LineChartProps) {
  const texts = useTexts(partsTexts);
  const scheme = useComputedColorScheme("light");
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const { lines, text, grid } = COLORS[scheme];
    const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
    const chart = new UPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        scales: {
          x: { time: false },
          y: { range: (_chart, low, high) => [Math.min(0, low), high > 0 ? high * 1.1 : 1] },
        },
        axes: [
          { ...axis, space: 60, values: (_chart, values) => values.map(formatTickX) },
          { ...axis, size: 72, values: (_chart, values) => values.map(formatTickY) },
        ],
        hooks: { ready: [showLatest], setCursor: [showLatest] },
        series: [
          { label: xTitle, value: (_chart, value: number | null) => (value === null ? "–" : formatX(value)) },
          ...series.map(({ name, isReference }, index) => ({
            label: name,
            width: 2,
            stroke: lines[index % lines.length] ?? text,
            ...(isReference ? { dash: [6, 4] } : {}),
            value: (_chart: UPlot, value: number | null) => (value === null ? "–" : formatY(value)),
          })),
        ],
      },
      [[...x], ...series.map(({ values }) => [...values])],
      element,
    );
    const resizing = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    resizing.observe(element);
    return () => {
      resizing.disconnect();
      chart.destroy();
    };
  }, [scheme, x, series, xTitle, formatX, formatY, formatTickX, formatTickY]);

  return (
    <figure style={{ margin: 0 }}>
      <div className="chart" ref={place} role="img" aria-label={label} />
      <details className="chart-table">
        <summary>{texts.asTable}</summary>
        <div className="table-scroll" role="group" aria-label={label} tabIndex={0}>
          <Table aria-label={label}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{xTitle}</Table.Th>
                {series.map(({ name }) => (
                  <Table.Th key={name} scope="col" className="number">
                    {name}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {x.map((value, index) => (
                <Table.Tr key={value}>
                  <Table.Th scope="row">{formatX(value)}</Table.Th>
                  {series.map(({ name, values }) => {
                    const figure = values[index];
                    return (
                      <Table.Td key={name} className="number">
                        {figure == null ? "–" : formatY(figure)}
                      </Table.Td>
                    );
                  })}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      </details>
    </figure>
  );
}
