import { Stack, Text } from "@mantine/core";
import type { CoverStoryQuery } from "../generated/operations.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { Section } from "../parts/section.tsx";
import { useVendor } from "../session/vendor.tsx";
import { awaitedStep, passedRetry } from "./awaited-step.ts";
import { Calendar, type CalendarMark } from "./calendar.tsx";
import { dayIn } from "./calendar.dates.ts";
import { recoveryTexts } from "./recovery.texts.ts";
import { recoveryWords } from "./words.texts.ts";

type Cover = NonNullable<CoverStoryQuery["cover"]>;

/** The next retry, on a calendar of the payer's days. */
export function NextRetry({ cover, zoneId }: { cover: Cover; zoneId: string }) {
  const texts = useTexts(recoveryTexts);
  const words = useTexts(recoveryWords);
  const { time, percent, count } = useFormats();
  const { now } = useVendor();
  const { retryDate, decision, promisedAt, endReason, endedAt, state } = cover;
  const awaited = awaitedStep(cover);
  const passed = endReason === null ? passedRetry(cover, now) : undefined;
  const laterDates = (decision?.alternatives ?? []).filter((instant) => instant !== retryDate);
  const markOf = (kind: CalendarMark["kind"], instant: string): CalendarMark => ({
    day: dayIn(zoneId, instant),
    kind,
    label: texts.calendarMarks[kind],
  });
  // The first mark of a day counts: what comes next is more than what was.
  const marks = [
    ...(retryDate === null ? [] : [markOf("next", retryDate)]),
    ...(state === "RECOVERED" && endedAt !== null ? [markOf("recovered", endedAt)] : []),
    ...cover.attempts.nodes.map(({ attemptedAt }) => markOf("declined", attemptedAt)),
    ...(retryDate === null ? [] : laterDates.map((instant) => markOf("later", instant))),
  ];
  return (
    <Section title={texts.nextTry}>
      <Stack gap="sm">
        {retryDate === null ? (
          <Text>
            {endReason !== null ? `${texts.noNext} ${words.endReasons[endReason]}` : `${texts.waits[awaited]}.`}
          </Text>
        ) : (
          <div>
            <Text size="lg" fw={700}>
              <time dateTime={retryDate}>{time(retryDate, zoneId)}</time>
            </Text>
            <Text size="sm" c="dimmed">
              {texts.payerZone(zoneId)} {promisedAt !== null && texts.promised}
            </Text>
          </div>
        )}
        {passed !== undefined && awaited === "report" && <Text>{texts.overdue(time(passed, zoneId))}</Text>}
        <Calendar label={texts.calendar} marks={marks} />
        {decision && retryDate !== null && (
          <dl className="facts">
            <dt>{texts.budget}</dt>
            <dd>{texts.budgetValue(count(decision.budget.used), count(decision.budget.limit))}</dd>
            {laterDates.length > 0 && (
              <>
                <dt>{texts.later}</dt>
                <dd>{laterDates.map((instant) => time(instant, zoneId)).join("; ")}</dd>
              </>
            )}
            {decision.probability !== null && (
              <>
                <dt>{texts.probability}</dt>
                <dd>{percent(decision.probability)}</dd>
              </>
            )}
          </dl>
        )}
      </Stack>
    </Section>
  );
}
