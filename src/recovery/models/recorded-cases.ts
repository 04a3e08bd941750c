import { setTimeout as sleep } from "node:timers/promises";
import type { RecordedCase } from "../engine/recorded-case.ts";
import { readRecordedCase, type LeftOut } from "./recorded-case.reading.ts";
import type { CasePeriod, CaseSelection, RecordedCaseRepository, RecordedCaseRow } from "./recorded-case.repository.ts";

/** Cases that are read by one statement. */
const PAGE_SIZE = 100;

/**
 * The recorded cases of a vendor that started in a period, or those of a country, from the oldest, a page a statement. After each page the
 * database rests for as long as the page took it, so that requests find it free. What cannot be used is left out and counted.
 */
export async function* streamRecordedCases(
  repository: Pick<RecordedCaseRepository, "page">,
  vendorId: number,
  selection: CaseSelection,
  now: Date,
  leftOut: LeftOut,
): AsyncGenerator<RecordedCase> {
  let rows: RecordedCaseRow[] = [];
  do {
    const askedAt = performance.now();
    rows = await repository.page(vendorId, selection, PAGE_SIZE, rows.at(-1));
    const tookMs = performance.now() - askedAt;
    for (const row of rows) {
      const recorded = readRecordedCase(row, now, leftOut);
      if (recorded) yield recorded;
    }
    if (rows.length === PAGE_SIZE) await sleep(tookMs);
  } while (rows.length === PAGE_SIZE);
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
