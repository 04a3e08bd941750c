import type { FastifyBaseLogger } from "fastify";
import { dormantCustomers, dueDormancyNotices } from "../customers/customer.repository.ts";
import type { DueRows } from "../database/due-rows.ts";
import type { GatewayContext, PaymentContext, WriteForInstallation } from "../graphql/context.ts";
import { expiredRequests } from "../idempotency/idempotency.repository.ts";
import { overdueInvoices, reservedInvoices } from "../invoices/invoice.repository.ts";
import { Refusal } from "../kernel/refusals.ts";
import { dueDetachments } from "../payments/detachments/method-detachment.repository.ts";
import { expiringMethods } from "../payments/method-expiry/method-expiry.repository.ts";
import { dueAnnouncements } from "../recovery/covers/cover.repository.ts";
import { dueModelWatches } from "../recovery/model-trust/model-trust.repository.ts";
import { ordersToReleaseStock } from "../orders/order.repository.ts";
import { unfoldedCountChanges } from "../orders/order-totals.repository.ts";
import { dueTrainings, untrainedCovers } from "../recovery/models/recovery-training.repository.ts";
import { expiredMessages, waitingMessages } from "../notifications/message.repository.ts";
import type { ChargeNoticeKind } from "../notifications/notices/charge-notice.content.ts";
import { noticeLead } from "../notifications/notices/notice.rules.ts";
import {
  dueChargeNotices,
  dueTrialNotices,
  dueUsageNotices,
} from "../subscriptions/notices/subscription-notice.repository.ts";
import { expiredSessions } from "../vendors/people/session.repository.ts";
import { duePasswordLinks } from "../vendors/people/password-link.repository.ts";
import { expiredDeliveries } from "../webhooks/webhook-delivery.repository.ts";
import { deletedEndpoints } from "../webhooks/webhook-endpoint.repository.ts";
import { checkLedger } from "./ledger-check.ts";
import type { PasswordLinkMailer } from "./password-link-mailer.ts";
import type { ModelTrainer } from "./model-trainer.ts";

/** Rows that a task handles in one transaction. */
const BATCH_SIZE = 50;
/** Rows of idempotency keys, which are small and have no dependent rows. */
const KEY_BATCH_SIZE = 500;
/** Rows of webhook deliveries. */
const DELIVERY_BATCH_SIZE = 200;
/** Messages to customers, each with its text. */
const MESSAGE_BATCH_SIZE = 200;

/** Sessions, which are small. */
const SESSION_BATCH_SIZE = 500;

/** Changes of the counts of orders, which are small and become few rows. */
const COUNT_CHANGE_BATCH_SIZE = 2_000;

/** Results of retries, which are read with all that was recorded of their covers. */
const RESULT_BATCH_SIZE = 100;

/** A task that every vendor with due rows needs. */
interface ScheduledTask {
  /** The due rows; each vendor has an index for them. */
  dueRows: DueRows;
  /** True for the service's own work: it runs at the real time, and for disabled vendors too. */
  isHousekeeping?: true;
  /** Handles a batch and returns the number of handled rows. It is called again until it returns 0. */
  run: (context: PaymentContext, tools: TaskTools) => Promise<number>;
}

/** The tools of tasks besides the context of a vendor. */
interface TaskTools {
  trainer: ModelTrainer;
  passwordLinkMailer: PasswordLinkMailer;
}

/** The tools of tasks that are no vendor's, besides. */
export interface InstallationTools {
  now: () => Date;
  logger: Pick<FastifyBaseLogger, "error">;
  /** True as soon as the process is to end. */
  isStopping: () => boolean;
}

/** A task of the installation, which is no vendor's. */
export interface InstallationTask {
  /** Does one piece of work and returns 1, or 0 if none is due. It is called again until it returns 0. */
  run: (write: WriteForInstallation, tools: TaskTools & InstallationTools) => Promise<number>;
}

