import { useMemo } from "react";
import { Skeleton, Text } from "@mantine/core";
import type { HomeQuery } from "../generated/operations.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { LineChart, type ChartSeries } from "../parts/line-chart.tsx";
import { EmptyNotice } from "../parts/notices.tsx";
import { Section } from "../parts/section.tsx";
import { useVendor } from "../session/vendor.tsx";
import { homeTexts } from "./home.texts.ts";

type Analytics = HomeQuery["recoveryAnalytics"];

/** The holdout's recovery rate, if an experiment of the period has one. */
function holdoutOf({ policyEffect: { experiment } }: Analytics) {
  const rate = experiment?.arms.find(({ number }) => number === 0)?.comparedResults.recoveryRate;
  return experiment && rate != null ? { rate, days: experiment.comparedAfterDays } : undefined;
}

/** The share of payments that were recovered, day by day since their failure. */
export function RecoveryCurve({ analytics }: { analytics: Analytics | undefined }) {
  const texts = useTexts(homeTexts);
  return (
    <Section title={texts.curve}>
      {analytics === undefined ? (
        <Skeleton height={350} />
      ) : analytics.curve.length === 0 ? (
        <EmptyNotice>{texts.curveEmpty}</EmptyNotice>
      ) : (
        <Curve analytics={analytics} />
      )}
    </Section>
  );
}

function Curve({ analytics }: { analytics: Analytics }) {
  const texts = useTexts(homeTexts);
  const { money, percent } = useFormats();
  const { currency } = useVendor();
  const { curve, policyEffect } = analytics;
  const x = useMemo(() => curve.map(({ day }) => day), [curve]);
  const series = useMemo(() => {
    const holdout = holdoutOf(analytics);
    const all: ChartSeries = { name: texts.allCovers, values: analytics.curve.map(({ recoveryRate }) => recoveryRate) };
    if (!holdout) return [all];
    return [
      all,
      { name: texts.holdout(holdout.days), values: analytics.curve.map(() => holdout.rate), isReference: true },
    ];
  }, [analytics, texts]);
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
    </>
  );
}
