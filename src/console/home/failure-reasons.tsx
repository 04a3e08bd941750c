import type { HomeQuery } from "../generated/operations.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { EmptyNotice, LoadingLines } from "../parts/notices.tsx";
import { RecordTable } from "../parts/record-table.tsx";
import { Section } from "../parts/section.tsx";
import { recoveryWords } from "../recovery/words.texts.ts";
import { useVendor } from "../session/vendor.tsx";
import { homeTexts } from "./home.texts.ts";

type Row = HomeQuery["recoveryAnalytics"]["byReason"][number];

/** Failed renewals by the meaning of their first decline, the most frequent first. */
export function FailureReasons({ rows }: { rows: readonly Row[] | undefined }) {
  const texts = useTexts(homeTexts);
  const { reasons } = useTexts(recoveryWords);
  const { money, count, percent } = useFormats();
  const { currency } = useVendor();
  return (
    <Section title={texts.reasons}>
      {rows === undefined ? (
        <LoadingLines count={5} />
      ) : rows.length === 0 ? (
        <EmptyNotice>{texts.noFailures}</EmptyNotice>
      ) : (
        <RecordTable
          label={texts.reasons}
          rows={[...rows].sort((one, other) => other.cases - one.cases)}
          keyOf={({ reasonClass }) => reasonClass}
          columns={[
            { title: texts.reason, cell: ({ reasonClass }) => reasons[reasonClass] },
            { title: texts.failures, isNumber: true, cell: ({ cases }) => count(cases) },
            { title: texts.amount, isNumber: true, isWideOnly: true, cell: ({ amount }) => money(amount, currency) },
            { title: texts.recoveredShare, isNumber: true, cell: ({ recoveryRate }) => percent(recoveryRate) },
          ]}
        />
      )}
    </Section>
  );
}
