import { workerCaller } from "../vendors/people/caller.ts";
import type { PaymentContext } from "../graphql/context.ts";
import { runAsParty } from "../kernel/scheduling/current-party.ts";
import { traceWork } from "../kernel/tracing.ts";
import { required } from "../kernel/required-values.ts";
import type { VendorRecord } from "../vendors/vendor.repository.ts";
import { dueWork } from "./due-work.ts";
import { installationTasks, scheduledTasks, type InstallationTask } from "./scheduled-tasks.ts";
import type { PasswordLinkMailer } from "./password-link-mailer.ts";
import type { ModelTrainer } from "./model-trainer.ts";
import { TurnLoop } from "./turn-loop.ts";
import { runForVendor, type VendorWorkOptions } from "./vendor-work.ts";

/** The dependencies of a worker. */
export interface WorkerOptions extends VendorWorkOptions {
  /** Trains models, in threads. */
  trainer: ModelTrainer;
  /** Sends people the links to set a password. */
  passwordLinkMailer: PasswordLinkMailer;
  /** The time after which a vendor begins no further charge in its turn. Defaults to 5 seconds. */
  vendorTurnMs?: number;
  /** The most renewals or retries of a vendor that are charged at the same time. Defaults to what its payment gateways take. */
  chargeConcurrency?: number | undefined;
  /** The most renewals or retries of a vendor that are claimed in one transaction. Defaults to 50. */
  renewalBatchSize?: number | undefined;
}

/** The most steps of each kind in one turn of a vendor; renewals and retries are limited by time alone. */
const MAX_STEPS_PER_TURN = 20;
/** The number of vendors that are served at the same time. */
const VENDOR_CONCURRENCY = 4;
/** A vendor whose payment gateway is slow makes room for others before it has made all steps of its turn. */
const DEFAULT_VENDOR_TURN_MS = 5_000;
/** A vendor with more work gets no further turn after this time, so that vendors with new work do not wait longer. */
const MAX_TURN_MS = 30_000;
const IDLE_MS = 2_000;
const AFTER_FAULT_MS = 10_000;

/**
 * Runs scheduled work: renewals, retries, open payments, pauses and ends. Any number of workers may run, because each
 * step is claimed on its own row.
 */
export class Worker {
  private readonly loop: TurnLoop;

  constructor(private readonly options: WorkerOptions) {
    this.loop = new TurnLoop({
      runTurn: () => this.runTurn(),
      pauseMsAfter: (steps) => (steps > 0 ? 0 : IDLE_MS),
      afterFaultMs: AFTER_FAULT_MS,
      logger: options.logger,
      faultMessage: "the search for due work failed",
    });
  }

  /** Starts the loop of turns. It pauses when no work is due. */
  start(): void {
    this.loop.start();
  }

  /** Stops the loop, and waits for the step in progress. */
  async stop(): Promise<void> {
    const stopped = this.loop.stop();
    this.options.trainer.stop();
    this.options.passwordLinkMailer.stop();
    await stopped;
  }

  /**
   * Gives each vendor with due work a turn, several at the same time. While another vendor's turn is still running,
   * because its gateway is slow, vendors with more work get another turn. @returns the number of steps.
   */
  async runTurn(): Promise<number> {
    const { dueVendors, now, contexts } = this.options;
    const pendingVendorIds = await dueVendors.vendorsWithDueWork(now(), Object.values(dueWork));
    const end = now().getTime() + MAX_TURN_MS;
    let [stepsDone, activeVendors] = [0, 0];
    const serveAll = async (): Promise<void> => {
      for (
        let id = pendingVendorIds.shift();
        id !== undefined && !this.loop.isStopping;
        id = pendingVendorIds.shift()
      ) {
        activeVendors++;
        const steps = await this.runIsolated(id, (vendor) =>
          traceWork("due work", vendor.id, () =>
            this.serveVendor(contexts.createContext(vendor, "worker", workerCaller)),
          ),
        );
        activeVendors--;
        stepsDone += steps;
        if (steps > 0 && activeVendors > 0 && now().getTime() < end) pendingVendorIds.push(id);
      }
    };
    await Promise.all(Array.from({ length: VENDOR_CONCURRENCY }, serveAll));
    return stepsDone;
  }

  /** Runs a task of the installation, or one for every vendor with due rows. */
  async runTask(name: string): Promise<void> {
    const { dueVendors, contexts, now } = this.options;
    const ofInstallation = installationTasks[name];
    if (ofInstallation) return this.runInstallationTask(name, ofInstallation);
    const task = required(scheduledTasks[name], name);
    const vendors = task.isHousekeeping
      ? await dueVendors.vendorsMatchingAtRealTime(task.dueRows, now())
      : await dueVendors.vendorsWithDue(task.dueRows, now());
    // A vendor with many rows goes to the end of the queue after each batch, so that no other waits for all of them.
    for (let id = vendors.shift(); id !== undefined && !this.loop.isStopping; id = vendors.shift()) {
      const done = await this.runIsolated(id, (vendor) =>
        traceWork(`task ${name}`, vendor.id, () =>
          task.run(contexts.createContext(vendor, "worker", workerCaller), this.options),
        ),
      );
      if (done > 0) vendors.push(id);
    }
  }

  private async runInstallationTask(name: string, task: InstallationTask): Promise<void> {
    const { contexts, logger } = this.options;
    const tools = { ...this.options, isStopping: () => this.loop.isStopping };
    try {
      await runAsParty({ kind: "WORKER", id: "installation" }, async () => {
        while (!this.loop.isStopping && (await task.run(contexts.writeForInstallation, tools)) > 0);
      });
    } catch (error) {
      logger.error({ task: name, error: (error as Error).message }, "a job failed");
    }
  }

  private async serveVendor({
    renewalRunner: renewals,
    unchargedOrderRunner,
    paymentReconciliation,
    vendor,
    write,
  }: PaymentContext): Promise<number> {
    const end = performance.now() + (this.options.vendorTurnMs ?? DEFAULT_VENDOR_TURN_MS);
    const turn = {
      concurrency: this.options.chargeConcurrency,
      maxClaims: this.options.renewalBatchSize,
      mayContinue: () => performance.now() < end && !this.loop.isStopping,
    };
    const parts = [
      () => paymentReconciliation.resolveOpenAttempts(vendor.id),
      () => renewals.scheduleChangedMethods(MAX_STEPS_PER_TURN),
      () => renewals.makeDueRetries(turn),
      () => renewals.chargeDueRenewals(turn),
      () => unchargedOrderRunner.chargeOrders(MAX_STEPS_PER_TURN),
      () => write(({ subscriptionStop }) => subscriptionStop.applyDueTransitions(vendor.id, MAX_STEPS_PER_TURN)),
      () => write(({ orderItems }) => orderItems.advanceDueItems(vendor.id, MAX_STEPS_PER_TURN)),
    ];
    let stepsDone = 0;
    // A payment that cannot be looked up, say, must not hold up the vendor's renewals.
    for (const part of parts) stepsDone += await part().catch((error: unknown) => this.reportFault(vendor.id, error));
    return stepsDone;
  }

  /** Runs work for a vendor, and logs its error. */
  private runIsolated(vendorId: number, work: (vendor: VendorRecord) => Promise<number>): Promise<number> {
    return runForVendor(this.options.findVendor, vendorId, work, (error) => this.reportFault(vendorId, error));
  }

  /** @returns 0: nothing was done. */
  private reportFault(vendorId: number, error: unknown): number {
    this.options.logger.error({ vendorId, error: (error as Error).message }, "a job failed");
    return 0;
  }
}
