import { useMemo } from "react";
import { Button, Group, Skeleton, Text } from "@mantine/core";
import { useAction } from "../actions/use-action.ts";
import type { BacktestFiguresFragment, HomeQuery } from "../generated/operations.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { CHART_PLACE, LineChart, type ChartSeries } from "../parts/line-chart.tsx";
import { EmptyNotice, ProblemNotice } from "../parts/notices.tsx";
import { Section } from "../parts/section.tsx";
import { TextLink } from "../parts/text-link.tsx";
import { BACKTEST_POLICY } from "../recovery/backtests/backtest.query.ts";
import { backtestTexts } from "../recovery/backtests/backtest.texts.ts";
import { useVendor } from "../session/vendor.tsx";
import { Permitted } from "../session/permitted.tsx";
import { homeTexts } from "./home.texts.ts";

type Analytics = HomeQuery["recoveryAnalytics"];

/** What a merchant without Recoup would do: as many retries as a new SMART policy makes, without choosing their times. */
const EVEN_PLAN = { kind: "EVEN", maxRetries: 8, windowInDays: 28 } as const;

/** The holdout's recovery rate, if an experiment of the period has one. */
function holdoutOf({ policyEffect: { experiment } }: Analytics) {
  const rate = experiment?.arms.find(({ number }) => number === 0)?.comparedResults.recoveryRate;
  return experiment && rate != null ? { rate, days: experiment.comparedAfterDays } : undefined;
}

interface RecoveryCurveProps {
  analytics: Analytics | undefined;
  /** Start of the period. */
  from: string;
}

/** The share of payments that were recovered, day by day since their failure, and what it is compared with. */
export function RecoveryCurve({ analytics, from }: RecoveryCurveProps) {
  const texts = useTexts(homeTexts);
  return (
    <Section title={texts.curve} className="recovery-curve">
      {analytics === undefined ? (
        <Skeleton height={CHART_PLACE} />
      ) : analytics.curve.length === 0 ? (
        <EmptyNotice>{texts.curveEmpty}</EmptyNotice>
      ) : (
        <Curve analytics={analytics} from={from} key={from} />
      )}
    </Section>
  );
}

function Curve({ analytics, from }: { analytics: Analytics; from: string }) {
  const texts = useTexts(homeTexts);
  const { money, percent } = useFormats();
  const { currency } = useVendor();
  const { curve, policyEffect } = analytics;
  const { isRunning, problem, data, run } = useAction(BACKTEST_POLICY);
  const backtest = data?.backtestRecoveryPolicy;
  const evenShare = backtest?.proposed?.recoveredShare;
  const reference = useMemo(() => {
    const holdout = holdoutOf(analytics);
    if (holdout) return { name: texts.holdout(holdout.days), rate: holdout.rate };
    return evenShare && { name: texts.even, rate: evenShare.value };
  }, [analytics, evenShare, texts]);
  const x = useMemo(() => curve.map(({ day }) => day), [curve]);
  const series = useMemo((): ChartSeries[] => {
    const all = { name: texts.allCovers, values: curve.map(({ recoveryRate }) => recoveryRate) };
    if (!reference) return [all];
    return [all, { name: reference.name, values: curve.map(() => reference.rate), isReference: true }];
  }, [curve, reference, texts]);
  const last = curve.at(-1);
  const { recoveredAmount: effect, reason } = policyEffect;
  return (
    <>
      <LineChart
        label={texts.curveLabel(percent(last?.recoveryRate ?? null), last?.day ?? 0)}
        xTitle={texts.curveDay}
        x={x}
        series={series}
        formatX={String}
        formatY={percent}
      />
      <Text size="sm" c="dimmed">
        {effect
          ? texts.effect(money(effect.value, currency), money(effect.lower, currency), money(effect.upper, currency))
          : reason && texts.noEffect[reason]}
      </Text>
      {reason === "NO_EXPERIMENT" && (
        <Group mt="xs">
          <Permitted area="RECOVERY">
            <Button
              variant="default"
              size="compact-sm"
              loading={isRunning}
              onClick={() => void run({ input: { terms: { plan: EVEN_PLAN }, from } })}
            >
              {texts.compareEven}
            </Button>
          </Permitted>
          <TextLink to="/recovery/experiments">{texts.startExperiment}</TextLink>
          <div role="status">{backtest && <EvenEstimate backtest={backtest} />}</div>
        </Group>
      )}
      <ProblemNotice problem={problem} />
    </>
  );
}

function EvenEstimate({ backtest: { proposed, noFigureReason } }: { backtest: BacktestFiguresFragment }) {
  const texts = useTexts(homeTexts);
  const { refusals } = useTexts(backtestTexts);
  const { percent } = useFormats();
  if (noFigureReason !== null) return <Text size="sm">{refusals[noFigureReason]}</Text>;
  if (!proposed) return null;
  const { value, low, high } = proposed.recoveredShare;
  const { maxRetries, windowInDays } = EVEN_PLAN;
  return (
    <Text size="sm">{texts.evenEstimate(maxRetries, windowInDays, percent(value), percent(low), percent(high))}</Text>
  );
}
