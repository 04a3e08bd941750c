import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { useVendor } from "../session/vendor.tsx";
import type { CoverEndReason } from "../generated/operations.ts";
import { awaitedStep, passedRetry } from "./awaited-step.ts";
import { recoveryTexts } from "./recovery.texts.ts";
import { recoveryWords } from "./words.texts.ts";

interface RetryCellProps {
  cover: {
    retryDate: string | null;
    endReason: CoverEndReason | null;
    renewalOrder: unknown;
    decision: { retryDate: string | null } | null;
  };
}

/**
 * The date by which lists of covers are filtered and sorted, or the end of the cover. A date that has passed stays, with
 * what it waits for, until the attempt is reported: the next one depends on the report.
 */
export function RetryCell({ cover }: RetryCellProps) {
  const texts = useTexts(recoveryTexts);
  const { endReasons } = useTexts(recoveryWords);
  const { time } = useFormats();
  const { now } = useVendor();
  const { retryDate, endReason } = cover;
  if (endReason !== null) return endReasons[endReason];
  const awaited = awaitedStep(cover);
  const passed = passedRetry(cover, now);
  if (passed !== undefined && awaited !== "advice")
    return (
      <>
        <time dateTime={passed}>{time(passed)}</time>, {texts.passed[awaited]}
      </>
    );
  return retryDate === null ? texts.waits[awaited] : <time dateTime={retryDate}>{time(retryDate)}</time>;
}
