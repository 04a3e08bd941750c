import type { CoverStoryQuery, EventType } from "../generated/operations.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { useAuthorText } from "../parts/event-author.ts";
import { Section } from "../parts/section.tsx";
import { recoveryTexts } from "./recovery.texts.ts";
import { recoveryWords } from "./words.texts.ts";

type Cover = NonNullable<CoverStoryQuery["cover"]>;

interface StoryStep {
  id: string;
  at: string;
  title: string;
  text?: string | undefined;
  kind: "declined" | "decision" | "event";
}

/** Events that the attempts and the decisions tell in more words. */
const TOLD_ELSEWHERE = new Set<EventType>(["COVER_STARTED", "COVER_ATTEMPT_FAILED", "COVER_RETRY_SCHEDULED"]);

/** Declines, decisions and other events of a cover in the order of their time. */
export function CoverStory({ cover, zoneId }: { cover: Cover; zoneId: string | undefined }) {
  const texts = useTexts(recoveryTexts);
  const words = useTexts(recoveryWords);
  const { time } = useFormats();
  const authorText = useAuthorText();
  const attempts: StoryStep[] = cover.attempts.nodes.map((attempt) => ({
    id: attempt.id,
    at: attempt.attemptedAt,
    title: `${texts.attempt(attempt.number, words.kinds[attempt.kind])}: ${words.reasons[attempt.reasonClass]}`,
    text: [attempt.errorCode !== null && texts.declined(attempt.errorCode), attempt.errorMessage]
      .filter(Boolean)
      .join(" · "),
    kind: "declined",
  }));
  const decisions: StoryStep[] = cover.decisions.nodes.map(({ id, decidedAt, explanation }) => ({
    id,
    at: decidedAt,
    title: texts.decision,
    text: explanation,
    kind: "decision",
  }));
  const events: StoryStep[] = cover.timeline.nodes
    .filter(({ type }) => !TOLD_ELSEWHERE.has(type))
    .map(({ id, occurredAt, title, author }) => ({
      ...{ id, at: occurredAt, title, kind: "event" },
      text: authorText(author, ""),
    }));
  // A stable sort: at one time the decline comes before the decision about it.
  const steps = [...attempts, ...decisions, ...events].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return (
    <Section title={texts.story}>
      <ol className="story">
        {steps.map(({ id, at, title, text, kind }) => (
          <li key={id} data-kind={kind}>
            <time dateTime={at}>{time(at, zoneId)}</time>
            <strong>{title}</strong>
            {text && <p>{text}</p>}
          </li>
        ))}
      </ol>
    </Section>
  );
}
