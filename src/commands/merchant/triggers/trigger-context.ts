import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../api-client.ts";

/** Ids of the records that a trigger created, under the names that they have in the data of events. */
export type Created = Record<string, string | number>;

/** What makes an event occur. */
export interface Trigger {
  act: (context: TriggerContext) => Promise<Created>;
  /** Whether it advances the test clock of the vendor, so that other records become due too. */
  advancesClock?: true;
}

/** A record of a payload. */
export interface PayloadRecord {
  databaseId: number;
  code: string;
}

const WORKER_PAUSE_MS = 500;

/** The vendor that a trigger acts on. */
export class TriggerContext {
  constructor(
    private readonly client: ApiClient,
    /** The time by the vendor's clock. */
    readonly now: Date,
  ) {}

  /** Runs a mutation with one input, and returns its payload. */
  async mutate<Payload = Record<string, PayloadRecord>>(
    mutation: string,
    inputType: string,
    input: object,
    selection: string,
  ): Promise<Payload> {
    const data = await this.client.run<Record<string, Payload>>(
      `mutation Trigger($input: ${inputType}!) { ${mutation}(input: $input) { ${selection} } }`,
      { input },
    );
    return data[mutation] as Payload;
  }

  query<Data>(text: string, variables: object = {}): Promise<Data> {
    return this.client.run<Data>(text, variables);
  }

  async advanceClock(by: string): Promise<void> {
    await this.mutate("advanceTestClock", "AdvanceTestClockInput", { by }, "now");
  }

  /** Waits until workers have done what a check looks for. @returns whether they have within the time. */
  async waitFor(check: () => Promise<boolean>, limitMs: number): Promise<boolean> {
    const end = performance.now() + limitMs;
    for (;;) {
      if (await check()) return true;
      if (performance.now() > end) return false;
      await sleep(WORKER_PAUSE_MS);
    }
  }
}
