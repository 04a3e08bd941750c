import { invalidField } from "../../kernel/refusals.ts";
import { lastOf } from "../../kernel/required-values.ts";
import type {
  CasePeriod,
  CasePosition,
  CaseSelection,
  RecordedCaseRepository,
  RecordedCaseRow,
} from "../models/recorded-case.repository.ts";

/** How much one computation may take. */
export interface CaseLimits {
  maxCases: number;
  timeoutMs: number;
}

/** What a request may take: an answer within about a minute on one core. */
export const REQUEST_LIMITS: CaseLimits = { maxCases: 5_000, timeoutMs: 120_000 };

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 90;
const MAX_DAYS = 731;
const PAGE_SIZE = 100;

/** The period of a request: the last 90 days unless it has another. @throws a Refusal INVALID_ARGUMENT */
export function toCasePeriod({ from: requestedFrom, until: requestedUntil }: RequestedPeriod, now: Date): CasePeriod {
  const until = requestedUntil ?? now;
  const from = requestedFrom ?? new Date(until.getTime() - DEFAULT_DAYS * DAY_MS);
  if (from >= until) throw invalidField("from", "must be before `until`.");
  if (until.getTime() - from.getTime() > MAX_DAYS * DAY_MS)
    throw invalidField("from", `must be at most ${MAX_DAYS} days before \`until\`.`);
  return { from, until };
}

/** The ends of a period, as far as they were requested. */
export interface RequestedPeriod {
  from?: Date | null;
  until?: Date | null;
}

/** The cases of a vendor and its children, a page a statement. `refuse` makes the error of a period with more than `maxCases`. */
export async function* familyCasePages(
  repository: RecordedCaseRepository,
  vendorId: number,
  selection: CaseSelection,
  maxCases: number,
  refuse: () => Error,
): AsyncGenerator<RecordedCaseRow[]> {
  let count = 0;
  for (const id of await repository.familyWithCases(vendorId, selection)) {
    let after: CasePosition | undefined;
    for (;;) {
      const rows = await repository.page(id, selection, PAGE_SIZE, after);
      count += rows.length;
      if (count > maxCases) throw refuse();
      // Numbers of customers are unique within a vendor only.
      yield rows.map((row) => ({ ...row, payer: row.payer && `${id} ${row.payer}` }));
      if (rows.length < PAGE_SIZE) break;
      after = lastOf(rows);
    }
  }
}

/** The pages until they have so many cases, and all of them from the start. */
export async function takeFirstCases(
  pages: AsyncGenerator<RecordedCaseRow[]>,
  wanted: number,
): Promise<{ first: RecordedCaseRow[]; all: AsyncIterable<RecordedCaseRow[]> }> {
  const first: RecordedCaseRow[] = [];
  while (first.length < wanted) {
    const page: IteratorResult<RecordedCaseRow[], unknown> = await pages.next();
    if (page.done) break;
    first.push(...page.value);
  }
  return { first, all: startingWith(first, pages) };
}

async function* startingWith(
  first: RecordedCaseRow[],
  rest: AsyncGenerator<RecordedCaseRow[]>,
): AsyncGenerator<RecordedCaseRow[]> {
  yield first;
  yield* rest;
}
