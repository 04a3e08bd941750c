import type { ActiveKey } from "../../vendors/keys/api-key.repository.ts";

/** How long a look-up of a token is used again: the delay with which other gateways notice a revocation. */
const LIFETIME_MS = 1_000;

/** Number of tokens that are kept. */
const MAX_KEYS = 10_000;

/**
 * Keeps the look-ups of tokens for a second, so that a page costs one statement less. Any transaction of this process can
 * change keys or their vendors, so each one ends all of them.
 */
export class RecentKeys {
  private readonly keys = new Map<string, { key: ActiveKey; expiresAt: number }>();
  private transactions = 0;

  /** The key of a token: a recent one, or what the look-up finds. */
  async find(token: string, lookUp: () => Promise<ActiveKey | undefined>): Promise<ActiveKey | undefined> {
    const now = performance.now();
    const recent = this.keys.get(token);
    if (recent && recent.expiresAt > now) return recent.key;
    const transactionsBefore = this.transactions;
    const key = await lookUp();
    if (!key) this.keys.delete(token);
    // A transaction that ended meanwhile may have changed what the look-up read.
    else if (this.transactions === transactionsBefore) this.keep(token, { key, expiresAt: now + LIFETIME_MS });
    return key;
  }

  /** Runs a transaction, and ends all recent look-ups. */
  async endAfter<T>(transaction: () => Promise<T>): Promise<T> {
    try {
      return await transaction();
    } finally {
      this.transactions++;
      this.keys.clear();
    }
  }

  private keep(token: string, recent: { key: ActiveKey; expiresAt: number }): void {
    if (this.keys.size >= MAX_KEYS) this.keys.clear();
    this.keys.set(token, recent);
  }
}
