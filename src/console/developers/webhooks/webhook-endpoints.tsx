import { useQuery } from "urql";
import { useFormats } from "../../language/formats.ts";
import { useTexts } from "../../language/language.tsx";
import { ErrorNotice, LoadingLines } from "../../parts/notices.tsx";
import { Section } from "../../parts/section.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { TextLink } from "../../parts/text-link.tsx";
import { TableSection } from "../../parts/table-section.tsx";
import { WEBHOOK_ENDPOINTS } from "./webhooks.query.ts";
import { developersTexts } from "../developers.texts.ts";
import { Permitted } from "../../session/permitted.tsx";

/** An empty list gets its first endpoint. */
const AFTER_CREATIONS = { additionalTypenames: ["WebhookEndpoint"] };

/** The servers that get the vendor's events. */
export function WebhookEndpoints() {
  const texts = useTexts(developersTexts);
  const { time } = useFormats();
  const [{ data, error }, retry] = useQuery({ query: WEBHOOK_ENDPOINTS, context: AFTER_CREATIONS });
  if (!data)
    return (
      <Section title={texts.endpoints}>
        {error ? (
          <ErrorNotice error={error} onRetry={() => retry({ requestPolicy: "network-only" })} />
        ) : (
          <LoadingLines count={3} />
        )}
      </Section>
    );
  return (
    <TableSection
      title={texts.endpoints}
      aside={
        <Permitted area="ADMIN">
          <TextLink to="/developers/webhooks/new">{texts.addEndpoint}</TextLink>
        </Permitted>
      }
      empty={texts.noEndpoints}
      rows={data.webhookEndpoints.nodes}
      columns={[
        {
          title: texts.url,
          cell: ({ databaseId, url }) => <TextLink to={`/developers/webhooks/${databaseId}`}>{url}</TextLink>,
        },
        {
          title: texts.types,
          isWideOnly: true,
          cell: ({ eventTypes }) => (eventTypes === null ? texts.allTypes : eventTypes.join(", ")),
        },
        {
          title: texts.state,
          cell: ({ enabled, failingSince }) =>
            !enabled ? (
              <StateBadge tone="neutral">{texts.disabled}</StateBadge>
            ) : failingSince === null ? (
              <StateBadge tone="good">{texts.enabled}</StateBadge>
            ) : (
              <StateBadge tone="bad">{texts.failing}</StateBadge>
            ),
        },
        {
          title: texts.lastSuccess,
          isWideOnly: true,
          isDate: true,
          cell: ({ lastSuccessAt }) => (lastSuccessAt === null ? "–" : time(lastSuccessAt)),
        },
      ]}
    />
  );
}
