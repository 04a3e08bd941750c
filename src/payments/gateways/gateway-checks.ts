/** The result of one check against a live gateway. */
export interface GatewayCheck {
  name: string;
  passed: boolean;
  /** What the gateway answered, where it was not what the check expects. */
  answer: string;
}

/** Runs checks against a live gateway, one after the other, and collects their results. */
export class GatewayChecks {
  readonly results: GatewayCheck[] = [];

  /** Checks that the answer of a call matches, as JSON; an error is `{"fault": …}`. */
  async check(name: string, expected: RegExp, call: () => Promise<object>): Promise<void> {
    const answer = JSON.stringify(await call().catch((error: unknown) => ({ fault: (error as Error).message })));
    this.results.push({ name, passed: expected.test(answer), answer });
  }
}
