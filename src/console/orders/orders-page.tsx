import { Group } from "@mantine/core";
import { useQuery } from "urql";
import type { OrderItemStatus, OrdersQuery } from "../generated/operations.ts";
import { billingWords } from "../billing/words.texts.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { useCustomerFilter } from "../parts/customer-filter.tsx";
import { ListPage, useListRequest } from "../parts/list-page.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { TextLink } from "../parts/text-link.tsx";
import { lineStates, SEARCHED_STATES, toneOfLine } from "./line-states.texts.ts";
import { ORDERS } from "./orders.query.ts";
import { ordersTexts } from "./orders.texts.ts";

type Row = OrdersQuery["orders"]["nodes"][number];

/** The different states of an order's product lines, or of the others without those: an order has no state of its own. */
function statesOf({ items }: Row): OrderItemStatus[] {
  const products = items.filter(({ type }) => type === "SKU");
  return [...new Set((products.length > 0 ? products : items).map(({ status }) => status))];
}

/** All orders, the newest first. */
export default function OrdersPage() {
  const texts = useTexts(ordersTexts);
  const words = useTexts(billingWords);
  const states = useTexts(lineStates);
  const { money, time } = useFormats();
  const { slice, state, keyword } = useListRequest(SEARCHED_STATES);
  const customerId = useCustomerFilter();
  const filter = { status: state, keyword, customerId };
  const [result, retry] = useQuery({ query: ORDERS, variables: { ...slice, filter } });
  return (
    <ListPage
      title={texts.title}
      search={{ hint: texts.searchHint }}
      hasCustomerFilter
      states={SEARCHED_STATES}
      stateLabel={texts.state}
      stateNames={states}
      empty={texts.empty}
      result={result}
      connection={result.data?.orders}
      onRetry={() => retry({ requestPolicy: "network-only" })}
      columns={[
        {
          title: texts.code,
          cell: ({ databaseId, code }) => <TextLink to={`/orders/${databaseId}`}>{code}</TextLink>,
        },
        { title: texts.customer, cell: ({ customerName }) => customerName },
        { title: texts.products, isWideOnly: true, cell: ({ productName }) => productName },
        { title: texts.type, isWideOnly: true, cell: ({ type }) => words.orderTypes[type] },
        { title: texts.amount, isNumber: true, cell: ({ amount, currency }) => money(amount, currency) },
        {
          title: texts.status,
          isWideOnly: true,
          cell: (row) => (
            <Group gap={4}>
              {statesOf(row).map((shown) => (
                <StateBadge key={shown} tone={toneOfLine(shown)}>
                  {states[shown]}
                </StateBadge>
              ))}
            </Group>
          ),
        },
        { title: texts.created, isWideOnly: true, isDate: true, cell: ({ createdAt }) => time(createdAt) },
      ]}
    />
  );
}
