import { Group, NativeSelect } from "@mantine/core";
import { useQuery } from "urql";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { SelectFilter, useFilter } from "../parts/filters.tsx";
import { ListResult } from "../parts/list-result.tsx";
import { Page } from "../parts/page.tsx";
import { useSlice } from "../parts/paging.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { TextLink } from "../parts/text-link.tsx";
import { END_REASONS, RETRY_PERIODS, STARTED_DAYS, STATES, useCoverFilter } from "./cover-filters.ts";
import { COVERS } from "./recovery.query.ts";
import { recoveryTexts } from "./recovery.texts.ts";
import { RetryCell } from "./retry-cell.tsx";
import { COVER_TONES, recoveryWords } from "./words.texts.ts";

/** All covers, filtered and in an order. */
export default function RecoveryPage() {
  const texts = useTexts(recoveryTexts);
  const words = useTexts(recoveryWords);
  const { money, time } = useFormats();
  const slice = useSlice();
  const [order, changeOrder] = useFilter("order");
  const isByRetry = order === "retry";
  const filter = useCoverFilter();
  const variables = {
    ...slice,
    filter,
    orderBy: isByRetry
      ? ({ field: "RETRY_DATE", direction: "ASC" } as const)
      : ({ field: "STARTED_AT", direction: "DESC" } as const),
  };
  const [result, retry] = useQuery({ query: COVERS, variables });
  return (
    <Page
      title={texts.title}
      aside={
        <Group gap="md">
          <TextLink to="/recovery/policies">{texts.policies}</TextLink>
          <TextLink to="/recovery/experiments">{texts.experiments}</TextLink>
          <TextLink to="/recovery/model">{texts.model}</TextLink>
          <TextLink to="/recovery/unmapped">{texts.unmapped}</TextLink>
        </Group>
      }
    >
      <Group className="filters" align="flex-end" mb="md">
        <SelectFilter
          name="state"
          label={texts.state}
          all={texts.allStates}
          options={STATES.map((value) => ({ value, label: words.states[value] }))}
        />
        <SelectFilter
          name="end"
          label={texts.end}
          all={texts.allEnds}
          options={END_REASONS.map((value) => ({ value, label: words.endReasons[value] }))}
        />
        <SelectFilter
          name="started"
          label={texts.started}
          all={texts.anyTime}
          options={STARTED_DAYS.map((value) => ({ value, label: texts.lastDays(Number(value)) }))}
        />
        <SelectFilter
          name="retry"
          label={texts.next}
          all={texts.anyDate}
          options={RETRY_PERIODS.map((value) => ({ value, label: texts.retryPeriods[value] }))}
        />
        <NativeSelect
          label={texts.order}
          value={isByRetry ? "retry" : ""}
          onChange={({ currentTarget }) => changeOrder(currentTarget.value)}
          data={[
            { value: "", label: texts.orders.started },
            { value: "retry", label: texts.orders.retry },
          ]}
        />
      </Group>
      <ListResult
        label={texts.title}
        empty={texts.empty}
        result={result}
        connection={result.data?.covers}
        onRetry={() => retry({ requestPolicy: "network-only" })}
        columns={[
          {
            title: texts.payer,
            cell: ({ databaseId, payerName }) => <TextLink to={`/recovery/${databaseId}`}>{payerName}</TextLink>,
          },
          { title: texts.amount, isNumber: true, cell: ({ amount, currency }) => money(amount, currency) },
          {
            // The last column says it too.
            title: texts.state,
            isWideOnly: true,
            cell: ({ state: shown }) => <StateBadge tone={COVER_TONES[shown]}>{words.states[shown]}</StateBadge>,
          },
          {
            title: texts.reason,
            isWideOnly: true,
            cell: ({ decision }) => (decision?.reasonClass ? words.reasons[decision.reasonClass] : "–"),
          },
          { title: texts.started, isWideOnly: true, isDate: true, cell: ({ startedAt }) => time(startedAt) },
          {
            title: texts.next,
            cell: (cover) => <RetryCell cover={cover} />,
          },
        ]}
      />
    </Page>
  );
}
