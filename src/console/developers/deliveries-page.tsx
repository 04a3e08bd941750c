import { useMemo } from "react";
import { Group, Stack } from "@mantine/core";
import { useQuery } from "urql";
import type { DeliveriesQuery, WebhookDeliveryState } from "../generated/operations.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { oneOf, SelectFilter, useFilter } from "../parts/filters.tsx";
import { ListResult } from "../parts/list-result.tsx";
import { Page } from "../parts/page.tsx";
import { useSlice } from "../parts/paging.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { TextLink } from "../parts/text-link.tsx";
import { DELIVERIES } from "./developers.query.ts";
import { DELIVERY_TONES, developersTexts } from "./developers.texts.ts";

const STATES: readonly WebhookDeliveryState[] = ["PENDING", "SUCCEEDED", "FAILED"];

type Attempt = DeliveriesQuery["webhookDeliveries"]["nodes"][number]["attempts"][number];

/** All webhook deliveries with their attempts, the newest first. */
export default function DeliveriesPage() {
  const texts = useTexts(developersTexts);
  const { time } = useFormats();
  const slice = useSlice();
  const [enteredState] = useFilter("state");
  const state = oneOf(STATES, enteredState);
  const variables = useMemo(() => ({ ...slice, filter: { state } }), [slice, state]);
  const [result, retry] = useQuery({ query: DELIVERIES, variables });
  const describe = ({ number, status, error, durationMs }: Attempt) =>
    texts.attempt(number, [status, error].filter((part) => part !== null).join(" "), durationMs);
  return (
    <Page title={texts.links.deliveries}>
      <Stack gap="md">
        <div>
          <TextLink to="/developers">{texts.back}</TextLink>
        </div>
        <Group>
          <SelectFilter
            name="state"
            label={texts.state}
            all={texts.allStates}
            options={STATES.map((value) => ({ value, label: texts.deliveryStates[value] }))}
          />
        </Group>
        <ListResult
          label={texts.links.deliveries}
          empty={texts.noDeliveries}
          result={result}
          connection={result.data?.webhookDeliveries}
          onRetry={() => retry({ requestPolicy: "network-only" })}
          columns={[
            { title: texts.event, cell: ({ eventType }) => eventType },
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
              cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? "–" : time(nextAttemptAt)),
            },
            { title: texts.created, isWideOnly: true, cell: ({ createdAt }) => time(createdAt) },
          ]}
        />
      </Stack>
    </Page>
  );
}
