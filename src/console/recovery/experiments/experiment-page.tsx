import { Alert, Text } from "@mantine/core";
import { useQuery } from "urql";
import type { ArmDifferenceFragment, ExperimentQuery } from "../../generated/operations.ts";
import { useFormats } from "../../language/formats.ts";
import { useTexts } from "../../language/language.tsx";
import { Facts } from "../../parts/facts.tsx";
import { RecordPage } from "../../parts/record-page.tsx";
import { RecordTable } from "../../parts/record-table.tsx";
import { Section } from "../../parts/section.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { TextLink } from "../../parts/text-link.tsx";
import { usePlanWords } from "../policies/terms-in-words.tsx";
import { Permitted } from "../../session/permitted.tsx";
import { ExperimentActions } from "./experiment-actions.tsx";
import { EXPERIMENT } from "./experiments.query.ts";
import { EXPERIMENT_TONES, experimentsTexts, RESULT_TONES } from "./experiments.texts.ts";

type Experiment = NonNullable<ExperimentQuery["recoveryExperiment"]>;

/** One experiment: its arms with their differences to the holdout, and its actions. */
export default function ExperimentPage({ id }: { id: string }) {
  const texts = useTexts(experimentsTexts);
  const [result, retry] = useQuery({ query: EXPERIMENT, variables: { id } });
  const experiment = result.data?.recoveryExperiment;
  return (
    <RecordPage
      title={experiment ? (experiment.name ?? texts.unnamed(experiment.databaseId)) : undefined}
      list={{ path: "/recovery/experiments", name: texts.title, back: texts.backToExperiments }}
      result={result}
      record={experiment}
      onRetry={() => retry({ requestPolicy: "network-only" })}
    >
      {(shown) => (
        <>
          {shown.state === "RUNNING" && (
            <Permitted area="RECOVERY">
              <ExperimentActions experiment={shown} />
            </Permitted>
          )}
          {!shown.sampleRatio.isPlausible && (
            <Alert color="red" role="alert">
              {texts.implausible}
            </Alert>
          )}
          <Details experiment={shown} />
          <Section title={texts.arms}>
            <Arms experiment={shown} />
          </Section>
          <Section title={texts.comparison}>
            <Comparison experiment={shown} />
            <Text size="sm" c="dimmed" mt="sm">
              {texts.boundsHint}
            </Text>
          </Section>
        </>
      )}
    </RecordPage>
  );
}

function Details({ experiment }: { experiment: Experiment }) {
  const texts = useTexts(experimentsTexts);
  const { time } = useFormats();
  const { state, startedAt, stoppedAt, promotedArm, coversInProgress, sampleRatio } = experiment;
  return (
    <Section
      title={texts.details}
      aside={<StateBadge tone={EXPERIMENT_TONES[state]}>{texts.states[state]}</StateBadge>}
    >
      <Facts
        facts={[
          [texts.started, time(startedAt)],
          [texts.stopped, stoppedAt !== null && time(stoppedAt)],
          [texts.promoted, promotedArm !== null && texts.arm(promotedArm)],
          [texts.inProgressFact, coversInProgress !== null && texts.inProgress[coversInProgress]],
          [texts.compared, texts.comparedAfter(experiment.comparedAfterDays)],
          [texts.children, experiment.includeChildren && texts.childrenIncluded],
          [texts.sample, sampleRatio.isPlausible && texts.plausible(sampleRatio.pValue.toFixed(2))],
        ]}
      />
    </Section>
  );
}

function Arms({ experiment }: { experiment: Experiment }) {
  const texts = useTexts(experimentsTexts);
  const { count, percent } = useFormats();
  const planWords = usePlanWords();
  const mean = (value: number | null) => (value === null ? "–" : value.toFixed(1));
  return (
    <RecordTable
      label={texts.arms}
      rows={experiment.arms}
      keyOf={({ number }) => String(number)}
      columns={[
        { title: texts.armTitle, cell: ({ number }) => (number === 0 ? texts.holdout : texts.arm(number)) },
        {
          title: texts.policy,
          isWideOnly: true,
          cell: ({ policy, terms }) =>
            policy ? (
              <TextLink to={`/recovery/policies/${policy.id}`}>{planWords(terms.plan)}</TextLink>
            ) : (
              planWords(terms.plan)
            ),
        },
        { title: texts.share, isNumber: true, cell: ({ share }) => percent(Number(share)) },
        { title: texts.payers, isNumber: true, cell: ({ results }) => count(results.payers) },
        { title: texts.cases, isNumber: true, cell: ({ results }) => count(results.cases) },
        {
          title: texts.attempts,
          isNumber: true,
          isWideOnly: true,
          cell: ({ results }) => mean(results.attemptsPerCase),
        },
        { title: texts.days, isNumber: true, isWideOnly: true, cell: ({ results }) => mean(results.daysToRecovery) },
      ]}
    />
  );
}

function Comparison({ experiment }: { experiment: Experiment }) {
  const texts = useTexts(experimentsTexts);
  const { percent } = useFormats();
  const intervalOf = (difference: ArmDifferenceFragment | null) =>
    difference
      ? texts.interval(percent(difference.value), percent(difference.lower), percent(difference.upper))
      : texts.tooFew;
  return (
    <RecordTable
      label={texts.comparison}
      rows={experiment.arms}
      keyOf={({ number }) => String(number)}
      columns={[
        { title: texts.armTitle, cell: ({ number }) => (number === 0 ? texts.holdout : texts.arm(number)) },
        {
          title: texts.rate,
          isNumber: true,
          cell: ({ comparedResults }) => percent(comparedResults.recoveryRate),
        },
        {
          title: texts.difference,
          cell: ({ number, recoveryRateDifference }) => (number === 0 ? "–" : intervalOf(recoveryRateDifference)),
        },
        {
          title: texts.differenceByAmount,
          isWideOnly: true,
          cell: ({ number, recoveryRateByAmountDifference }) =>
            number === 0 ? "–" : intervalOf(recoveryRateByAmountDifference),
        },
        {
          title: texts.result,
          cell: ({ recoveryRateDifference }) =>
            recoveryRateDifference && (
              <StateBadge tone={RESULT_TONES[recoveryRateDifference.result]}>
                {texts.results[recoveryRateDifference.result]}
              </StateBadge>
            ),
        },
      ]}
    />
  );
}
