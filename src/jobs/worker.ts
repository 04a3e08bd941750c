import { setTimeout as wait } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import type { Contexts, GatewayContext } from "../graphql/context.ts";
import { asParty } from "../kernel/current-party.ts";
import { faultCodes } from "../payments/gateways/payment.faults.ts";
import type { Step } from "../renewals/renewal-runner.service.ts";
import type { VendorRecord } from "../vendors/vendor.repository.ts";
import { tasks } from "./scheduled-tasks.ts";
import type { WorkRepository } from "./due-work.repository.ts";

/** What a worker works with. */
export interface WorkerParts {
  contexts: Contexts;
  work: WorkRepository;
  vendorOf: (id: number) => Promise<VendorRecord | undefined>;
  now: () => Date;
  logger: FastifyBaseLogger;
}

/** How much of one vendor's work is done before the next vendor has its turn. */
const MOST_PER_TURN = 20;
/** How many vendors are served at once. */
const AT_ONCE = 4;
/** Vendors that have come to have work meanwhile wait no longer than this for those that go on and on. */
const LONGEST_TURN_MS = 30_000;
const IDLE_MS = 2_000;
const AFTER_FAULT_MS = 10_000;

/**
 * Does what time brings: renewals, retries, what gateways left open, pauses and ends. Any number of workers may run: each
 * step is claimed on its own row.
 */
export class Worker {
  private running: Promise<void> | undefined;
  private readonly stopping = new AbortController();

  constructor(private readonly parts: WorkerParts) {}

  /** Works until it is stopped, gently: with a rest wherever nothing was due. */
  start(): void {
    this.running = this.loop();
  }

  /** Ends what is under way and starts nothing more. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /**
   * Gives each vendor that has work its turn, some of them at once. As long as one of them takes its time, because its gateway
   * does, those that have more to do get another. @returns how much was done.
   */
  async turn(): Promise<number> {
    const { work, now, contexts } = this.parts;
    const waiting = await work.vendorsWithWork(now(), faultCodes);
    const end = now().getTime() + LONGEST_TURN_MS;
    let [done, served] = [0, 0];
    const serveAll = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined && !this.stopping.signal.aborted; id = waiting.shift()) {
        served++;
        const steps = await this.shielded(id, (vendor) => this.serve(contexts.of(vendor, "worker")));
        served--;
        done += steps;
        if (steps > 0 && served > 0 && now().getTime() < end) waiting.push(id);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, serveAll));
    return done;
  }

  /** Does a task for every vendor at which there may be something to do. */
  async perform(name: string): Promise<void> {
    const { work, contexts, now } = this.parts;
    const task = tasks[name]!;
    const vendors = task.isHousekeeping
      ? await work.vendorsWithLeftovers(task.rows, now())
      : await work.vendorsAt(task.rows, now());
    for (const id of vendors) {
      if (this.stopping.signal.aborted) return;
      await this.shielded(id, async (vendor) => {
        const context = contexts.of(vendor, "worker");
        while (!this.stopping.signal.aborted && (await task.work(context)) > 0);
        return 0;
      });
    }
  }

  private async serve({ biller, cashier, vendor, write }: GatewayContext): Promise<number> {
    let done = await cashier!.sweep(vendor.id);
    done += await biller!.settle(MOST_PER_TURN);
    done += await this.repeat(() => biller!.retry());
    done += await this.repeat(() => biller!.charge());
    done += await biller!.chargeAtOnce(MOST_PER_TURN);
    done += await write(({ subscriptionEnding }) => subscriptionEnding.actOnDue(vendor.id, MOST_PER_TURN));
    done += await write(({ orderItems }) => orderItems.finishDue(vendor.id, MOST_PER_TURN));
    return done;
  }

  /** Takes steps until none is due, or one could not be done: a gateway that is away is not asked again in the same turn. */
  private async repeat(step: () => Promise<Step>): Promise<number> {
    for (let done = 0; done < MOST_PER_TURN; done++) {
      const what = await step();
      if (what === "NOTHING") return done;
      if (what === "PUT_OFF") return done + 1;
    }
    return MOST_PER_TURN;
  }

  /** One vendor's fault is no other's. */
  private async shielded(vendorId: number, work: (vendor: VendorRecord) => Promise<number>): Promise<number> {
    try {
      return await asParty({ kind: "WORKER", id: vendorId }, async () => {
        const vendor = await this.parts.vendorOf(vendorId);
        return vendor ? work(vendor) : 0;
      });
    } catch (error) {
      this.parts.logger.error({ vendorId, error: (error as Error).message }, "work failed");
      return 0;
    }
  }

  private async loop(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      let rest = IDLE_MS;
      try {
        if ((await this.turn()) > 0) rest = 0;
      } catch (error) {
        this.parts.logger.error({ error: (error as Error).message }, "work cannot be looked for");
        rest = AFTER_FAULT_MS;
      }
      if (rest > 0) await wait(rest, undefined, { signal }).catch(() => undefined);
    }
  }
}
