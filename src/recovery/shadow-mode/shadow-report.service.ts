import { invalid } from "../../kernel/refusals.ts";
import { computeInThread } from "../case-threads/case-computation.ts";
import {
  familyCasePages,
  REQUEST_LIMITS,
  takeFirstCases,
  toCasePeriod,
  type RequestedPeriod,
} from "../case-threads/family-cases.ts";
import { publishedPrior } from "../models/published-prior.ts";
import type { RecordedCaseRepository } from "../models/recorded-case.repository.ts";
import { reportShadow } from "./shadow-report.ts";
import type { ShadowReportJob, ShadowReportResult } from "./shadow-report-job.ts";

/** A shadow report with its period. */
export interface ShadowReport extends ShadowReportResult {
  from: Date;
  until: Date;
  /** When it was computed, by the vendor's clock. */
  madeAt: Date;
}

/** Estimates what the advice of shadow mode would have recovered of the family's recorded cases. */
export class ShadowReportService {
  constructor(
    private readonly deps: {
      recordedCaseRepository: RecordedCaseRepository;
      vendor: { id: number };
      now: Date;
    },
  ) {}

  /** @throws a Refusal INVALID_ARGUMENT, SHADOW_REPORT_TOO_LARGE or ESTIMATES_BUSY */
  async report(requested: RequestedPeriod): Promise<ShadowReport> {
    const { recordedCaseRepository, vendor, now } = this.deps;
    const period = toCasePeriod(requested, now);
    const about = { ...period, madeAt: now };
    const { maxCases, timeoutMs } = REQUEST_LIMITS;
    const selection = { ...period, onlyShadows: true as const };
    const pages = familyCasePages(recordedCaseRepository, vendor.id, selection, maxCases, () =>
      refuseLarge(`The period has more than ${maxCases} covers in shadow mode.`),
    );
    const prior = publishedPrior();
    const { first, all } = await takeFirstCases(pages, 1);
    if (first.length === 0) return { ...about, ...reportShadow([], prior, now), unusableCases: 0 };
    const result = await computeInThread<ShadowReportJob, ShadowReportResult>(vendor.id, {
      ...{ program: "shadow-mode/shadow-report-thread", pages: all, job: { prior, now }, timeoutMs },
      busyCode: "ESTIMATES_BUSY",
      refuseSlow: () => refuseLarge("The report took too long."),
    });
    return { ...about, ...result };
  }
}

const refuseLarge = (why: string) => invalid("SHADOW_REPORT_TOO_LARGE", `${why} Choose a shorter period.`);
