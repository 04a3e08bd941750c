import { useState } from "react";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "urql";
import { ActionDialog } from "../../actions/action-dialog.tsx";
import { useAction } from "../../actions/use-action.ts";
import type { ModelQuery } from "../../generated/operations.ts";
import { useFormats } from "../../language/formats.ts";
import { useApiLanguage, useTexts } from "../../language/language.tsx";
import { Facts } from "../../parts/facts.tsx";
import { ErrorNotice, LoadingLines } from "../../parts/notices.tsx";
import { Page } from "../../parts/page.tsx";
import { Section } from "../../parts/section.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { TableSection } from "../../parts/table-section.tsx";
import { TextLink } from "../../parts/text-link.tsx";
import { Permitted } from "../../session/permitted.tsx";
import { MODEL, TRAIN_MODEL } from "./model.query.ts";
import { modelTexts, TRAINING_TONES } from "./model.texts.ts";

/** An empty list gets its first training. */
const AFTER_TRAININGS = { additionalTypenames: ["RecoveryTraining"] };

/** What chooses the times of retries, how right it was, and how it was trained. */
export default function ModelPage() {
  const texts = useTexts(modelTexts);
  const { time, count } = useFormats();
  const [isTraining, setTraining] = useState(false);
  const [{ data, error }, retry] = useQuery({
    query: MODEL,
    variables: { language: useApiLanguage() },
    context: AFTER_TRAININGS,
  });
  return (
    <Page title={texts.title}>
      <Stack gap="lg">
        <Group justify="space-between">
          <TextLink to="/recovery">{texts.back}</TextLink>
          <Permitted area="RECOVERY">
            <Button variant="default" onClick={() => setTraining(true)}>
              {texts.train}
            </Button>
          </Permitted>
        </Group>
        {error ? (
          <ErrorNotice error={error} onRetry={() => retry({ requestPolicy: "network-only" })} />
        ) : !data ? (
          <LoadingLines />
        ) : (
          <>
            <Status status={data.recoveryModelStatus} />
            <TableSection
              title={texts.trainings}
              empty={texts.noTrainings}
              rows={data.recoveryTrainings.nodes}
              columns={[
                { title: texts.requested, isDate: true, cell: ({ requestedAt }) => time(requestedAt) },
                {
                  title: texts.state,
                  cell: ({ state }) => <StateBadge tone={TRAINING_TONES[state]}>{texts.states[state]}</StateBadge>,
                },
                {
                  title: texts.result,
                  cell: ({ result, failure }) => (result === null ? (failure ?? "–") : texts.results[result]),
                },
                {
                  title: texts.used,
                  isNumber: true,
                  cell: ({ tries }) => (tries === null ? "–" : count(tries)),
                },
                { title: texts.version, isWideOnly: true, cell: ({ model }) => model?.version ?? "–" },
                { title: texts.trigger, isWideOnly: true, cell: ({ trigger }) => texts.triggers[trigger] },
              ]}
            />
          </>
        )}
        {isTraining && <TrainDialog onClose={() => setTraining(false)} />}
      </Stack>
    </Page>
  );
}

function Status({ status }: { status: ModelQuery["recoveryModelStatus"] }) {
  const texts = useTexts(modelTexts);
  const { time, count, percent } = useFormats();
  const { drift, trainedAt, staleAt, tries } = status;
  return (
    <Section title={texts.now}>
      <Stack gap="sm">
        <Text>{status.explanation}</Text>
        <Facts
          facts={[
            [texts.source, texts.sources[status.source]],
            [texts.version, status.version],
            [texts.trainedAt, trainedAt !== null && time(trainedAt)],
            [texts.tries, tries !== null && count(tries)],
            [texts.predicted, drift && texts.drift(percent(drift.predicted), count(drift.attempts))],
            [texts.observed, drift && texts.drift(percent(drift.observed), count(drift.attempts))],
            [texts.staleAt, staleAt !== null && time(staleAt)],
            [texts.sharing, status.pooling.isSharing && texts.isSharing],
          ]}
        />
      </Stack>
    </Section>
  );
}

function TrainDialog({ onClose }: { onClose: () => void }) {
  const texts = useTexts(modelTexts);
  const { isRunning, problem, run } = useAction(TRAIN_MODEL);
  const confirm = async () => {
    if (await run({})) onClose();
  };
  return (
    <ActionDialog
      title={texts.train}
      confirm={texts.train}
      consequences={[texts.trainRule, texts.trainBetter, texts.trainPolicy]}
      isRunning={isRunning}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}