/** Scheduled work by the name of its queue; each task runs every minute. */
export const scheduledTasks: Readonly<Record<string, ScheduledTask>> = {
  /** Returns the stock of orders that are unpaid at their deadline, and of failed renewals of ended subscriptions. */
  "orders.release-stock": {
    dueRows: ordersToReleaseStock,
    run: ({ vendor, write }) => write(({ paidOrders }) => paidOrders.releaseStock(vendor.id, BATCH_SIZE)),
  },
  /** Adds the changes of the counts of orders to the counts of days. */
  "orders.fold-counts": {
    dueRows: unfoldedCountChanges,
    isHousekeeping: true,
    run: ({ vendor, write }) =>
      write(({ orderTotals }) => orderTotals.foldCountChanges(vendor.id, COUNT_CHANGE_BATCH_SIZE)),
  },
  /** Sends invoices at their reserved time. */
  "invoices.send-reserved": {
    dueRows: reservedInvoices,
    run: sendReservedInvoices,
  },
  /** Marks invoices that are unpaid at their deadline as OVER_DUE. */
  "invoices.pass-deadline": {
    dueRows: overdueInvoices,
    run: ({ vendor, write }) => write(({ invoices }) => invoices.markOverdue(vendor.id, BATCH_SIZE)),
  },
  /** Marks customers without activity for a year as DORMANT. */
  "customers.fall-asleep": {
    dueRows: dormantCustomers,
    run: ({ vendor, write }) => write(({ customers }) => customers.markDormant(vendor.id, BATCH_SIZE)),
  },
  /** Announces the dates of retries that callers make. */
  "recovery.announce-retries": {
    dueRows: dueAnnouncements,
    run: ({ vendor, write }) =>
      write(({ coverRetryAnnouncements }) => coverRetryAnnouncements.announceDue(vendor.id, BATCH_SIZE)),
  },
  /** Tests models by the results of the retries whose times they chose. */
  "recovery.test-models": {
    dueRows: dueModelWatches,
    run: ({ vendor, write }) => write(({ modelTrust }) => modelTrust.readResults(vendor.id, RESULT_BATCH_SIZE)),
  },
  /** Requests the nightly training of a family's model if it has new results. */
  "recovery.request-training": {
    dueRows: untrainedCovers,
    run: async ({ vendor, write }) => {
      await write(({ recoveryTrainings }) => recoveryTrainings.requestNightly(vendor));
      // Once is enough: the next run of the task finds what came meanwhile.
      return 0;
    },
  },
  /** Trains models on what covers have shown. */
  "recovery.train-model": {
    dueRows: dueTrainings,
    run: (context, { trainer }) => trainer.runDueTraining(context),
  },
  /** Deletes idempotency keys after 24 hours. */
  "requests.delete-expired": {
    dueRows: expiredRequests,
    isHousekeeping: true,
    run: ({ vendor, write }) => write(({ idempotency }) => idempotency.deleteExpired(vendor.id, KEY_BATCH_SIZE)),
  },
  /** Detaches stored payment methods of erased customers at their gateways. */
  "payments.detach-methods": {
    dueRows: dueDetachments,
    isHousekeeping: true,
    run: ({ vendor, methodDetacher }) => methodDetacher.detachNext(vendor.id),
  },
  /** Announces stored payment methods that expire soon. */
  "payments.announce-expiring-methods": {
    dueRows: expiringMethods,
    run: ({ vendor, write }) => write(({ methodExpiry }) => methodExpiry.announceDue(vendor.id, BATCH_SIZE)),
  },
  /** Queues notices of the charges to come. */
  "notices.queue-charges": {
    dueRows: dueChargeNotices,
    run: (context) => queueChargeNotices(context, "CHARGE_COMING"),
  },
  /** Queues notices of the usage charges to come. */
  "notices.queue-usage-charges": {
    dueRows: dueUsageNotices(noticeLead("USAGE_CHARGE_COMING")),
    run: (context) => queueChargeNotices(context, "USAGE_CHARGE_COMING"),
  },
  /** Queues notices of the trials that end. */
  "notices.queue-trial-ends": {
    dueRows: dueTrialNotices(noticeLead("TRIAL_ENDING")),
    run: (context) => queueChargeNotices(context, "TRIAL_ENDING"),
  },
  /** Queues notices to customers who become DORMANT soon. */
  "notices.queue-dormancies": {
    dueRows: dueDormancyNotices(noticeLead("DORMANCY_COMING")),
    run: ({ vendor, write }) => write(({ dormancyNotices }) => dormancyNotices.queueDue(vendor.id, BATCH_SIZE)),
  },
  /** Makes messages due that wait for their time. */
  "messages.release-due": {
    dueRows: waitingMessages,
    run: ({ vendor, write }) => write(({ messages }) => messages.releaseDue(vendor.id, MESSAGE_BATCH_SIZE)),
  },
  /** Deletes messages that ended longer ago than they are kept. */
  "messages.delete-expired": {
    dueRows: expiredMessages,
    isHousekeeping: true,
    run: ({ vendor, write }) => write(({ messages }) => messages.removeExpired(vendor.id, MESSAGE_BATCH_SIZE)),
  },
  /** Deletes sessions of people that expired. One that was left idle is refused before, and deleted with the others. */
  "people.delete-sessions": {
    dueRows: expiredSessions,
    isHousekeeping: true,
    run: ({ vendor, write }) => write(({ sessions }) => sessions.removeExpired(vendor.id, SESSION_BATCH_SIZE)),
  },
  /** Sends people the links to set a password. */
  "people.mail-password-links": {
    dueRows: duePasswordLinks,
    isHousekeeping: true,
    run: (context, { passwordLinkMailer }) => passwordLinkMailer.sendNext(context),
  },
  /** Deletes webhook deliveries that ended longer ago than they are kept. */
  "webhooks.delete-expired": {
    dueRows: expiredDeliveries,
    isHousekeeping: true,
    run: ({ vendor, write }) =>
      write(({ webhookDeliveries }) => webhookDeliveries.removeExpired(vendor.id, DELIVERY_BATCH_SIZE)),
  },
  /** Deletes webhook endpoints that their vendors deleted, with their deliveries. */
  "webhooks.delete-endpoints": {
    dueRows: deletedEndpoints,
    isHousekeeping: true,
    run: ({ vendor, write }) =>
      write(({ webhookDeliveries }) => webhookDeliveries.removeDeletedEndpoint(vendor.id, DELIVERY_BATCH_SIZE)),
  },
};

