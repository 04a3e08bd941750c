import { setTimeout as sleep } from "node:timers/promises";
import type { WriteForInstallation } from "../graphql/context.ts";
import type { InstallationTools } from "./scheduled-tasks.ts";

/** A run of the task ends after this time, and the next one continues: other work of the database must not wait for a large ledger. */
const MAX_RUN_MS = 20_000;
/** A pause after each batch, which leaves the database to others for about half of the time. */
const PAUSE_MS = 20;
/** Payments that one batch names in the log; the metric counts all of them. */
const MAX_LINES = 20;

/** Checks the ledger batch by batch, each in a short transaction. @returns 0: the next run of the task continues. */
export async function checkLedger(
  write: WriteForInstallation,
  { logger, isStopping }: Pick<InstallationTools, "logger" | "isStopping">,
): Promise<number> {
  const end = performance.now() + MAX_RUN_MS;
  for (let isDone = false; !isDone && !isStopping() && performance.now() < end;) {
    const batch = await write(({ ledgerChecks }) => ledgerChecks.checkNext());
    for (const { sum, ...payment } of batch.unbalanced.slice(0, MAX_LINES))
      logger.error({ ...payment, sum: sum.toFixed() }, "the ledger's entries of a payment do not sum to zero");
    isDone = batch.isDone;
    if (!isDone) await sleep(PAUSE_MS);
  }
  return 0;
}
