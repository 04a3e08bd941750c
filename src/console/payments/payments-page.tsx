import { useQuery } from "urql";
import type { PaymentState } from "../generated/operations.ts";
import { billingWords, PAYMENT_TONES } from "../billing/words.texts.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { ListPage, useListRequest } from "../parts/list-page.tsx";
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
  const { slice, state, keyword } = useListRequest(STATES);
  const [result, retry] = useQuery({ query: PAYMENTS, variables: { ...slice, filter: { state, errorCode: keyword } } });
  return (
    <ListPage
      title={texts.title}
      search={{ label: texts.code, hint: texts.searchHint }}
      states={STATES}
      stateLabel={texts.status}
      stateNames={words.payments}
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
        { title: texts.created, isWideOnly: true, isDate: true, cell: ({ createdAt }) => time(createdAt) },
      ]}
    />
  );
}
