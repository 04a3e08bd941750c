/** How a breaker behaves. */
export interface BreakerRules {
  /** So many faults in a row open it. */
  faultThreshold: number;
  /** How long it stays open at first; each trial that fails doubles it. */
  initialOpenMs: number;
  maxOpenMs: number;
}

/**
 * Keeps calls from a service that does not answer. After some faults in a row it opens, and calls are refused at once;
 * after a while it lets one through as a trial, which closes it or opens it for longer. Nobody has to reset it.
 */
export class CircuitBreaker {
  private consecutiveFaults = 0;
  private openUntil = 0;
  private openMs: number;
  private isTrialRunning = false;

  constructor(
    private readonly rules: BreakerRules,
    private readonly now: () => number,
  ) {
    this.openMs = rules.initialOpenMs;
  }

  /** Whether a call may be made; the one that is let through an open breaker is its trial. */
  allowsCall(): boolean {
    if (this.consecutiveFaults < this.rules.faultThreshold) return true;
    if (this.isTrialRunning || this.now() < this.openUntil) return false;
    this.isTrialRunning = true;
    return true;
  }

  recordSuccess(): void {
    this.consecutiveFaults = 0;
    this.isTrialRunning = false;
    this.openMs = this.rules.initialOpenMs;
  }

  recordFailure(): void {
    const wasTrial = this.isTrialRunning;
    this.isTrialRunning = false;
    this.consecutiveFaults++;
    if (this.consecutiveFaults < this.rules.faultThreshold) return;
    if (wasTrial) this.openMs = Math.min(this.openMs * 2, this.rules.maxOpenMs);
    this.openUntil = this.now() + this.openMs;
  }
}
