import type { HomeQuery } from "../generated/operations.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { EmptyNotice, LoadingLines } from "../parts/notices.tsx";
import { RecordTable } from "../parts/record-table.tsx";
import { Section } from "../parts/section.tsx";
import { TextLink } from "../parts/text-link.tsx";
import { awaitedStep } from "../recovery/awaited-step.ts";
import { recoveryTexts } from "../recovery/recovery.texts.ts";
import { homeTexts } from "./home.texts.ts";

type Row = HomeQuery["upcoming"]["nodes"][number];

/** A date that passed unreported is shown as the next one, while the list is sorted by the stored one. */
const byRetryDate = (one: Row, other: Row) => (one.retryDate ?? "").localeCompare(other.retryDate ?? "");

/** The retries that come next. */
export function UpcomingRetries({ covers }: { covers: readonly Row[] | undefined }) {
  const texts = useTexts(homeTexts);
  const { waits } = useTexts(recoveryTexts);
  const { money, time } = useFormats();
  return (
    <Section title={texts.upcoming} aside={<TextLink to="/recovery">{texts.allCovers}</TextLink>}>
      {covers === undefined ? (
        <LoadingLines count={5} />
      ) : covers.length === 0 ? (
        <EmptyNotice>{texts.noUpcoming}</EmptyNotice>
      ) : (
        <RecordTable
          label={texts.upcoming}
          rows={[...covers].sort(byRetryDate)}
          keyOf={({ id }) => id}
          columns={[
            {
              title: texts.payer,
              cell: ({ databaseId, payerName }) => <TextLink to={`/recovery/${databaseId}`}>{payerName}</TextLink>,
            },
            { title: texts.amount, isNumber: true, cell: ({ amount, currency }) => money(amount, currency) },
            {
              title: texts.retryDate,
              cell: ({ retryDate, ...cover }) => (retryDate === null ? waits[awaitedStep(cover)] : time(retryDate)),
            },
          ]}
        />
      )}
    </Section>
  );
}
