import { useMemo, useState } from "react";
import { NativeSelect, Stack, Text } from "@mantine/core";
import { useQuery } from "urql";
import type { ReasonClass, RecoveryTermsInput } from "../../generated/operations.ts";
import { useFormats } from "../../language/formats.ts";
import { useApiLanguage, useTexts } from "../../language/language.tsx";
import { EmptyNotice, ErrorNotice, LoadingLines } from "../../parts/notices.tsx";
import { RecordTable } from "../../parts/record-table.tsx";
import { Section } from "../../parts/section.tsx";
import { useRested } from "../../parts/use-rested.ts";
import { useVendor } from "../../session/vendor.tsx";
import { recoveryWords } from "../words.texts.ts";
import { editorTexts } from "./editor.texts.ts";
import { PREVIEW_POLICY } from "./policies.query.ts";

/** Codes of ISO 8583 that most gateways send, and their meanings. */
const DECLINES = [
  ["51", "INSUFFICIENT_FUNDS"],
  ["61", "LIMIT_EXCEEDED"],
  ["05", "GENERIC_REFUSAL"],
  ["91", "TECHNICAL"],
  ["54", "FIX_DATA_FIRST"],
  ["43", "NEVER"],
] as const satisfies readonly (readonly [string, ReasonClass])[];

/** The retries that terms would make after a decline. */
export function SchedulePreview({ terms }: { terms: RecoveryTermsInput | undefined }) {
  const texts = useTexts(editorTexts);
  const { reasons, endReasons } = useTexts(recoveryWords);
  const { time, percent, money } = useFormats();
  const { currency } = useVendor();
  const language = useApiLanguage();
  const [errorCode, setErrorCode] = useState("51");
  // Terms are compared as a text: each key that is typed makes a new object.
  const wanted = useRested(terms && JSON.stringify(terms));
  const variables = useMemo(
    () => ({ input: { errorCode, language, terms: JSON.parse(wanted ?? "null") as RecoveryTermsInput } }),
    [errorCode, language, wanted],
  );
  const isPaused = wanted === undefined;
  const [{ data, error }, retry] = useQuery({ query: PREVIEW_POLICY, variables, pause: isPaused });
  const preview = data?.previewRecoverySchedule;
  return (
    <Section title={texts.preview}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {texts.previewHint}
        </Text>
        <NativeSelect
          label={texts.decline}
          value={errorCode}
          onChange={({ currentTarget }) => setErrorCode(currentTarget.value)}
          data={DECLINES.map(([value, meaning]) => ({ value, label: `${value}: ${reasons[meaning]}` }))}
        />
        {isPaused ? (
          <EmptyNotice>{texts.incomplete}</EmptyNotice>
        ) : error ? (
          <ErrorNotice error={error} onRetry={() => retry({ requestPolicy: "network-only" })} />
        ) : !preview ? (
          <LoadingLines count={5} />
        ) : (
          <>
            {preview.retries.length === 0 ? (
              <EmptyNotice>{texts.noRetry}</EmptyNotice>
            ) : (
              <RecordTable
                label={texts.preview}
                rows={preview.retries}
                keyOf={({ number }) => String(number)}
                columns={[
                  { title: texts.number, isNumber: true, cell: ({ number }) => number },
                  {
                    title: texts.at,
                    // The sentence takes the width that the table has; a column of its own would be too narrow.
                    cell: ({ at, explanation }) => (
                      <>
                        <time dateTime={at}>{time(at)}</time>
                        <Text size="sm" c="dimmed">
                          {explanation}
                        </Text>
                      </>
                    ),
                  },
                  ...(preview.retries.some(({ probability }) => probability !== null)
                    ? [
                        {
                          title: texts.chance,
                          isNumber: true,
                          cell: ({ probability }: (typeof preview.retries)[number]) => percent(probability),
                        },
                      ]
                    : []),
                ]}
              />
            )}
            <Text size="sm" c="dimmed">
              {texts.end(endReasons[preview.endReason])}{" "}
              {Number(preview.cost) > 0 && texts.cost(money(preview.cost, currency))}
            </Text>
          </>
        )}
      </Stack>
    </Section>
  );
}
