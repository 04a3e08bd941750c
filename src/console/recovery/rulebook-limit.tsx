import { Text } from "@mantine/core";
import { billingWords } from "../billing/words.texts.ts";
import type { CoverStoryQuery } from "../generated/operations.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { Section } from "../parts/section.tsx";
import { recoveryTexts } from "./recovery.texts.ts";

type Decision = NonNullable<CoverStoryQuery["cover"]>["decision"];

/** What the rulebook forbade: the rule that moved the retry, or that ended the retries. */
export function RulebookLimit({ decision, zoneId }: { decision: Decision; zoneId: string }) {
  const texts = useTexts(recoveryTexts);
  const { networks } = useTexts(billingWords);
  const { time, day } = useFormats();
  return (
    <Section title={texts.rulebook}>
      {!decision || decision.ruleId === null ? (
        <Text c="dimmed">{texts.noRule}</Text>
      ) : (
        <dl className="facts">
          <dt>{texts.rule}</dt>
          <dd>{decision.ruleId}</dd>
          {decision.earliestAllowedAt !== null && (
            <>
              <dt>{texts.earliest}</dt>
              <dd>{time(decision.earliestAllowedAt, zoneId)}</dd>
            </>
          )}
          {decision.rule && (
            <>
              <dt>{texts.network}</dt>
              <dd>{[networks[decision.rule.network], decision.rule.region].filter(Boolean).join(", ")}</dd>
              <dt>{texts.source}</dt>
              <dd>{decision.rule.source}</dd>
              <dt>{texts.checked}</dt>
              <dd>{day(decision.rule.checkedOn, "UTC")}</dd>
            </>
          )}
        </dl>
      )}
    </Section>
  );
}
