import type { ActiveKey } from "../../vendors/keys/api-key.repository.ts";

/** How long a look-up of a token is used again: the delay with which other gateways notice a revocation. */
const LIFETIME_MS = 1_000;

/** Number of tokens that are kept. */
const MAX_KEYS = 10_000;

/** Tables whose rows a look-up reads. */
const READ_TABLES = /\b(?:api_keys|vendors)\b/;
const READS = /^\s*select\b/i;

/**
 * Keeps the look-ups of tokens for a second, so that a request costs one statement less. A transaction of this process that writes keys or
 * vendors ends all of them. Which one writes is not known from a statement, so any that is open then may be the one.
 */
export class RecentKeys {
  private readonly keys = new Map<string, { key: ActiveKey; expiresAt: number }>();
  private readonly openTransactions = new Set<object>();
  private readonly mayHaveWritten = new Set<object>();
  private ends = 0;

  /** The key of a token: a recent one, or what the look-up finds. */
  async find(token: string, lookUp: () => Promise<ActiveKey | undefined>): Promise<ActiveKey | undefined> {
    const now = performance.now();
    const recent = this.keys.get(token);
    if (recent && recent.expiresAt > now) return recent.key;
    const endsBefore = this.ends;
    const key = await lookUp();
    if (!key) this.keys.delete(token);
    // A transaction that ended meanwhile may have changed what the look-up read.
    else if (this.ends === endsBefore) this.keep(token, { key, expiresAt: now + LIFETIME_MS });
    return key;
  }

  /** Notes a statement that is about to be sent. */
  noteStatement(text: string): void {
    if (READS.test(text) || !READ_TABLES.test(text)) return;
    this.endAll();
    for (const transaction of this.openTransactions) this.mayHaveWritten.add(transaction);
  }

  /** Runs a transaction, and ends all recent look-ups if it may have changed what they read. */
  async endAfter<T>(run: () => Promise<T>): Promise<T> {
    const transaction = {};
    this.openTransactions.add(transaction);
    try {
      return await run();
    } finally {
      this.openTransactions.delete(transaction);
      if (this.mayHaveWritten.delete(transaction)) this.endAll();
    }
  }

  private endAll(): void {
    this.ends++;
    this.keys.clear();
  }

  private keep(token: string, recent: { key: ActiveKey; expiresAt: number }): void {
    if (this.keys.size >= MAX_KEYS) this.keys.clear();
    this.keys.set(token, recent);
  }
}
