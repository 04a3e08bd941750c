import { useMemo } from "react";
import { Group } from "@mantine/core";
import { useQuery } from "urql";
import type { SubscriptionStatus } from "../generated/operations.ts";
import { billingWords, SUBSCRIPTION_TONES } from "../billing/words.texts.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { oneOf, SelectFilter, useFilter } from "../parts/filters.tsx";
import { ListResult } from "../parts/list-result.tsx";
import { Page } from "../parts/page.tsx";
import { useSlice } from "../parts/paging.tsx";
import { SearchFilter } from "../parts/search-filter.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { TextLink } from "../parts/text-link.tsx";
import { SUBSCRIPTIONS } from "./subscriptions.query.ts";
import { subscriptionsTexts } from "./subscriptions.texts.ts";

const STATES: readonly SubscriptionStatus[] = [
  "ACTIVE",
  "UNPAID",
  "QUEUEING",
  "INCOMPLETE",
  "PENDING_PAUSE",
  "PAUSE",
  "PENDING_CANCEL",
  "CANCELED",
  "EXPIRED",
];

/** All subscriptions, the newest first. */
export default function SubscriptionsPage() {
  const texts = useTexts(subscriptionsTexts);
  const words = useTexts(billingWords);
  const { day } = useFormats();
  const slice = useSlice();
  const [keyword] = useFilter("search");
  const [enteredState] = useFilter("state");
  const status = oneOf(STATES, enteredState);
  const variables = useMemo(
    () => ({ ...slice, filter: { status, keyword: keyword === "" ? undefined : keyword } }),
    [slice, status, keyword],
  );
  const [result, retry] = useQuery({ query: SUBSCRIPTIONS, variables });
  return (
    <Page title={texts.title}>
      <Group align="flex-end" mb="md">
        <SearchFilter hint={texts.searchHint} />
        <SelectFilter
          name="state"
          label={texts.status}
          all={texts.allStates}
          options={STATES.map((value) => ({ value, label: words.subscriptions[value] }))}
        />
      </Group>
      <ListResult
        label={texts.title}
        empty={texts.empty}
        result={result}
        connection={result.data?.subscriptions}
        onRetry={() => retry({ requestPolicy: "network-only" })}
        columns={[
          {
            title: texts.code,
            cell: ({ databaseId, code }) => <TextLink to={`/subscriptions/${databaseId}`}>{code}</TextLink>,
          },
          { title: texts.customer, cell: ({ customer }) => customer.name },
          {
            title: texts.products,
            isWideOnly: true,
            cell: ({ items }) => items.map(({ productName }) => productName).join(", "),
          },
          {
            title: texts.status,
            cell: ({ status: shown }) => (
              <StateBadge tone={SUBSCRIPTION_TONES[shown]}>{words.subscriptions[shown]}</StateBadge>
            ),
          },
          {
            title: texts.cycle,
            isWideOnly: true,
            cell: ({ interval, intervalCount }) => words.every(interval, intervalCount),
          },
          {
            title: texts.nextPayment,
            isWideOnly: true,
            cell: ({ nextPaymentDate }) => (nextPaymentDate === null ? "–" : day(nextPaymentDate)),
          },
          { title: texts.started, isWideOnly: true, cell: ({ startDate }) => day(startDate) },
        ]}
      />
    </Page>
  );
}
