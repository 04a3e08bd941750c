import { setImmediate as nextTurn } from "node:timers/promises";
import { lastOf } from "../../kernel/required-values.ts";
import type { RecordedCase } from "../engine/recorded-case.ts";
import { readRecordedCase, type LeftOut } from "./recorded-case.reading.ts";
import type {
  CasePeriod,
  CasePosition,
  CaseSelection,
  RecordedCaseRepository,
  RecordedCaseRow,
} from "./recorded-case.repository.ts";

/** Cases that are read by one statement. */
const PAGE_SIZE = 100;

/**
 * The recorded cases of a vendor that started in a period, or those of a country, from the oldest, a page a statement; the next page
 * is read while one is used. What cannot be used is left out and counted.
 */
export async function* streamRecordedCases(
  repository: Pick<RecordedCaseRepository, "page">,
  vendorId: number,
  selection: CaseSelection,
  now: Date,
  leftOut: LeftOut,
): AsyncGenerator<RecordedCase> {
  const readPage = (after?: CasePosition) => repository.page(vendorId, selection, PAGE_SIZE, after);
  let next: Promise<RecordedCaseRow[]> | null = readPage();
  while (next) {
    const rows: RecordedCaseRow[] = await next;
    next = rows.length < PAGE_SIZE ? null : readPage(lastOf(rows));
    // Whoever stops early never learns that the next page failed.
    next?.catch(() => undefined);
    // The driver sends a statement between turns of the event loop: from here on the database works beside this process.
    await nextTurn();
    for (const row of rows) {
      const recorded = readRecordedCase(row, now, leftOut);
      if (recorded) yield recorded;
    }
  }
}

/** The same of a vendor and its children: one after the other, each from its oldest case. */
export async function* streamFamilyCases(
  repository: Pick<RecordedCaseRepository, "page" | "familyWithCases">,
  vendorId: number,
  period: CasePeriod,
  now: Date,
  leftOut: LeftOut,
): AsyncGenerator<RecordedCase> {
  for (const id of await repository.familyWithCases(vendorId, period))
    yield* streamRecordedCases(repository, id, period, now, leftOut);
}
