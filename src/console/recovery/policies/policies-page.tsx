import { Alert, Group, Stack } from "@mantine/core";
import { useQuery } from "urql";
import { useFormats } from "../../language/formats.ts";
import { useTexts } from "../../language/language.tsx";
import { ListResult } from "../../parts/list-result.tsx";
import { Page } from "../../parts/page.tsx";
import { useSlice } from "../../parts/paging.tsx";
import { Section } from "../../parts/section.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { TextLink } from "../../parts/text-link.tsx";
import { Permitted } from "../../session/permitted.tsx";
import { POLICIES } from "./policies.query.ts";
import { policiesTexts, POLICY_TONES } from "./policies.texts.ts";
import { TermsFacts, usePlanWords } from "./terms-in-words.tsx";

/** An empty list gets its first policy. */
const AFTER_PROPOSALS = { additionalTypenames: ["RecoveryPolicy"] };

/** The policy in force, and all that the vendor proposed. */
export default function PoliciesPage() {
  const texts = useTexts(policiesTexts);
  const { time } = useFormats();
  const planWords = usePlanWords();
  const [result, retry] = useQuery({ query: POLICIES, variables: useSlice(), context: AFTER_PROPOSALS });
  const inForce = result.data?.recoveryPolicy;
  return (
    <Page title={texts.title}>
      <Stack gap="lg">
        <Group justify="space-between">
          <TextLink to="/recovery">{texts.back}</TextLink>
          <Permitted area="RECOVERY">
            <TextLink to="/recovery/policies/new">{texts.write}</TextLink>
          </Permitted>
        </Group>
        {inForce && (
          <Section title={texts.inForce}>
            <Stack gap="sm">
              {inForce.isReplacedByExperiment && (
                <Alert color="blue">
                  {texts.replaced} <TextLink to="/recovery/experiments">{texts.experiments}</TextLink>
                </Alert>
              )}
              <TermsFacts
                terms={inForce.terms}
                before={[
                  [texts.name, inForce.terms.version],
                  [texts.origin, texts.origins[inForce.origin]],
                ]}
              />
            </Stack>
          </Section>
        )}
        <Section title={texts.all}>
          <ListResult
            label={texts.all}
            empty={texts.empty}
            result={result}
            connection={result.data?.recoveryPolicies}
            onRetry={() => retry({ requestPolicy: "network-only" })}
            columns={[
              {
                title: texts.name,
                cell: ({ id, terms }) => <TextLink to={`/recovery/policies/${id}`}>{terms.version}</TextLink>,
              },
              {
                title: texts.state,
                cell: ({ state }) => <StateBadge tone={POLICY_TONES[state]}>{texts.states[state]}</StateBadge>,
              },
              { title: texts.plan, cell: ({ terms }) => planWords(terms.plan) },
              { title: texts.proposedAt, isWideOnly: true, isDate: true, cell: ({ proposedAt }) => time(proposedAt) },
            ]}
          />
        </Section>
      </Stack>
    </Page>
  );
}
