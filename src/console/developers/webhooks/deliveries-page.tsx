import { Code } from "@mantine/core";
import { useQuery } from "urql";
import type { DeliveriesQuery, WebhookDeliveryState } from "../../generated/operations.ts";
import { useFormats } from "../../language/formats.ts";
import { useTexts } from "../../language/language.tsx";
import { ListPage, useListRequest } from "../../parts/list-page.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { RedeliverButton } from "./redeliver-button.tsx";
import { DELIVERIES } from "./webhooks.query.ts";
import { DELIVERY_TONES, developersTexts } from "../developers.texts.ts";
import { Permitted } from "../../session/permitted.tsx";

const STATES: readonly WebhookDeliveryState[] = ["PENDING", "SUCCEEDED", "FAILED"];

type Attempt = DeliveriesQuery["webhookDeliveries"]["nodes"][number]["attempts"][number];

/** All webhook deliveries with their attempts, the newest first. */
export default function DeliveriesPage() {
  const texts = useTexts(developersTexts);
  const { time } = useFormats();
  const { slice, state } = useListRequest(STATES);
  const [result, retry] = useQuery({ query: DELIVERIES, variables: { ...slice, filter: { state } } });
  const describe = ({ number, status, error, durationMs }: Attempt) =>
    texts.attempt(number, [status, error].filter((part) => part !== null).join(" "), durationMs);
  return (
    <ListPage
      title={texts.links.deliveries}
      parent={{ path: "/developers", back: texts.back }}
      states={STATES}
      stateLabel={texts.state}
      stateNames={texts.deliveryStates}
      empty={texts.noDeliveries}
      result={result}
      connection={result.data?.webhookDeliveries}
      onRetry={() => retry({ requestPolicy: "network-only" })}
      columns={[
        {
          title: texts.event,
          cell: ({ eventType, body }) => (
            <>
              {eventType}
              <details>
                <summary aria-label={`${texts.showData}: ${eventType}`}>{texts.showData}</summary>
                <Code block>{body}</Code>
              </details>
            </>
          ),
        },
        { title: texts.url, isWideOnly: true, cell: ({ endpoint }) => endpoint?.url ?? "–" },
        {
          title: texts.state,
          cell: ({ state: shown }) => (
            <StateBadge tone={DELIVERY_TONES[shown]}>{texts.deliveryStates[shown]}</StateBadge>
          ),
        },
        {
          title: texts.attempts,
          cell: ({ attempts }) => attempts.map((attempt) => <div key={attempt.number}>{describe(attempt)}</div>),
        },
        {
          title: texts.nextAttempt,
          isWideOnly: true,
          isDate: true,
          cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? "–" : time(nextAttemptAt)),
        },
        { title: texts.created, isWideOnly: true, isDate: true, cell: ({ createdAt }) => time(createdAt) },
        {
          title: texts.action,
          cell: (delivery) => (
            <Permitted area="ADMIN">
              <RedeliverButton delivery={delivery} />
            </Permitted>
          ),
        },
      ]}
    />
  );
}