/** Tasks of the installation by the name of their queue; each runs every minute. */
export const installationTasks: Readonly<Record<string, InstallationTask>> = {
  /** Makes the partitions of the event log for the months to come. */
  "events.make-partitions": {
    run: (write) => write(({ eventPartitions }) => eventPartitions.makeNext()),
  },
  /** Makes the partitions of webhook attempts for the months to come, and drops those that are no longer kept. */
  "webhooks.partition-attempts": {
    run: (write) => write(({ webhookPartitions }) => webhookPartitions.changeNext()),
  },
  /** Checks once a day that the entries of each payment sum to zero. */
  "payments.check-ledger": { run: checkLedger },
  /** Pools the retries of the families that share them into priors of their countries, once a week. */
  "recovery.pool-countries": {
    run: async (write, { trainer, now }) => {
      await write(({ recoveryPoolings }) => recoveryPoolings.requestWeekly());
      return trainer.runDuePooling(write, now());
    },
  },
};

const queueChargeNotices = ({ vendor, write }: GatewayContext, kind: ChargeNoticeKind): Promise<number> =>
  write(({ chargeNotices }) => chargeNotices.queueDue(vendor.id, kind, BATCH_SIZE));

/** Sends each invoice in a transaction of its own, so that an invoice that cannot be ordered does not block others. */
async function sendReservedInvoices({ vendor, write }: GatewayContext): Promise<number> {
  const ids = await write(({ invoices }) => invoices.findDueReservations(vendor.id, BATCH_SIZE));
  for (const id of ids) {
    try {
      await write(({ invoices }) => invoices.send(vendor, id, "SYSTEM"));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await write(({ invoices }) => invoices.recordReservationFailure(vendor.id, id, error.message));
    }
  }
  return ids.length;
}
