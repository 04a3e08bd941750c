import type { HomeQuery } from "../generated/operations.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { EmptyNotice, LoadingLines } from "../parts/notices.tsx";
import { RecordTable } from "../parts/record-table.tsx";
import { Section } from "../parts/section.tsx";
import { TextLink } from "../parts/text-link.tsx";
import { RetryCell } from "../recovery/retry-cell.tsx";
import { homeTexts } from "./home.texts.ts";

type Row = HomeQuery["upcoming"]["nodes"][number];

/** The retries that come next, those whose date has passed first. */
export function UpcomingRetries({ covers }: { covers: readonly Row[] | undefined }) {
  const texts = useTexts(homeTexts);
  const { money } = useFormats();
  return (
    <Section title={texts.upcoming} aside={<TextLink to="/recovery">{texts.allCovers}</TextLink>}>
      {covers === undefined ? (
        <LoadingLines count={5} />
      ) : covers.length === 0 ? (
        <EmptyNotice>{texts.noUpcoming}</EmptyNotice>
      ) : (
        <RecordTable
          label={texts.upcoming}
          rows={covers}
          keyOf={({ id }) => id}
          columns={[
            {
              title: texts.payer,
              cell: ({ databaseId, payerName }) => <TextLink to={`/recovery/${databaseId}`}>{payerName}</TextLink>,
            },
            { title: texts.amount, isNumber: true, cell: ({ amount, currency }) => money(amount, currency) },
            { title: texts.retryDate, cell: (cover) => <RetryCell cover={cover} /> },
          ]}
        />
      )}
    </Section>
  );
}
