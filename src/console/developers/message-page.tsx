import { Text } from "@mantine/core";
import { useQuery } from "urql";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { Facts } from "../parts/facts.tsx";
import { RecordPage } from "../parts/record-page.tsx";
import { Section } from "../parts/section.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { TextLink } from "../parts/text-link.tsx";
import { OUTBOX_MESSAGE } from "./developers.query.ts";
import { developersTexts, MESSAGE_TONES } from "./developers.texts.ts";

/** One message of the outbox with its text. */
export default function MessagePage({ id }: { id: string }) {
  const texts = useTexts(developersTexts);
  const { time, count } = useFormats();
  const [result, retry] = useQuery({ query: OUTBOX_MESSAGE, variables: { id } });
  const message = result.data?.message;
  const timeOf = (instant: string | null) => instant !== null && time(instant);
  return (
    <RecordPage
      title={message ? texts.messageTo(message.recipient === "" ? texts.noRecipient : message.recipient) : undefined}
      list={{ path: "/developers/outbox", name: texts.message, back: texts.backToOutbox }}
      result={result}
      record={message}
      onRetry={() => retry({ requestPolicy: "network-only" })}
    >
      {({ customer, order, invoice, ...shown }) => (
        <>
          <Section
            title={texts.details}
            aside={<StateBadge tone={MESSAGE_TONES[shown.state]}>{texts.messageStates[shown.state]}</StateBadge>}
          >
            <Facts
              facts={[
                [texts.subject, shown.subjectLine],
                [texts.channel, texts.channels[shown.channel]],
                [
                  texts.customer,
                  customer && <TextLink to={`/customers/${customer.databaseId}`}>{customer.name}</TextLink>,
                ],
                [texts.order, order && <TextLink to={`/orders/${order.databaseId}`}>{order.code}</TextLink>],
                [
                  texts.invoice,
                  invoice && <TextLink to={`/invoices/${invoice.databaseId}`}>{invoice.databaseId}</TextLink>,
                ],
                [texts.attachments, shown.attachmentNames.join(", ")],
                [texts.created, time(shown.createdAt)],
                [texts.due, shown.endedAt === null && time(shown.dueAt)],
                [texts.nextAttempt, timeOf(shown.nextAttemptAt)],
                [texts.ended, timeOf(shown.endedAt)],
                [texts.attempts, count(shown.attempts)],
                [texts.error, shown.lastError],
              ]}
            />
          </Section>
          <Section title={texts.text}>
            {shown.text === null ? (
              <Text c="dimmed">{texts.noText}</Text>
            ) : (
              <Text component="p" m={0} className="message-text">
                {shown.text}
              </Text>
            )}
          </Section>
        </>
      )}
    </RecordPage>
  );
}
