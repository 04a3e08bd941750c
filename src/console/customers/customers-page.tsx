import { useMemo } from "react";
import { Group } from "@mantine/core";
import { useQuery } from "urql";
import type { CustomerStatus } from "../generated/operations.ts";
import { billingWords } from "../billing/words.texts.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { oneOf, SelectFilter, useFilter } from "../parts/filters.tsx";
import { ListResult } from "../parts/list-result.tsx";
import { Page } from "../parts/page.tsx";
import { useSlice } from "../parts/paging.tsx";
import { SearchFilter } from "../parts/search-filter.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { TextLink } from "../parts/text-link.tsx";
import { useVendor } from "../session/vendor.tsx";
import { CUSTOMERS } from "./customers.query.ts";
import { customersTexts } from "./customers.texts.ts";

const STATES: readonly CustomerStatus[] = ["NORMAL", "DORMANT"];

/** All customers, the newest first. */
export default function CustomersPage() {
  const texts = useTexts(customersTexts);
  const words = useTexts(billingWords);
  const { money, day, count } = useFormats();
  const { currency } = useVendor();
  const slice = useSlice();
  const [keyword] = useFilter("search");
  const [enteredState] = useFilter("state");
  const status = oneOf(STATES, enteredState);
  const variables = useMemo(
    () => ({ ...slice, filter: { status, keyword: keyword === "" ? undefined : keyword } }),
    [slice, status, keyword],
  );
  const [result, retry] = useQuery({ query: CUSTOMERS, variables });
  return (
    <Page title={texts.title}>
      <Group align="flex-end" mb="md">
        <SearchFilter hint={texts.searchHint} />
        <SelectFilter
          name="state"
          label={texts.status}
          all={texts.allStates}
          options={STATES.map((value) => ({ value, label: words.customers[value] }))}
        />
      </Group>
      <ListResult
        label={texts.title}
        empty={texts.empty}
        result={result}
        connection={result.data?.customers}
        onRetry={() => retry({ requestPolicy: "network-only" })}
        columns={[
          {
            title: texts.name,
            cell: ({ databaseId, name, email }) => (
              <TextLink to={`/customers/${databaseId}`}>{name === "" ? email : name}</TextLink>
            ),
          },
          { title: texts.email, isWideOnly: true, cell: ({ email }) => email },
          { title: texts.country, isWideOnly: true, cell: ({ countryCode }) => countryCode },
          {
            title: texts.status,
            isWideOnly: true,
            cell: ({ status: shown }) => (
              <StateBadge tone={shown === "NORMAL" ? "good" : "neutral"}>{words.customers[shown]}</StateBadge>
            ),
          },
          { title: texts.orders, isNumber: true, cell: ({ orderCount }) => count(orderCount) },
          {
            title: texts.subscriptions,
            isNumber: true,
            isWideOnly: true,
            cell: ({ activeSubscriptionCount }) => count(activeSubscriptionCount),
          },
          {
            title: texts.purchased,
            isNumber: true,
            cell: ({ totalPurchasedPrice }) => money(totalPurchasedPrice, currency),
          },
          { title: texts.created, isWideOnly: true, cell: ({ createdAt }) => day(createdAt) },
        ]}
      />
    </Page>
  );
}
