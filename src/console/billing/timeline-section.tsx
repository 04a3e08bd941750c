import type { TimelineStepFragment } from "../generated/operations.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { EVENT_AUTHOR, useAuthorText } from "../parts/event-author.ts";
import { EmptyNotice } from "../parts/notices.tsx";
import { partsTexts } from "../parts/parts.texts.ts";
import { Section } from "../parts/section.tsx";

/** The part of a document that its timeline needs; the document has the variable `$language`. */
export const TIMELINE_STEP = /* GraphQL */ `
  fragment TimelineStep on TimelineEvent {
    id
    title(language: $language)
    occurredAt
    subjectName
    amount
    currency
    actor
    author {
      ...EventAuthor
    }
    reason
  }
  ${EVENT_AUTHOR}
`;

/** The newest events of a record. */
export function TimelineSection({ steps }: { steps: readonly TimelineStepFragment[] }) {
  const texts = useTexts(partsTexts);
  const { time, money } = useFormats();
  const authorText = useAuthorText();
  return (
    <Section title={texts.timeline} className="timeline">
      {steps.length === 0 ? (
        <EmptyNotice>{texts.noEvents}</EmptyNotice>
      ) : (
        <ol className="story">
          {steps.map(({ id, title, occurredAt, subjectName, amount, currency, actor, author, reason }) => (
            <li key={id}>
              <time dateTime={occurredAt}>{time(occurredAt)}</time>
              <strong>{title}</strong>
              <p>
                {[
                  subjectName,
                  amount !== null && currency !== null && money(amount, currency),
                  authorText(author, texts.actors[actor]),
                  reason,
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </p>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}
