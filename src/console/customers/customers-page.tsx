import { useQuery } from "urql";
import type { CustomerStatus } from "../generated/operations.ts";
import { billingWords } from "../billing/words.texts.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { ListPage, useListRequest } from "../parts/list-page.tsx";
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
  const { money, day, count, country } = useFormats();
  const { currency } = useVendor();
  const { slice, state, keyword } = useListRequest(STATES);
  const [result, retry] = useQuery({ query: CUSTOMERS, variables: { ...slice, filter: { status: state, keyword } } });
  return (
    <ListPage
      title={texts.title}
      search={{ hint: texts.searchHint }}
      states={STATES}
      stateLabel={texts.status}
      stateNames={words.customers}
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
        { title: texts.country, isWideOnly: true, cell: ({ countryCode }) => country(countryCode) },
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
        { title: texts.created, isWideOnly: true, isDate: true, cell: ({ createdAt }) => day(createdAt) },
      ]}
    />
  );
}
