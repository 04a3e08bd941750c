/** How a breaker behaves. */
export interface BreakerRules {
  /** So many faults in a row open it. */
  faults: number;
  /** How long it stays open at first; each trial that fails doubles it. */
  openMs: number;
  mostOpenMs: number;
}

/**
 * Keeps calls from a service that does not answer. After some faults in a row it opens, and calls are refused at once;
 * after a while it lets one through as a trial, which closes it or opens it for longer. Nobody has to reset it.
 */
export class CircuitBreaker {
  private faults = 0;
  private openUntil = 0;
  private openMs: number;
  private trying = false;

  constructor(
    private readonly rules: BreakerRules,
    private readonly now: () => number,
  ) {
    this.openMs = rules.openMs;
  }

  /** Whether a call may be made; the one that is let through an open breaker is its trial. */
  admits(): boolean {
    if (this.faults < this.rules.faults) return true;
    if (this.trying || this.now() < this.openUntil) return false;
    this.trying = true;
    return true;
  }

  succeeded(): void {
    this.faults = 0;
    this.trying = false;
    this.openMs = this.rules.openMs;
  }

  failed(): void {
    const wasTrial = this.trying;
    this.trying = false;
    this.faults++;
    if (this.faults < this.rules.faults) return;
    if (wasTrial) this.openMs = Math.min(this.openMs * 2, this.rules.mostOpenMs);
    this.openUntil = this.now() + this.openMs;
  }
}
