/** The thresholds of a breaker. */
export interface BreakerRules {
  /** Number of consecutive faults that open it. */
  faultThreshold: number;
  /** Duration of the first open phase; each failed trial doubles it. */
  initialOpenMs: number;
  maxOpenMs: number;
}

/**
 * Stops calls to a service that does not answer. After a number of consecutive faults it opens, and calls are refused
 * at once; after a while it lets one through as a trial, which closes it or opens it for longer. It needs no manual
 * reset.
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
