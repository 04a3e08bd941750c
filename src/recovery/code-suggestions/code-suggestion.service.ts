import { overLimit } from "../../kernel/refusals.ts";
import { computeInThread } from "../case-threads/case-computation.ts";
import { REQUEST_LIMITS } from "../case-threads/family-cases.ts";
import { MIN_TRIES, type CodeSuggestion } from "../estimates/code-suggestion.ts";
import { selectTrustedModel } from "../models/model-selection.ts";
import type { RecordedCaseRepository, RecordedCaseRow } from "../models/recorded-case.repository.ts";
import type { RecoveryModelRepository } from "../models/recovery-model.repository.ts";
import type { CodeSuggestionJob, UnmappedCode } from "./code-suggestion-job.ts";

/** Cases that are read for one code, if others leave room for them. */
const MAX_CASES_PER_CODE = 1_000;
const PAGE_SIZE = 100;
const RETRY_AFTER_SECONDS = 60;

/** Says what unmapped codes behave like, by the vendor's recorded cases. */
export class CodeSuggestionService {
  constructor(
    private readonly deps: {
      recordedCaseRepository: RecordedCaseRepository;
      recoveryModelRepository: RecoveryModelRepository;
      vendor: { id: number };
      now: Date;
    },
  ) {}

  /**
   * The class that each code behaves like, in the order of the codes; null where that is not clear. Codes with few declines are not looked
   * up. @throws a Refusal ESTIMATES_BUSY
   */
  async suggest(declines: readonly (UnmappedCode & { declines: number })[]): Promise<(CodeSuggestion | null)[]> {
    const { recordedCaseRepository, recoveryModelRepository, vendor, now } = this.deps;
    const nothing = declines.map(() => null);
    const isFrequent = ({ code, declines: count }: { code: string; declines: number }) =>
      code !== "" && count >= MIN_TRIES;
    const codes = declines.filter(isFrequent).map(({ gateway, code }) => ({ gateway, code }));
    if (codes.length === 0) return nothing;
    const model = await selectTrustedModel(recoveryModelRepository, vendor.id);
    const casesPerCode = Math.min(MAX_CASES_PER_CODE, Math.floor(REQUEST_LIMITS.maxCases / codes.length));
    const ids = await recordedCaseRepository.coversWithCodes(vendor.id, codes, casesPerCode);
    if (!model || ids.length === 0) return nothing;
    const suggestions = await computeInThread<CodeSuggestionJob, (CodeSuggestion | null)[]>(vendor.id, {
      ...{ program: "code-suggestions/code-suggestion-thread", pages: this.pages(ids), job: { codes, model, now } },
      timeoutMs: REQUEST_LIMITS.timeoutMs,
      busyCode: "ESTIMATES_BUSY",
      refuseSlow: () =>
        overLimit("ESTIMATES_BUSY", "The suggestions took too long; request fewer rows.", RETRY_AFTER_SECONDS),
    });
    const inOrder = suggestions.values();
    return declines.map((one) => (isFrequent(one) ? (inOrder.next().value ?? null) : null));
  }

  /** The cases of some covers, a page a statement. */
  private async *pages(ids: readonly number[]): AsyncGenerator<RecordedCaseRow[]> {
    for (let start = 0; start < ids.length; start += PAGE_SIZE)
      yield await this.deps.recordedCaseRepository.ofCovers(this.deps.vendor.id, ids.slice(start, start + PAGE_SIZE));
  }
}
