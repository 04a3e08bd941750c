import { useState } from "react";
import { useQuery } from "urql";
import { useFormats } from "../../language/formats.ts";
import { useTexts } from "../../language/language.tsx";
import { Facts } from "../../parts/facts.tsx";
import { RecordPage } from "../../parts/record-page.tsx";
import { SecretNotice } from "../../parts/secret-notice.tsx";
import { Section } from "../../parts/section.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { TextLink } from "../../parts/text-link.tsx";
import { developersTexts } from "../developers.texts.ts";
import { Permitted } from "../../session/permitted.tsx";
import { WebhookActions } from "./webhook-actions.tsx";
import { WEBHOOK_ENDPOINT } from "./webhooks.query.ts";
import { webhooksTexts } from "./webhooks.texts.ts";

/** One webhook endpoint with its actions. */
export default function WebhookPage({ id }: { id: string }) {
  const texts = useTexts(webhooksTexts);
  const shared = useTexts(developersTexts);
  const { time } = useFormats();
  const [secret, setSecret] = useState<string>();
  const [result, retry] = useQuery({ query: WEBHOOK_ENDPOINT, variables: { id } });
  const timeOf = (instant: string | null) => instant !== null && time(instant);
  return (
    <RecordPage
      title={result.data?.webhookEndpoint ? texts.title : undefined}
      list={{ path: "/developers", name: texts.title, back: texts.back }}
      result={result}
      record={result.data?.webhookEndpoint}
      onRetry={() => retry({ requestPolicy: "network-only" })}
    >
      {(shown) => (
        <>
          <Permitted area="ADMIN">
            <WebhookActions endpoint={shown} onSecret={setSecret} />
          </Permitted>
          {secret !== undefined && <SecretNotice secret={secret} texts={texts} />}
          <Section
            title={shared.details}
            aside={
              <StateBadge tone={!shown.enabled ? "neutral" : shown.failingSince === null ? "good" : "bad"}>
                {!shown.enabled ? shared.disabled : shown.failingSince === null ? shared.enabled : shared.failing}
              </StateBadge>
            }
          >
            <Facts
              facts={[
                [shared.url, shown.url],
                [texts.description, shown.description],
                [shared.types, shown.eventTypes === null ? shared.allTypes : shown.eventTypes.join(", ")],
                [texts.created, time(shown.createdAt)],
                [shared.lastSuccess, timeOf(shown.lastSuccessAt)],
                [texts.failingSince, timeOf(shown.failingSince)],
                [texts.disabledAt, timeOf(shown.disabledAt)],
                [texts.disabledReason, shown.disabledReason !== null && texts.disabledReasons[shown.disabledReason]],
                [texts.previousSecret, timeOf(shown.previousSecretUntil)],
              ]}
            />
          </Section>
          <div>
            <TextLink to="/developers/deliveries">{texts.deliveries}</TextLink>
          </div>
        </>
      )}
    </RecordPage>
  );
}
