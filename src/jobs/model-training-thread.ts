import os from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { openDatabase, type DatabaseSource } from "../database/client.ts";
import { RecordedCaseRepository } from "../recovery/models/recorded-case.repository.ts";
import { trainFamily, type TrainingTask } from "../recovery/models/train-family.ts";

/* The thread of a training: it reads on a connection of its own, so that neither the rows nor the fit delay a request. */

const { source, task } = workerData as { source: DatabaseSource; task: TrainingTask };

// On Linux the priority is that of the calling thread alone: requests come first where processors are few.
if (process.platform === "linux") os.setPriority(0, os.constants.priority.PRIORITY_LOW);

const database = openDatabase({ ...source, poolSize: 1 });
try {
  parentPort?.postMessage(await trainFamily(new RecordedCaseRepository(database.handle), task));
} finally {
  await database.close();
}
