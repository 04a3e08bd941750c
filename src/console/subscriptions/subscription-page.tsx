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
import { COVER_TONES, recoveryWords } from "../recovery/words.texts.ts";
import { Permitted } from "../session/permitted.tsx";
import { SubscriptionActions } from "./subscription-actions.tsx";
import { SUBSCRIPTION_DETAIL } from "./subscriptions.query.ts";
import { subscriptionsTexts } from "./subscriptions.texts.ts";

/** One subscription: its dates, items, orders, recoveries and timeline. */
export default function SubscriptionPage({ id }: { id: string }) {
  const texts = useTexts(subscriptionsTexts);
  const words = useTexts(billingWords);
  const recovery = useTexts(recoveryWords);
  const { money, time, day, count } = useFormats();
  const [result, retry] = useQuery({ query: SUBSCRIPTION_DETAIL, variables: { id, language: useApiLanguage() } });
  const found = result.data?.subscription;
  const dayOf = (instant: string | null) => instant !== null && day(instant);
  return (
    <RecordPage
      title={found ? texts.subscription(found.customer.name) : undefined}
      list={{ path: "/subscriptions", name: texts.title, back: texts.back }}
      result={result}
      record={found}
      onRetry={() => retry({ requestPolicy: "network-only" })}
    >
      {({ customer, paymentMethod, currency, ...shown }) => (
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Stack gap="lg">
            <Permitted area="SUPPORT">
              <SubscriptionActions subscription={shown} />
            </Permitted>
            <Section
              title={texts.details}
              aside={
                <StateBadge tone={SUBSCRIPTION_TONES[shown.status]}>{words.subscriptions[shown.status]}</StateBadge>
              }
            >
              <Facts
                facts={[
                  [texts.code, shown.code],
                  [texts.customer, <TextLink to={`/customers/${customer.databaseId}`}>{customer.name}</TextLink>],
                  [texts.cycle, words.every(shown.interval, shown.intervalCount)],
                  [
                    texts.nextCycle,
                    shown.nextPeriod && words.every(shown.nextPeriod.interval, shown.nextPeriod.intervalCount),
                  ],
                  [texts.nextPayment, dayOf(shown.nextPaymentDate)],
                  [texts.period, `${day(shown.currentPeriodStart)} – ${day(shown.currentPeriodEnd)}`],
                  [texts.started, day(shown.startDate)],
                  [texts.trialEnd, dayOf(shown.trialEndDate)],
                  [texts.pause, dayOf(shown.pauseAt)],
                  [texts.resume, dayOf(shown.resumeAt)],
                  [texts.cancel, shown.canceledAt === null && dayOf(shown.cancelAt)],
                  [texts.canceled, dayOf(shown.canceledAt)],
                  [texts.end, dayOf(shown.endDate)],
                  [texts.renewals, count(shown.renewalCount)],
                  [texts.refundable, Number(shown.refundableAmount) !== 0 && money(shown.refundableAmount, currency)],
                  [
                    texts.method,
                    paymentMethod
                      ? [words.methods[paymentMethod.paymentMethod], methodDetails(paymentMethod)]
                          .filter(Boolean)
                          .join(", ")
                      : texts.noMethod,
                  ],
                ]}
              />
            </Section>
            <TableSection
              title={texts.items}
              empty={texts.noItems}
              rows={shown.items}
              columns={[
                { title: texts.item, cell: ({ productName }) => productName },
                {
                  title: texts.plan,
                  isWideOnly: true,
                  cell: ({ planName, nextPricePlan: next }) =>
                    [planName, next && texts.nextPlan(next.planName || next.code)].filter(Boolean).join(", "),
                },
                { title: texts.quantity, isNumber: true, cell: ({ quantity }) => count(quantity) },
                { title: texts.price, isNumber: true, cell: ({ price }) => money(price, currency) },
              ]}
            />
            <TableSection
              title={texts.orders}
              empty={texts.noOrders}
              rows={shown.orders.nodes}
              columns={[
                {
                  title: texts.order,
                  cell: ({ databaseId, code }) => <TextLink to={`/orders/${databaseId}`}>{code}</TextLink>,
                },
                { title: texts.type, isWideOnly: true, cell: ({ type }) => words.orderTypes[type] },
                { title: texts.amount, isNumber: true, cell: (order) => money(order.amount, order.currency) },
                {
                  title: texts.paidOn,
                  isDate: true,
                  cell: ({ paymentDate }) => (paymentDate === null ? "–" : time(paymentDate)),
                },
              ]}
            />
            <TableSection
              title={texts.covers}
              empty={texts.noCovers}
              rows={shown.covers.nodes}
              columns={[
                {
                  title: texts.failedOn,
                  cell: ({ databaseId, startedAt }) => (
                    <TextLink to={`/recovery/${databaseId}`}>{time(startedAt)}</TextLink>
                  ),
                },
                {
                  title: texts.status,
                  cell: ({ state }) => <StateBadge tone={COVER_TONES[state]}>{recovery.states[state]}</StateBadge>,
                },
                {
                  title: texts.nextRetry,
                  isDate: true,
                  cell: ({ retryDate }) => (retryDate === null ? "–" : time(retryDate)),
                },
              ]}
            />
          </Stack>
          <TimelineSection steps={shown.timeline.nodes} />
        </SimpleGrid>
      )}
    </RecordPage>
  );
}
