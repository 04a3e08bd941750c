import { useMemo } from "react";
import { NativeSelect, SimpleGrid, Stack } from "@mantine/core";
import { useQuery } from "urql";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { FigureCard } from "../parts/figure-card.tsx";
import { useFilter } from "../parts/filters.tsx";
import { ErrorNotice } from "../parts/notices.tsx";
import { Page } from "../parts/page.tsx";
import { TextLink } from "../parts/text-link.tsx";
import { daysAfter, dueFilter, RETRY_DAYS } from "../recovery/cover-filters.ts";
import { useVendor } from "../session/vendor.tsx";
import { FailureReasons } from "./failure-reasons.tsx";
import { HOME } from "./home.query.ts";
import { homeTexts } from "./home.texts.ts";
import { latestRevenue, MrrChart } from "./mrr-chart.tsx";
import { RecoveryCurve } from "./recovery-curve.tsx";
import { UpcomingRetries } from "./upcoming-retries.tsx";

const PERIODS = [30, 90, 365];
const DEFAULT_PERIOD = 90;

export default function HomePage() {
  const texts = useTexts(homeTexts);
  const formats = useFormats();
  const { now, currency } = useVendor();
  const [entered, changePeriod] = useFilter("days");
  const days = PERIODS.find((one) => String(one) === entered) ?? DEFAULT_PERIOD;
  const variables = useMemo(() => {
    return { period: { from: daysAfter(now, -days) }, due: dueFilter(now, RETRY_DAYS.day) };
  }, [now, days]);
  const [{ data, error }, retry] = useQuery({ query: HOME, variables });
  const total = data?.recoveryAnalytics.total;
  const mrr =
    data &&
    latestRevenue(data.revenueAnalytics.byDay, currency).map((row) =>
      formats.money(row.monthlyRecurringRevenue, row.currency),
    );

  return (
    <Page
      title={texts.title}
      aside={
        <NativeSelect
          aria-label={texts.period}
          value={String(days)}
          onChange={({ currentTarget }) => changePeriod(currentTarget.value)}
          data={PERIODS.map((count) => ({ value: String(count), label: texts.days(count) }))}
        />
      }
    >
      <Stack gap="lg">
        {error && <ErrorNotice error={error} onRetry={() => retry({ requestPolicy: "network-only" })} />}
        <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: "xs", sm: "md" }}>
          <FigureCard
            title={texts.recovered}
            value={total && formats.money(total.recoveredAmount, currency)}
            note={
              total &&
              texts.recoveredNote(
                formats.count(total.recovered),
                formats.count(total.cases),
                formats.percent(total.recoveryRate),
              )
            }
          />
          <FigureCard
            title={texts.atRisk}
            value={total && formats.money(total.openAmount, currency)}
            note={total && texts.atRiskNote(formats.count(total.open))}
          />
          <FigureCard
            title={texts.mrr}
            value={mrr && (mrr[0] ?? "–")}
            note={
              mrr && (mrr.length > 1 ? texts.mrrOthers(mrr.slice(1).join(", ")) : mrr[0] ? texts.mrrNote : texts.noMrr)
            }
          />
          <FigureCard
            title={texts.due}
            value={data && formats.count(data.due.totalCount)}
            note={<TextLink to="/recovery?state=IN_PROGRESS&retry=day&order=retry">{texts.dueNote}</TextLink>}
          />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <RecoveryCurve analytics={data?.recoveryAnalytics} from={variables.period.from} />
          <MrrChart byDay={data?.revenueAnalytics.byDay} />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <UpcomingRetries covers={data?.upcoming.nodes} />
          <FailureReasons rows={data?.recoveryAnalytics.byReason} />
        </SimpleGrid>
      </Stack>
    </Page>
  );
}
