import os from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { openDatabase, type DatabaseSource } from "../database/client.ts";
import { RecordedCaseRepository } from "../recovery/models/recorded-case.repository.ts";
import { PastPaymentRepository } from "../recovery/past-payments/past-payment.repository.ts";
import { trainFamily } from "../recovery/models/train-family.ts";
import { poolCountry } from "../recovery/pooling/pool-country.ts";
import { SharingFamiliesRepository } from "../recovery/pooling/sharing-families.repository.ts";
import type { ThreadTask } from "./model-trainer.ts";

/* The thread of a training or a pooling: it reads on a connection of its own, so that neither the rows nor the fit delay a request. */

const { source, task } = workerData as { source: DatabaseSource; task: ThreadTask };

// On Linux the priority is that of the calling thread alone: requests come first where processors are few.
if (process.platform === "linux") os.setPriority(0, os.constants.priority.PRIORITY_LOW);

const database = openDatabase({ ...source, poolSize: 1 });
try {
  const recordedCases = new RecordedCaseRepository(database.handle);
  const sharingFamilies = new SharingFamiliesRepository(database.handle);
  parentPort?.postMessage(
    "country" in task
      ? await poolCountry({ sharingFamilies, recordedCases }, task)
      : await trainFamily({ recordedCases, pastPayments: new PastPaymentRepository(database.handle) }, task),
  );
} finally {
  await database.close();
}
