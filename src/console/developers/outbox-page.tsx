import { useMemo } from "react";
import { Group, Stack } from "@mantine/core";
import { useQuery } from "urql";
import type { MessageState } from "../generated/operations.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { oneOf, SelectFilter, useFilter } from "../parts/filters.tsx";
import { ListResult } from "../parts/list-result.tsx";
import { Page } from "../parts/page.tsx";
import { useSlice } from "../parts/paging.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { TextLink } from "../parts/text-link.tsx";
import { OUTBOX } from "./developers.query.ts";
import { developersTexts, MESSAGE_TONES } from "./developers.texts.ts";

const STATES: readonly MessageState[] = ["QUEUED", "SENDING", "SENT", "FAILED", "CANCELED"];

/** All messages to customers, the newest first. */
export default function OutboxPage() {
  const texts = useTexts(developersTexts);
  const { time, count } = useFormats();
  const slice = useSlice();
  const [enteredState] = useFilter("state");
  const state = oneOf(STATES, enteredState);
  const variables = useMemo(() => ({ ...slice, filter: { state } }), [slice, state]);
  const [result, retry] = useQuery({ query: OUTBOX, variables });
  return (
    <Page title={texts.links.outbox}>
      <Stack gap="md">
        <div>
          <TextLink to="/developers">{texts.back}</TextLink>
        </div>
        <Group>
          <SelectFilter
            name="state"
            label={texts.state}
            all={texts.allStates}
            options={STATES.map((value) => ({ value, label: texts.messageStates[value] }))}
          />
        </Group>
        <ListResult
          label={texts.links.outbox}
          empty={texts.noMessages}
          result={result}
          connection={result.data?.outbox}
          onRetry={() => retry({ requestPolicy: "network-only" })}
          columns={[
            { title: texts.recipient, cell: ({ recipient }) => recipient },
            { title: texts.subject, cell: ({ subjectLine, text }) => subjectLine ?? text ?? "–" },
            { title: texts.channel, isWideOnly: true, cell: ({ channel }) => texts.channels[channel] },
            {
              title: texts.state,
              cell: ({ state: shown }) => (
                <StateBadge tone={MESSAGE_TONES[shown]}>{texts.messageStates[shown]}</StateBadge>
              ),
            },
            { title: texts.attempts, isNumber: true, isWideOnly: true, cell: ({ attempts }) => count(attempts) },
            { title: texts.error, isWideOnly: true, cell: ({ lastError }) => lastError ?? "–" },
            { title: texts.created, isWideOnly: true, cell: ({ createdAt }) => time(createdAt) },
          ]}
        />
      </Stack>
    </Page>
  );
}
