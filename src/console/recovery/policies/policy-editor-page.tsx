import { useState } from "react";
import { Button, SimpleGrid, Stack, Text } from "@mantine/core";
import { useQuery } from "urql";
import { useLocation, useSearchParams } from "wouter";
import { useAction } from "../../actions/use-action.ts";
import type { PolicyTermsFragment } from "../../generated/operations.ts";
import { useTexts } from "../../language/language.tsx";
import { ErrorNotice, LoadingLines, ProblemNotice } from "../../parts/notices.tsx";
import { Page } from "../../parts/page.tsx";
import { Section } from "../../parts/section.tsx";
import { TextLink } from "../../parts/text-link.tsx";
import { PolicyBacktest } from "../backtests/policy-backtest.tsx";
import { editorTexts } from "./editor.texts.ts";
import { POLICIES, POLICY, PROPOSE_POLICY } from "./policies.query.ts";
import { policiesTexts } from "./policies.texts.ts";
import { SchedulePreview } from "./schedule-preview.tsx";
import { TermsFields } from "./terms-fields.tsx";
import { toTermsForm, toTermsInput } from "./terms-form.ts";

/** A new policy, written from the terms of another one: that of the address, or the one in force. */
export default function PolicyEditorPage() {
  const texts = useTexts(policiesTexts);
  const [parameters] = useSearchParams();
  const from = parameters.get("from");
  const [stored, retryStored] = useQuery({ query: POLICY, variables: { id: from ?? "" }, pause: from === null });
  const [inForce, retryInForce] = useQuery({ query: POLICIES, variables: { first: 1 }, pause: from !== null });
  const node = stored.data?.node;
  const terms = node && "terms" in node ? node.terms : inForce.data?.recoveryPolicy.terms;
  const error = stored.error ?? inForce.error;
  const retry = from === null ? retryInForce : retryStored;
  return (
    <Page title={texts.editor}>
      <Stack gap="lg">
        <div>
          <TextLink to="/recovery/policies">{texts.backToPolicies}</TextLink>
        </div>
        {error ? (
          <ErrorNotice error={error} onRetry={() => retry({ requestPolicy: "network-only" })} />
        ) : terms ? (
          <Editor key={terms.version} terms={terms} />
        ) : (
          <LoadingLines />
        )}
      </Stack>
    </Page>
  );
}

function Editor({ terms }: { terms: PolicyTermsFragment }) {
  const texts = useTexts(editorTexts);
  const [, navigate] = useLocation();
  const [form, setForm] = useState(() => toTermsForm(terms));
  const { isRunning, problem, run } = useAction(PROPOSE_POLICY);
  const input = toTermsInput(form);
  const propose = async () => {
    if (!input) return;
    const data = await run({ input: { terms: input } });
    if (data) navigate(`/recovery/policies/${data.proposeRecoveryPolicy.policy.id}`);
  };
  return (
    <>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Section title={texts.terms}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void propose();
            }}
          >
            <Stack>
              <TermsFields form={form} onChange={setForm} />
              <ProblemNotice problem={problem} />
              <Text size="sm" c="dimmed">
                {texts.proposeHint}
              </Text>
              <div>
                <Button type="submit" loading={isRunning} disabled={!input}>
                  {texts.propose}
                </Button>
              </div>
            </Stack>
          </form>
        </Section>
        <SchedulePreview terms={input} />
      </SimpleGrid>
      <PolicyBacktest terms={input} />
    </>
  );
}
