import { useState } from "react";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "urql";
import { useFormats } from "../../language/formats.ts";
import { useTexts } from "../../language/language.tsx";
import { ListResult } from "../../parts/list-result.tsx";
import { Page } from "../../parts/page.tsx";
import { useSlice } from "../../parts/paging.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { TextLink } from "../../parts/text-link.tsx";
import { Permitted } from "../../session/permitted.tsx";
import { EXPERIMENTS } from "./experiments.query.ts";
import { EXPERIMENT_TONES, experimentsTexts } from "./experiments.texts.ts";
import { StartDialog } from "./start-dialog.tsx";

/** An empty list gets its first experiment. */
const AFTER_STARTS = { additionalTypenames: ["RecoveryExperiment"] };

/** All experiments, the newest first. */
export default function ExperimentsPage() {
  const texts = useTexts(experimentsTexts);
  const { time, count } = useFormats();
  const [isStarting, setStarting] = useState(false);
  const [result, retry] = useQuery({ query: EXPERIMENTS, variables: useSlice(), context: AFTER_STARTS });
  return (
    <Page title={texts.title}>
      <Stack gap="md">
        <Group justify="space-between">
          <TextLink to="/recovery">{texts.back}</TextLink>
          <Permitted area="RECOVERY">
            <Button onClick={() => setStarting(true)}>{texts.start}</Button>
          </Permitted>
        </Group>
        <Text c="dimmed">{texts.hint}</Text>
        <ListResult
          label={texts.title}
          empty={texts.empty}
          result={result}
          connection={result.data?.recoveryExperiments}
          onRetry={() => retry({ requestPolicy: "network-only" })}
          columns={[
            {
              title: texts.name,
              cell: ({ databaseId, name }) => (
                <TextLink to={`/recovery/experiments/${databaseId}`}>{name ?? texts.unnamed(databaseId)}</TextLink>
              ),
            },
            {
              title: texts.state,
              cell: ({ state }) => <StateBadge tone={EXPERIMENT_TONES[state]}>{texts.states[state]}</StateBadge>,
            },
            {
              title: texts.cases,
              isNumber: true,
              cell: ({ arms }) => count(arms.reduce((sum, { results }) => sum + results.cases, 0)),
            },
            { title: texts.started, isWideOnly: true, isDate: true, cell: ({ startedAt }) => time(startedAt) },
            {
              title: texts.stopped,
              isWideOnly: true,
              isDate: true,
              cell: ({ stoppedAt }) => (stoppedAt === null ? "–" : time(stoppedAt)),
            },
            {
              title: texts.promoted,
              isWideOnly: true,
              cell: ({ promotedArm }) => (promotedArm === null ? "–" : texts.arm(promotedArm)),
            },
          ]}
        />
        {isStarting && <StartDialog onClose={() => setStarting(false)} />}
      </Stack>
    </Page>
  );
}
