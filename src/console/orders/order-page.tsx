import { SimpleGrid, Stack } from "@mantine/core";
import { useQuery } from "urql";
import { TimelineSection } from "../billing/timeline-section.tsx";
import { billingWords } from "../billing/words.texts.ts";
import { useFormats } from "../language/formats.ts";
import { useApiLanguage, useTexts } from "../language/language.tsx";
import { Facts } from "../parts/facts.tsx";
import { RecordPage } from "../parts/record-page.tsx";
import { RecordTable } from "../parts/record-table.tsx";
import { Section } from "../parts/section.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { TextLink } from "../parts/text-link.tsx";
import { lineStates, toneOfLine } from "./line-states.texts.ts";
import { OrderActions } from "./order-actions.tsx";
import { ORDER_DETAIL } from "./orders.query.ts";
import { ordersTexts } from "./orders.texts.ts";

/** One order: its amounts, lines and timeline. */
export default function OrderPage({ id }: { id: string }) {
  const texts = useTexts(ordersTexts);
  const words = useTexts(billingWords);
  const states = useTexts(lineStates);
  const { money, time, count } = useFormats();
  const [result, retry] = useQuery({ query: ORDER_DETAIL, variables: { id, language: useApiLanguage() } });
  const order = result.data?.order;
  return (
    <RecordPage
      title={order ? texts.order(order.code) : undefined}
      list={{ path: "/orders", name: texts.title, back: texts.back }}
      result={result}
      record={order}
      onRetry={() => retry({ requestPolicy: "network-only" })}
    >
      {({ customer, customerName, parentSubscription, payment, items, timeline, currency, ...shown }) => {
        const timeOf = (instant: string | null) => instant !== null && time(instant);
        const amountOf = (amount: string) => Number(amount) !== 0 && money(amount, currency);
        return (
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <Stack gap="lg">
              <OrderActions order={{ ...shown, payment, items, currency }} />
              <Section title={texts.details}>
                <Facts
                  facts={[
                    [texts.customer, <TextLink to={`/customers/${customer.databaseId}`}>{customerName}</TextLink>],
                    [texts.type, words.orderTypes[shown.type]],
                    [texts.amount, money(shown.amount, currency)],
                    [texts.paid, amountOf(shown.paidAmount)],
                    [texts.returned, amountOf(shown.returnedAmount)],
                    [texts.left, Number(shown.returnedAmount) !== 0 && money(shown.leftAmount, currency)],
                    [texts.created, time(shown.createdAt)],
                    [texts.paidOn, timeOf(shown.paymentDate)],
                    [texts.due, shown.paymentDate === null && timeOf(shown.paymentDueDate)],
                    [texts.deadline, shown.paymentDate === null && timeOf(shown.purchaseDeadline)],
                    [texts.method, shown.paymentMethod && words.methods[shown.paymentMethod]],
                    [
                      texts.subscription,
                      parentSubscription && (
                        <TextLink to={`/subscriptions/${parentSubscription.databaseId}`}>
                          {parentSubscription.code}
                        </TextLink>
                      ),
                    ],
                    [
                      texts.payment,
                      payment && (
                        <>
                          <TextLink to={`/payments/${payment.databaseId}`}>
                            {texts.paymentNumber(payment.databaseId)}
                          </TextLink>{" "}
                          ({words.payments[payment.state]})
                        </>
                      ),
                    ],
                  ]}
                />
              </Section>
              <Section title={texts.lines}>
                <RecordTable
                  label={texts.lines}
                  rows={items}
                  keyOf={(line) => line.id}
                  columns={[
                    {
                      title: texts.line,
                      cell: ({ type, orderedProductName, orderedPlanName, discountName }) =>
                        [orderedProductName || discountName || texts.lineTypes[type], orderedPlanName]
                          .filter(Boolean)
                          .join(", "),
                    },
                    { title: texts.quantity, isNumber: true, cell: ({ quantity }) => count(quantity) },
                    { title: texts.amount, isNumber: true, cell: ({ amount }) => money(amount, currency) },
                    {
                      title: texts.status,
                      cell: ({ status }) => <StateBadge tone={toneOfLine(status)}>{states[status]}</StateBadge>,
                    },
                  ]}
                />
              </Section>
            </Stack>
            <TimelineSection steps={timeline.nodes} />
          </SimpleGrid>
        );
      }}
    </RecordPage>
  );
}
