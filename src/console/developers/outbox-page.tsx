import { useQuery } from "urql";
import type { MessageState } from "../generated/operations.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { ListPage, useListRequest } from "../parts/list-page.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { TextLink } from "../parts/text-link.tsx";
import { OUTBOX } from "./developers.query.ts";
import { developersTexts, MESSAGE_TONES } from "./developers.texts.ts";

const STATES: readonly MessageState[] = ["QUEUED", "SENDING", "SENT", "FAILED", "CANCELED"];

/** All messages to customers, the newest first. */
export default function OutboxPage() {
  const texts = useTexts(developersTexts);
  const { time, count } = useFormats();
  const { slice, state } = useListRequest(STATES);
  const [result, retry] = useQuery({ query: OUTBOX, variables: { ...slice, filter: { state } } });
  return (
    <ListPage
      title={texts.links.outbox}
      parent={{ path: "/developers", back: texts.back }}
      states={STATES}
      stateLabel={texts.state}
      stateNames={texts.messageStates}
      empty={texts.noMessages}
      result={result}
      connection={result.data?.outbox}
      onRetry={() => retry({ requestPolicy: "network-only" })}
      columns={[
        {
          title: texts.recipient,
          cell: ({ databaseId, recipient }) => (
            <TextLink to={`/developers/outbox/${databaseId}`}>
              {recipient === "" ? texts.noRecipient : recipient}
            </TextLink>
          ),
        },
        { title: texts.subject, cell: ({ subjectLine, text }) => subjectLine ?? text ?? "–" },
        { title: texts.channel, isWideOnly: true, cell: ({ channel }) => texts.channels[channel] },
        {
          title: texts.state,
          cell: ({ state: shown }) => <StateBadge tone={MESSAGE_TONES[shown]}>{texts.messageStates[shown]}</StateBadge>,
        },
        { title: texts.attempts, isNumber: true, isWideOnly: true, cell: ({ attempts }) => count(attempts) },
        { title: texts.error, isWideOnly: true, cell: ({ lastError }) => lastError ?? "–" },
        { title: texts.created, isWideOnly: true, isDate: true, cell: ({ createdAt }) => time(createdAt) },
      ]}
    />
  );
}
