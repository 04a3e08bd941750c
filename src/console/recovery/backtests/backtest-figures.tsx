import { Alert, Stack, Text } from "@mantine/core";
import type { BacktestFiguresFragment, PolicyFiguresFragment } from "../../generated/operations.ts";
import { useFormats } from "../../language/formats.ts";
import { useTexts } from "../../language/language.tsx";
import { RecordTable } from "../../parts/record-table.tsx";
import { useVendor } from "../../session/vendor.tsx";
import { backtestTexts } from "./backtest.texts.ts";

const decimals = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

/** What a backtest estimated, or why it estimates nothing. */
export function BacktestFigures({ backtest }: { backtest: BacktestFiguresFragment }) {
  const texts = useTexts(backtestTexts);
  const { count, day } = useFormats();
  const { current, proposed, difference, noFigureReason } = backtest;
  const basis = texts.basis(
    count(backtest.cases),
    day(backtest.from),
    day(backtest.until),
    count(Math.round(backtest.effectiveSampleSize)),
  );
  return (
    <Stack gap="sm">
      {noFigureReason !== null && <Alert color="yellow">{texts.refusals[noFigureReason]}</Alert>}
      {current && proposed && difference && (
        <Figures current={current} proposed={proposed} difference={difference} backtest={backtest} />
      )}
      <Text size="sm" c="dimmed">
        {basis} {texts.leftOut(count(backtest.runningCases), count(backtest.unusableCases))}
      </Text>
    </Stack>
  );
}

interface FiguresProps {
  backtest: BacktestFiguresFragment;
  current: PolicyFiguresFragment;
  proposed: PolicyFiguresFragment;
  difference: PolicyFiguresFragment;
}

function Figures({ backtest, current, proposed, difference }: FiguresProps) {
  const texts = useTexts(backtestTexts);
  const { money, percent } = useFormats();
  const { currency } = useVendor();
  const figures = [
    { name: texts.share, of: ({ recoveredShare }: PolicyFiguresFragment) => bounded(recoveredShare, percent) },
    {
      name: texts.amount,
      of: ({ recoveredAmount }: PolicyFiguresFragment) => bounded(recoveredAmount, (value) => money(value, currency)),
    },
    {
      name: texts.attempts,
      of: ({ attemptsPerCase }: PolicyFiguresFragment) => bounded(attemptsPerCase, (value) => decimals.format(value)),
    },
  ];
  function bounded<Value>(figure: { value: Value; low: Value; high: Value }, show: (value: Value) => string) {
    return texts.interval(show(figure.value), show(figure.low), show(figure.high));
  }
  const { recoveredShare } = difference;
  const weights = backtest.differenceByWeights?.recoveredShare;
  const isContradicted = weights && (weights.low > recoveredShare.high || weights.high < recoveredShare.low);
  return (
    <>
      <Text fw={600}>{backtest.isWorse ? texts.worse : recoveredShare.low > 0 ? texts.better : texts.undecided}</Text>
      {isContradicted && <Alert color="yellow">{texts.contradiction}</Alert>}
      <RecordTable
        label={texts.title}
        rows={figures}
        keyOf={({ name }) => name}
        columns={[
          { title: texts.figure, cell: ({ name }) => name },
          { title: texts.current, isNumber: true, cell: ({ of }) => of(current) },
          { title: texts.proposed, isNumber: true, cell: ({ of }) => of(proposed) },
          { title: texts.difference, isNumber: true, cell: ({ of }) => of(difference) },
        ]}
      />
    </>
  );
}
