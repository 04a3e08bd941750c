import { useQuery } from "urql";
import type { InvoiceStatus } from "../generated/operations.ts";
import { billingWords, INVOICE_TONES } from "../billing/words.texts.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { ListPage, useListRequest } from "../parts/list-page.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { TextLink } from "../parts/text-link.tsx";
import { INVOICES } from "./invoices.query.ts";
import { invoicesTexts } from "./invoices.texts.ts";

const STATES: readonly InvoiceStatus[] = ["TEMPORARY", "RESERVATION", "SENT", "SEND_FAIL", "PAID", "OVER_DUE"];

/** All invoices, the newest first. */
export default function InvoicesPage() {
  const texts = useTexts(invoicesTexts);
  const words = useTexts(billingWords);
  const { money, time, day } = useFormats();
  const { slice, state } = useListRequest(STATES);
  const [result, retry] = useQuery({ query: INVOICES, variables: { ...slice, filter: { status: state } } });
  return (
    <ListPage
      title={texts.title}
      states={STATES}
      stateLabel={texts.status}
      stateNames={words.invoices}
      empty={texts.empty}
      result={result}
      connection={result.data?.invoices}
      onRetry={() => retry({ requestPolicy: "network-only" })}
      columns={[
        {
          title: texts.number,
          cell: ({ databaseId }) => <TextLink to={`/invoices/${databaseId}`}>{texts.invoice(databaseId)}</TextLink>,
        },
        { title: texts.customer, cell: ({ customer }) => customer.name },
        {
          title: texts.amount,
          isNumber: true,
          cell: ({ order }) => (order ? money(order.amount, order.currency) : "–"),
        },
        {
          title: texts.status,
          cell: ({ status: shown }) => <StateBadge tone={INVOICE_TONES[shown]}>{words.invoices[shown]}</StateBadge>,
        },
        {
          title: texts.sent,
          isWideOnly: true,
          isDate: true,
          cell: ({ sentAt }) => (sentAt === null ? "–" : time(sentAt)),
        },
        {
          title: texts.deadline,
          isWideOnly: true,
          isDate: true,
          cell: ({ purchaseDeadline }) => (purchaseDeadline === null ? "–" : day(purchaseDeadline)),
        },
        { title: texts.created, isWideOnly: true, isDate: true, cell: ({ createdAt }) => time(createdAt) },
      ]}
    />
  );
}
