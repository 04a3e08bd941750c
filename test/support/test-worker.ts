import { createRepositories } from "../../src/graphql/repositories.ts";
import { DueVendorRepository } from "../../src/jobs/due-vendor.repository.ts";
import { ModelTrainer } from "../../src/jobs/model-trainer.ts";
import { PasswordLinkMailer } from "../../src/jobs/password-link-mailer.ts";
import { Worker, type WorkerOptions } from "../../src/jobs/worker.ts";
import { MailSender } from "../../src/notifications/senders/mail-sender.ts";
import type { MailSettings } from "../../src/notifications/senders/message-port.ts";
import type { TestGateway } from "./test-gateway.ts";

/** A worker beside a gateway of a test; it runs when the test says so. */
export const createWorker = (
  { gateway, database, clock }: TestGateway,
  mail?: MailSettings,
  options: Pick<WorkerOptions, "vendorTurnMs" | "chargeConcurrency"> = {},
): Worker =>
  new Worker({
    ...options,
    contexts: gateway.contexts,
    dueVendors: new DueVendorRepository(database.handle),
    findVendor: (id) => createRepositories(database.handle).vendors.byId(id),
    now: () => clock.now(),
    logger: gateway.server.log,
    trainer: new ModelTrainer(database.source),
    passwordLinkMailer: new PasswordLinkMailer(mail && new MailSender(mail)),
  });

/** Runs until no work is due. */
export async function runUntilIdle(worker: Worker): Promise<void> {
  while ((await worker.runTurn()) > 0);
}
