import { setTimeout as wait } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";

interface TurnLoopOptions {
  /** Does what is due. @returns the number of steps that were made. */
  runTurn: () => Promise<number>;
  /** The pause after a turn of so many steps, in milliseconds. */
  pauseMsAfter: (steps: number) => number;
  /** The pause after a turn that failed, in milliseconds. */
  afterFaultMs: number;
  /** What ends a pause early. */
  listWakers?: () => Iterable<Promise<unknown>>;
  logger: FastifyBaseLogger;
  /** What the log says of a turn that failed. */
  faultMessage: string;
}

/** Runs turns, one after the other, until it is stopped. A turn that fails is logged, and others follow. */
export class TurnLoop {
  private running: Promise<void> | undefined;
  private readonly stopping = new AbortController();

  constructor(private readonly options: TurnLoopOptions) {}

  /** True as soon as the turn in progress is to end. */
  get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  start(): void {
    this.running = this.runTurns();
  }

  /** Stops the loop, and waits for the turn in progress. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async runTurns(): Promise<void> {
    const { signal } = this.stopping;
    while (!this.isStopping) {
      const pauseMs = await this.runTurn();
      if (pauseMs === 0) continue;
      const pause = wait(pauseMs, undefined, { signal }).catch(() => undefined);
      await Promise.race([pause, ...(this.options.listWakers?.() ?? [])]);
    }
  }

  private async runTurn(): Promise<number> {
    const { runTurn, pauseMsAfter, afterFaultMs, logger, faultMessage } = this.options;
    try {
      return pauseMsAfter(await runTurn());
    } catch (error) {
      logger.error({ error: (error as Error).message }, faultMessage);
      return afterFaultMs;
    }
  }
}
