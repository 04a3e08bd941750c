import { useQuery } from "urql";
import type { SubscriptionStatus } from "../generated/operations.ts";
import { billingWords, SUBSCRIPTION_TONES } from "../billing/words.texts.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { useCustomerFilter } from "../parts/customer-filter.tsx";
import { ListPage, useListRequest } from "../parts/list-page.tsx";
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
  const { slice, state, keyword } = useListRequest(STATES);
  const customerId = useCustomerFilter();
  const filter = { status: state, keyword, customerId };
  const [result, retry] = useQuery({ query: SUBSCRIPTIONS, variables: { ...slice, filter } });
  return (
    <ListPage
      title={texts.title}
      search={{ hint: texts.searchHint }}
      hasCustomerFilter
      states={STATES}
      stateLabel={texts.status}
      stateNames={words.subscriptions}
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
          isDate: true,
          cell: ({ nextPaymentDate }) => (nextPaymentDate === null ? "–" : day(nextPaymentDate)),
        },
        { title: texts.started, isWideOnly: true, isDate: true, cell: ({ startDate }) => day(startDate) },
      ]}
    />
  );
}
