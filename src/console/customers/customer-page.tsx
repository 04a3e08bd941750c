import { SimpleGrid, Stack } from "@mantine/core";
import { useQuery } from "urql";
import { TimelineSection } from "../billing/timeline-section.tsx";
import { billingWords, methodDetails, SUBSCRIPTION_TONES } from "../billing/words.texts.ts";
import { useFormats } from "../language/formats.ts";
import { useApiLanguage, useTexts } from "../language/language.tsx";
import { Facts } from "../parts/facts.tsx";
import { RecordPage } from "../parts/record-page.tsx";
import { Section } from "../parts/section.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { TableSection } from "../parts/table-section.tsx";
import { TextLink } from "../parts/text-link.tsx";
import { useVendor } from "../session/vendor.tsx";
import { CustomerActions } from "./customer-actions.tsx";
import { CUSTOMER_DETAIL } from "./customers.query.ts";
import { customersTexts } from "./customers.texts.ts";
import { useRegionName } from "./use-region-name.ts";

/** Orders and subscriptions that the page shows; the lists have the others. */
const SHOWN = 10;

/** One customer: what was ordered, what renews, and what happened. */
export default function CustomerPage({ id }: { id: string }) {
  const texts = useTexts(customersTexts);
  const words = useTexts(billingWords);
  const { money, time, day, count } = useFormats();
  const { currency } = useVendor();
  const regionName = useRegionName();
  const [result, retry] = useQuery({ query: CUSTOMER_DETAIL, variables: { id, language: useApiLanguage() } });
  const found = result.data?.customer;
  const consents = ({ marketingEmail, marketingSms, marketingMessenger }: NonNullable<typeof found>) =>
    [
      marketingEmail && texts.channels.email,
      marketingSms && texts.channels.sms,
      marketingMessenger && texts.channels.messenger,
    ]
      .filter(Boolean)
      .join(", ") || texts.noMarketing;
  return (
    <RecordPage
      title={found ? found.name || found.email : undefined}
      list={{ path: "/customers", name: texts.title, back: texts.back }}
      result={result}
      record={found}
      onRetry={() => retry({ requestPolicy: "network-only" })}
    >
      {(customer) => (
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Stack gap="lg">
            <CustomerActions customer={customer} />
            <Section title={texts.details}>
              <Facts
                facts={[
                  [texts.status, words.customers[customer.status]],
                  [texts.email, customer.email],
                  [texts.phone, customer.phone],
                  [texts.username, customer.username],
                  [texts.region, customer.region && regionName(customer.region)],
                  [texts.marketing, consents(customer)],
                  [texts.code, customer.code],
                  [texts.orders, count(customer.orderCount)],
                  [texts.purchased, money(customer.totalPurchasedPrice, currency)],
                  [texts.created, day(customer.createdAt)],
                  [texts.erased, customer.erasedAt === null ? null : time(customer.erasedAt)],
                ]}
              />
            </Section>
            <TableSection
              title={texts.latestSubscriptions}
              aside={
                customer.latestSubscriptions.length > 0 && (
                  <TextLink to={`/subscriptions?customer=${customer.databaseId}`}>{texts.allSubscriptions}</TextLink>
                )
              }
              empty={texts.noSubscriptions}
              rows={customer.latestSubscriptions.slice(0, SHOWN)}
              columns={[
                {
                  title: texts.subscription,
                  cell: ({ databaseId, code, items }) => (
                    <TextLink to={`/subscriptions/${databaseId}`}>
                      {items.map(({ productName }) => productName).join(", ") || code}
                    </TextLink>
                  ),
                },
                {
                  title: texts.status,
                  cell: ({ status }) => (
                    <StateBadge tone={SUBSCRIPTION_TONES[status]}>{words.subscriptions[status]}</StateBadge>
                  ),
                },
                {
                  title: texts.nextPayment,
                  isDate: true,
                  cell: ({ nextPaymentDate }) => (nextPaymentDate === null ? "–" : day(nextPaymentDate)),
                },
              ]}
            />
            <TableSection
              title={texts.latestOrders}
              aside={
                customer.latestOrders.length > 0 && (
                  <TextLink to={`/orders?customer=${customer.databaseId}`}>{texts.allOrders}</TextLink>
                )
              }
              empty={texts.noOrders}
              rows={customer.latestOrders.slice(0, SHOWN)}
              columns={[
                {
                  title: texts.order,
                  cell: ({ databaseId, code }) => <TextLink to={`/orders/${databaseId}`}>{code}</TextLink>,
                },
                { title: texts.products, isWideOnly: true, cell: ({ productName }) => productName },
                { title: texts.amount, isNumber: true, cell: (order) => money(order.amount, order.currency) },
                { title: texts.ordered, isDate: true, cell: ({ createdAt }) => time(createdAt) },
              ]}
            />
            <TableSection
              title={texts.methods}
              empty={texts.noMethods}
              rows={customer.paymentMethods}
              columns={[
                { title: texts.method, cell: ({ paymentMethod }) => words.methods[paymentMethod] },
                { title: texts.details, cell: (method) => methodDetails(method) || "–" },
                { title: texts.stored, isDate: true, cell: ({ createdAt }) => day(createdAt) },
              ]}
            />
          </Stack>
          <TimelineSection steps={customer.timeline.nodes} />
        </SimpleGrid>
      )}
    </RecordPage>
  );
}
