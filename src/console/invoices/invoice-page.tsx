import { SimpleGrid, Stack } from "@mantine/core";
import { useQuery } from "urql";
import { TimelineSection } from "../billing/timeline-section.tsx";
import { billingWords, INVOICE_TONES } from "../billing/words.texts.ts";
import { useFormats } from "../language/formats.ts";
import { useApiLanguage, useTexts } from "../language/language.tsx";
import { Facts } from "../parts/facts.tsx";
import { RecordPage } from "../parts/record-page.tsx";
import { Section } from "../parts/section.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { TableSection } from "../parts/table-section.tsx";
import { TextLink } from "../parts/text-link.tsx";
import { Permitted } from "../session/permitted.tsx";
import { InvoiceActions } from "./invoice-actions.tsx";
import { INVOICE_DETAIL } from "./invoices.query.ts";
import { invoicesTexts } from "./invoices.texts.ts";

/** One invoice: its items, and the timeline of its order. */
export default function InvoicePage({ id }: { id: string }) {
  const texts = useTexts(invoicesTexts);
  const words = useTexts(billingWords);
  const { money, time } = useFormats();
  const [result, retry] = useQuery({ query: INVOICE_DETAIL, variables: { id, language: useApiLanguage() } });
  const found = result.data?.invoice;
  const timeOf = (instant: string | null) => instant !== null && time(instant);
  return (
    <RecordPage
      title={found ? texts.invoice(found.databaseId) : undefined}
      list={{ path: "/invoices", name: texts.title, back: texts.back }}
      result={result}
      record={found}
      onRetry={() => retry({ requestPolicy: "network-only" })}
    >
      {({ customer, order, currency, items, ...shown }) => (
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Stack gap="lg">
            <Permitted area="MONEY">
              <InvoiceActions invoice={{ ...shown, currency, items, customer }} />
            </Permitted>
            <Section
              title={texts.details}
              aside={<StateBadge tone={INVOICE_TONES[shown.status]}>{words.invoices[shown.status]}</StateBadge>}
            >
              <Facts
                facts={[
                  [texts.customer, <TextLink to={`/customers/${customer.databaseId}`}>{customer.name}</TextLink>],
                  [texts.order, order && <TextLink to={`/orders/${order.databaseId}`}>{order.code}</TextLink>],
                  [texts.amount, order && money(order.amount, order.currency)],
                  [texts.paid, order && Number(order.paidAmount) !== 0 && money(order.paidAmount, order.currency)],
                  [texts.discount, shown.discount !== null && money(shown.discount, currency)],
                  [texts.created, time(shown.createdAt)],
                  [texts.scheduled, shown.sentAt === null && timeOf(shown.reservationAt)],
                  [texts.sent, timeOf(shown.sentAt)],
                  [texts.deadline, timeOf(shown.purchaseDeadline)],
                  [texts.memo, shown.memoToCustomer],
                ]}
              />
            </Section>
            <TableSection
              title={texts.items}
              empty={texts.noItems}
              rows={items.map((item, index) => ({ ...item, id: String(index) }))}
              columns={[
                { title: texts.item, cell: ({ product }) => product.name },
                { title: texts.plan, isWideOnly: true, cell: ({ pricePlan }) => pricePlan.planName },
                {
                  title: texts.quantity,
                  isNumber: true,
                  cell: ({ minimumQuantity, maximumQuantity }) =>
                    maximumQuantity === null || maximumQuantity === minimumQuantity
                      ? minimumQuantity
                      : `${minimumQuantity}–${maximumQuantity}`,
                },
                {
                  title: texts.price,
                  isNumber: true,
                  cell: ({ price, pricePlan }) => money(price ?? pricePlan.price, currency),
                },
              ]}
            />
          </Stack>
          {order && <TimelineSection steps={order.timeline.nodes} />}
        </SimpleGrid>
      )}
    </RecordPage>
  );
}
