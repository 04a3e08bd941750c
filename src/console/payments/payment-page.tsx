import { SimpleGrid, Stack } from "@mantine/core";
import { useQuery } from "urql";
import { TimelineSection } from "../billing/timeline-section.tsx";
import { billingWords, PAYMENT_TONES } from "../billing/words.texts.ts";
import type { PaymentMethod } from "../generated/operations.ts";
import { useFormats } from "../language/formats.ts";
import { useApiLanguage, useTexts } from "../language/language.tsx";
import { Facts } from "../parts/facts.tsx";
import { RecordPage } from "../parts/record-page.tsx";
import { Section } from "../parts/section.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { TableSection } from "../parts/table-section.tsx";
import { TextLink } from "../parts/text-link.tsx";
import { Permitted } from "../session/permitted.tsx";
import { PaymentActions } from "./payment-actions.tsx";
import { PAYMENT_DETAIL } from "./payments.query.ts";
import { paymentsTexts } from "./payments.texts.ts";

/** Methods that debit an account, whose masked number is no card's. */
const DIRECT_DEBITS: readonly (PaymentMethod | null)[] = ["CMS", "CMS_BILL"];

/** One payment: its outcome, refunds, and the timeline of its order. */
export default function PaymentPage({ id }: { id: string }) {
  const texts = useTexts(paymentsTexts);
  const words = useTexts(billingWords);
  const { money, time } = useFormats();
  const [result, retry] = useQuery({ query: PAYMENT_DETAIL, variables: { id, language: useApiLanguage() } });
  const found = result.data?.payment;
  const timeOf = (instant: string | null) => instant !== null && time(instant);
  return (
    <RecordPage
      title={found ? texts.payment(found.databaseId) : undefined}
      list={{ path: "/payments", name: texts.title, back: texts.back }}
      result={result}
      record={found}
      onRetry={() => retry({ requestPolicy: "network-only" })}
    >
      {({ order, currency, refunds, ...shown }) => (
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Stack gap="lg">
            <Permitted area="MONEY">
              <PaymentActions payment={{ ...shown, order }} />
            </Permitted>
            <Section
              title={texts.details}
              aside={<StateBadge tone={PAYMENT_TONES[shown.state]}>{words.payments[shown.state]}</StateBadge>}
            >
              <Facts
                facts={[
                  [texts.amount, money(shown.amount, currency)],
                  [texts.order, <TextLink to={`/orders/${order.databaseId}`}>{order.code}</TextLink>],
                  [
                    texts.customer,
                    <TextLink to={`/customers/${order.customer.databaseId}`}>{order.customerName}</TextLink>,
                  ],
                  [texts.method, shown.paymentMethod && words.methods[shown.paymentMethod]],
                  [
                    texts.account,
                    shown.vbank && [shown.vbank.bankName, shown.vbank.accountNumber].filter(Boolean).join(" "),
                  ],
                  [texts.deadline, shown.state === "PENDING" && timeOf(shown.vbank?.bankDate ?? null)],
                  [DIRECT_DEBITS.includes(shown.paymentMethod) ? texts.debited : texts.card, shown.cardNumber],
                  [texts.network, shown.network && words.networks[shown.network]],
                  [texts.gateway, words.gateway(shown.paymentGateway)],
                  [texts.initiator, texts.initiators[shown.initiator]],
                  [texts.code, shown.errorCode],
                  [texts.message, shown.errorMessage],
                  [texts.advice, shown.adviceCode],
                  [texts.reference, shown.gatewayReference],
                  [texts.created, time(shown.createdAt)],
                  [texts.paidOn, timeOf(shown.paymentDate)],
                  [texts.settledOn, timeOf(shown.settledAt)],
                ]}
              />
            </Section>
            <TableSection
              title={texts.refunds}
              empty={texts.noRefunds}
              rows={refunds}
              columns={[
                { title: texts.refund, isDate: true, cell: ({ createdAt }) => time(createdAt) },
                { title: texts.amount, isNumber: true, cell: ({ amount }) => money(amount, currency) },
                {
                  title: texts.status,
                  cell: ({ state }) => <StateBadge tone={PAYMENT_TONES[state]}>{words.payments[state]}</StateBadge>,
                },
                { title: texts.reason, isWideOnly: true, cell: ({ reason }) => reason ?? "–" },
              ]}
            />
          </Stack>
          <TimelineSection steps={order.timeline.nodes} />
        </SimpleGrid>
      )}
    </RecordPage>
  );
}
