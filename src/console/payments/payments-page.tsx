import { useMemo } from "react";
import { Group } from "@mantine/core";
import { useQuery } from "urql";
import type { PaymentState } from "../generated/operations.ts";
import { billingWords, PAYMENT_TONES } from "../billing/words.texts.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { oneOf, SelectFilter, useFilter } from "../parts/filters.tsx";
import { ListResult } from "../parts/list-result.tsx";
import { Page } from "../parts/page.tsx";
import { useSlice } from "../parts/paging.tsx";
import { SearchFilter } from "../parts/search-filter.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { TextLink } from "../parts/text-link.tsx";
import { PAYMENTS } from "./payments.query.ts";
import { paymentsTexts } from "./payments.texts.ts";

const STATES: readonly PaymentState[] = ["SUCCEEDED", "FAILED", "PENDING", "UNKNOWN"];

/** All payments, the newest first; the search is for a decline code. */
export default function PaymentsPage() {
  const texts = useTexts(paymentsTexts);
  const words = useTexts(billingWords);
  const { money, time } = useFormats();
  const slice = useSlice();
  const [errorCode] = useFilter("search");
  const [enteredState] = useFilter("state");
  const state = oneOf(STATES, enteredState);
  const variables = useMemo(
    () => ({ ...slice, filter: { state, errorCode: errorCode === "" ? undefined : errorCode } }),
    [slice, state, errorCode],
  );
  const [result, retry] = useQuery({ query: PAYMENTS, variables });
  return (
    <Page title={texts.title}>
      <Group align="flex-end" mb="md">
        <SearchFilter label={texts.code} hint={texts.searchHint} />
        <SelectFilter
          name="state"
          label={texts.status}
          all={texts.allStates}
          options={STATES.map((value) => ({ value, label: words.payments[value] }))}
        />
      </Group>
      <ListResult
        label={texts.title}
        empty={texts.empty}
        result={result}
        connection={result.data?.payments}
        onRetry={() => retry({ requestPolicy: "network-only" })}
        columns={[
          {
            title: texts.number,
            cell: ({ databaseId }) => <TextLink to={`/payments/${databaseId}`}>{texts.payment(databaseId)}</TextLink>,
          },
          { title: texts.order, isWideOnly: true, cell: ({ order }) => order.code },
          { title: texts.customer, cell: ({ order }) => order.customerName },
          { title: texts.amount, isNumber: true, cell: ({ amount, currency }) => money(amount, currency) },
          {
            title: texts.status,
            cell: ({ state: shown }) => <StateBadge tone={PAYMENT_TONES[shown]}>{words.payments[shown]}</StateBadge>,
          },
          {
            title: texts.method,
            isWideOnly: true,
            cell: ({ paymentMethod }) => (paymentMethod === null ? "–" : words.methods[paymentMethod]),
          },
          { title: texts.code, isWideOnly: true, cell: (payment) => payment.errorCode ?? "–" },
          { title: texts.created, isWideOnly: true, cell: ({ createdAt }) => time(createdAt) },
        ]}
      />
    </Page>
  );
}
