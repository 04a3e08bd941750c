import { useCallback, useMemo, useState } from "react";
import { NativeSelect, Skeleton } from "@mantine/core";
import type { HomeQuery } from "../generated/operations.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { CHART_PLACE, LineChart } from "../parts/line-chart.tsx";
import { EmptyNotice } from "../parts/notices.tsx";
import { Section } from "../parts/section.tsx";
import { useVendor } from "../session/vendor.tsx";
import { homeTexts } from "./home.texts.ts";

type RevenueDay = HomeQuery["revenueAnalytics"]["byDay"][number];

/** The rows of the last day, one for each currency that has revenue: the vendor's first. */
export function latestRevenue(byDay: readonly RevenueDay[], vendorCurrency: string): RevenueDay[] {
  const lastDay = byDay.at(-1)?.day;
  return byDay
    .filter(({ day, monthlyRecurringRevenue }) => day === lastDay && Number(monthlyRecurringRevenue) !== 0)
    .sort((one, other) => Number(other.currency === vendorCurrency) - Number(one.currency === vendorCurrency));
}

/** Monthly recurring revenue by day, in one currency: amounts of different currencies do not add up. */
export function MrrChart({ byDay }: { byDay: readonly RevenueDay[] | undefined }) {
  const texts = useTexts(homeTexts);
  const { currency: vendorCurrency } = useVendor();
  const [chosen, choose] = useState(vendorCurrency);
  const currencies = byDay && latestRevenue(byDay, vendorCurrency).map(({ currency }) => currency);
  const currency = currencies?.find((one) => one === chosen) ?? currencies?.[0];
  return (
    <Section
      title={texts.mrrCurve}
      aside={
        currencies &&
        currencies.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label={texts.currency}
            value={currency}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
            data={currencies}
          />
        )
      }
    >
      {!byDay ? (
        <Skeleton height={CHART_PLACE} />
      ) : currency === undefined ? (
        <EmptyNotice>{texts.noMrr}</EmptyNotice>
      ) : (
        <CurrencyChart currency={currency} byDay={byDay} />
      )}
    </Section>
  );
}

function CurrencyChart({ currency, byDay }: { currency: string; byDay: readonly RevenueDay[] }) {
  const texts = useTexts(homeTexts);
  const { money, shortMoney, day, shortDay } = useFormats();
  const rows = useMemo(() => byDay.filter((row) => row.currency === currency), [byDay, currency]);
  const x = useMemo(() => rows.map((_row, index) => index), [rows]);
  const series = useMemo(
    // A point of a chart is a number; amounts in texts stay exact.
    () => [{ name: currency, values: rows.map(({ monthlyRecurringRevenue }) => Number(monthlyRecurringRevenue)) }],
    [rows, currency],
  );
  const formatX = useCallback(
    (index: number) => {
      const row = rows[index];
      return row ? day(row.day, "UTC") : "";
    },
    [rows, day],
  );
  const formatY = useCallback((value: number) => money(String(value), currency), [money, currency]);
  const formatTickX = useCallback(
    (index: number) => {
      const row = rows[index];
      return row ? shortDay(row.day, "UTC") : "";
    },
    [rows, shortDay],
  );
  const formatTickY = useCallback((value: number) => shortMoney(value, currency), [shortMoney, currency]);
  const last = rows.at(-1);
  return (
    <LineChart
      label={texts.mrrLabel(currency, last ? money(last.monthlyRecurringRevenue, currency) : "–")}
      xTitle={texts.day}
      x={x}
      series={series}
      formatX={formatX}
      formatY={formatY}
      formatTickX={formatTickX}
      formatTickY={formatTickY}
    />
  );
}
