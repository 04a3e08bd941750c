import { useMemo } from "react";
import { Button, Stack, Text } from "@mantine/core";
import { useAction } from "../../actions/use-action.ts";
import type { BacktestFiguresFragment, RecoveryTermsInput } from "../../generated/operations.ts";
import { useTexts } from "../../language/language.tsx";
import { LoadingLines, ProblemNotice } from "../../parts/notices.tsx";
import { Section } from "../../parts/section.tsx";
import { Permitted } from "../../session/permitted.tsx";
import { useVendor } from "../../session/vendor.tsx";
import { BacktestFigures } from "./backtest-figures.tsx";
import { BACKTEST_POLICY } from "./backtest.query.ts";
import { backtestTexts } from "./backtest.texts.ts";

const PERIOD_MILLISECONDS = 365 * 86_400_000;

interface PolicyBacktestProps {
  /** A stored policy, which keeps the result. */
  policyId?: string;
  /** Terms that are not stored; undefined while they cannot be read. */
  terms?: RecoveryTermsInput | undefined;
  /** The last result of a stored policy. */
  stored?: BacktestFiguresFragment | null;
}

/** The backtest of a policy: its last result, and a button that runs it. */
export function PolicyBacktest({ policyId, terms, stored }: PolicyBacktestProps) {
  const texts = useTexts(backtestTexts);
  const { now } = useVendor();
  const from = useMemo(() => new Date(Date.parse(now) - PERIOD_MILLISECONDS).toISOString(), [now]);
  const { isRunning, problem, data, run } = useAction(BACKTEST_POLICY);
  const shown = data?.backtestRecoveryPolicy ?? stored;
  return (
    <Section title={texts.title}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {texts.hint}
        </Text>
        <Permitted area="RECOVERY">
          <div>
            <Button
              variant="default"
              loading={isRunning}
              disabled={policyId === undefined && terms === undefined}
              onClick={() => void run({ input: { policyId, terms, from } })}
            >
              {texts.run}
            </Button>
          </div>
        </Permitted>
        <div role="status">{isRunning && <Text size="sm">{texts.running}</Text>}</div>
        <ProblemNotice problem={problem} />
        {isRunning ? (
          <LoadingLines count={4} />
        ) : shown ? (
          <BacktestFigures backtest={shown} />
        ) : (
          policyId !== undefined && <Text size="sm">{texts.none}</Text>
        )}
      </Stack>
    </Section>
  );
}
