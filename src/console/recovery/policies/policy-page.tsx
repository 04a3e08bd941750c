import { Group, Stack } from "@mantine/core";
import { useQuery } from "urql";
import type { PolicyQuery } from "../../generated/operations.ts";
import { useFormats } from "../../language/formats.ts";
import { useTexts } from "../../language/language.tsx";
import { RecordPage } from "../../parts/record-page.tsx";
import { Section } from "../../parts/section.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { TextLink } from "../../parts/text-link.tsx";
import { PolicyBacktest } from "../backtests/policy-backtest.tsx";
import { Permitted } from "../../session/permitted.tsx";
import { POLICY } from "./policies.query.ts";
import { policiesTexts, POLICY_TONES } from "./policies.texts.ts";
import { PolicyActions } from "./policy-actions.tsx";
import { TermsFacts } from "./terms-in-words.tsx";

type Policy = Extract<PolicyQuery["node"], { terms: unknown }>;

const isPolicy = (node: PolicyQuery["node"] | undefined): node is Policy => node != null && "terms" in node;

/** A policy without a backtest gets one. */
const AFTER_BACKTESTS = { additionalTypenames: ["RecoveryBacktest"] };

/** One policy of the vendor: its terms, its last backtest, and its actions. */
export default function PolicyPage({ id }: { id: string }) {
  const texts = useTexts(policiesTexts);
  const { time } = useFormats();
  const [result, retry] = useQuery({ query: POLICY, variables: { id }, context: AFTER_BACKTESTS });
  const node = result.data?.node;
  const policy = isPolicy(node) ? node : null;
  const timeOf = (instant: string | null) => instant !== null && time(instant);
  return (
    <RecordPage
      title={policy ? texts.policy(policy.terms.version) : undefined}
      list={{ path: "/recovery/policies", name: texts.title, back: texts.backToPolicies }}
      result={result}
      record={policy}
      onRetry={() => retry({ requestPolicy: "network-only" })}
    >
      {(shown) => (
        <Stack gap="lg">
          <Group justify="space-between">
            <Permitted area="RECOVERY">
              <PolicyActions policy={shown} />
              <TextLink to={`/recovery/policies/new?from=${shown.id}`}>{texts.change}</TextLink>
            </Permitted>
          </Group>
          <Section
            title={texts.details}
            aside={<StateBadge tone={POLICY_TONES[shown.state]}>{texts.states[shown.state]}</StateBadge>}
          >
            <TermsFacts
              terms={shown.terms}
              before={[
                [texts.proposedAt, time(shown.proposedAt)],
                [texts.activatedAt, timeOf(shown.activatedAt)],
                [texts.retiredAt, timeOf(shown.retiredAt)],
              ]}
            />
          </Section>
          <PolicyBacktest policyId={shown.id} stored={shown.lastBacktest} />
        </Stack>
      )}
    </RecordPage>
  );
}
