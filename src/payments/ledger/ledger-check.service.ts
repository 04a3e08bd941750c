import type { LedgerCheckRepository, UnbalancedPayment } from "./ledger-check.repository.ts";

/** Entries that one transaction reads: some ten milliseconds. An order's entries are never divided. */
const BATCH_ENTRIES = 5_000;
/** Checks are remembered for so long. */
const KEPT_MS = 30 * 86_400_000;

/** What is known of the ledger from its checks. */
export interface LedgerCheckState {
  /** Payments that the newest checks found, whose entries do not sum to zero. */
  unbalancedPayments: number;
  /** The time since all entries were last found checked, or since the first check began. */
  secondsSinceChecked: number;
}

interface LedgerCheckDependencies {
  ledgerCheckRepository: LedgerCheckRepository;
  realNow: Date;
}

/**
 * Checks once a day that the entries of each payment sum to zero, of all vendors. Where the engine has triggers they refuse
 * anything else, and where it has none the repository of the ledger does; the check finds what was written past both.
 */
export class LedgerCheckService {
  constructor(private readonly deps: LedgerCheckDependencies) {}

  /** Checks the next entries. @returns whether more are to be checked, and the payments that do not balance. */
  async checkNext(entries = BATCH_ENTRIES): Promise<{ isDone: boolean; unbalanced: UnbalancedPayment[] }> {
    const { ledgerCheckRepository: checks, realNow } = this.deps;
    const check = (await checks.lockUnfinished()) ?? (await this.begin());
    if (!check) return { isDone: true, unbalanced: [] };
    const until = await checks.orderAfter(check, entries);
    const unbalanced = await checks.unbalancedBetween(check, until);
    await checks.save(check.day, {
      ...(until ?? { finishedAt: realNow }),
      unbalancedPayments: check.unbalancedPayments + unbalanced.length,
    });
    return { isDone: until === undefined, unbalanced };
  }

  /** What the checks found; undefined before the first one. */
  async state(): Promise<LedgerCheckState | undefined> {
    const { ledgerCheckRepository: checks, realNow } = this.deps;
    const { newest, finished } = await checks.latest();
    if (!newest) return undefined;
    const since = finished?.finishedAt ?? newest.startedAt;
    return {
      unbalancedPayments: Math.max(newest.unbalancedPayments, finished?.unbalancedPayments ?? 0),
      secondsSinceChecked: Math.max(0, (realNow.getTime() - since.getTime()) / 1000),
    };
  }

  /** Begins the check of the day. @returns undefined if it ended already, or another process has it. */
  private async begin() {
    const { ledgerCheckRepository: checks, realNow } = this.deps;
    if (!(await checks.add(dayOf(realNow), realNow))) return undefined;
    await checks.removeBefore(dayOf(new Date(realNow.getTime() - KEPT_MS)));
    return checks.lockUnfinished();
  }
}

const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);
