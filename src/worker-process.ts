import type { FastifyBaseLogger } from "fastify";
import type { Database } from "./database/client.ts";
import type { ContextFactory } from "./graphql/context.ts";
import { createRepositories } from "./graphql/repositories.ts";
import { startJobQueue, type JobQueue } from "./jobs/job-queue.ts";
import { installationTasks, scheduledTasks } from "./jobs/scheduled-tasks.ts";
import { DueVendorRepository } from "./jobs/due-vendor.repository.ts";
import { ModelTrainer } from "./jobs/model-trainer.ts";
import { EventNumbering } from "./jobs/event-numbering.ts";
import { MessageDispatcher } from "./jobs/message-dispatcher.ts";
import { PasswordLinkMailer } from "./jobs/password-link-mailer.ts";
import { WebhookDispatcher } from "./jobs/webhook-dispatcher.ts";
import { Worker } from "./jobs/worker.ts";
import type { Clock } from "./kernel/clock.ts";
import { MailSender } from "./notifications/senders/mail-sender.ts";
import { createMessageSenders, type MessageSenderSettings } from "./notifications/senders/message-senders.ts";
import type { Metrics } from "./operations/metrics.ts";
import { publishedPrior, toSharedModel } from "./recovery/models/published-prior.ts";

/** The dependencies of a worker process. */
interface WorkerProcessOptions {
  contexts: ContextFactory;
  database: Database;
  clock: Clock;
  logger: FastifyBaseLogger;
  /** The senders of messages to customers. */
  messages: MessageSenderSettings;
  /** Counts what it does; none is kept if nobody can read them. */
  metrics?: Metrics | undefined;
  /** The most renewals of a vendor that are charged at the same time. Defaults to what its payment gateways take. */
  chargeConcurrency?: number | undefined;
  /** The most renewals of a vendor that are claimed in one transaction. Defaults to 50. */
  renewalBatchSize?: number | undefined;
}

/** A worker that looks for work in a database until it is stopped. */
export interface RunningWorker {
  /** Runs a scheduled task for all vendors of the database. */
  runTask(name: string): Promise<void>;
  /** Ends what is under way. */
  stop(): Promise<void>;
}

/** Starts to do what time brings, beside a gateway or by itself. */
export async function startWorker({
  contexts,
  database,
  clock,
  logger,
  messages,
  metrics,
  chargeConcurrency,
  renewalBatchSize,
}: WorkerProcessOptions): Promise<RunningWorker> {
  const dueVendors = new DueVendorRepository(database.handle);
  const { vendors, recoveryModels } = createRepositories(database.handle);
  // Decisions name their model: the one that ships with this version must be found by those that come after it.
  await recoveryModels.addShared(toSharedModel(publishedPrior(), clock.now()));
  const findVendor = (id: number) => vendors.byId(id);
  const trainer = new ModelTrainer(database.source);
  const vendorWork = { contexts, dueVendors, findVendor, now: () => clock.now(), logger };
  const passwordLinkMailer = new PasswordLinkMailer(messages.mail && new MailSender(messages.mail));
  const worker = new Worker({ ...vendorWork, trainer, passwordLinkMailer, chargeConcurrency, renewalBatchSize });
  worker.start();
  const numbering = new EventNumbering({
    ...{ write: contexts.writeForInstallation, dueVendors, logger },
    countEvent: metrics && ((name) => metrics.countEvent(name)),
    countRecovered: metrics && ((currency, amount) => metrics.countRecovered(currency, amount)),
  });
  numbering.start();
  const webhooks = new WebhookDispatcher({
    ...vendorWork,
    countAttempt: metrics && ((isDelivered) => metrics.countWebhookAttempt(isDelivered)),
  });
  webhooks.start();
  const dispatcher = new MessageDispatcher({ ...vendorWork, senders: createMessageSenders(messages, clock) });
  dispatcher.start();
  return {
    runTask: (name) => worker.runTask(name),
    stop: async () => {
      await Promise.all([worker.stop(), numbering.stop(), webhooks.stop(), dispatcher.stop()]);
    },
  };
}

interface TaskQueueOptions {
  /** The home database. */
  url: string;
  /** The workers of the home database and of the cells that are open now. */
  workers: () => RunningWorker[];
  logger: FastifyBaseLogger;
}

/** Starts the queue of scheduled tasks: one process at a time gets a task, and runs it in all databases. */
export const startTaskQueue = ({ url, workers, logger }: TaskQueueOptions): Promise<JobQueue> =>
  startJobQueue({
    url,
    names: Object.keys({ ...scheduledTasks, ...installationTasks }),
    runTask: async (name) => {
      // A database that is down must not end the task of the others.
      const ended = await Promise.allSettled(workers().map((worker) => worker.runTask(name)));
      for (const end of ended) if (end.status === "rejected") throw end.reason;
    },
    logger,
  });
