import { projectFile } from "../../src/kernel/project-files.ts";
import { openBenchStore } from "../support/bench-store.ts";
import { median } from "../support/http-load.ts";
import { startMeasuredProcess } from "../support/measured-process.ts";

/** The time until the gateway listens, on a database that has its tables, and its memory in megabytes then. */
export interface StartUpFigures {
  readyMs: number;
  memory: number;
}

const STARTS = 5;

/** Starts the gateway some times. @returns medians. */
export async function measureStartUp(): Promise<StartUpFigures> {
  const { store, remove } = await openBenchStore();
  const times: number[] = [];
  const memories: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const started = performance.now();
    const environment = { DATABASE_URL: store.url, PORT: "0", LOG_LEVEL: "warn" };
    const gateway = await startMeasuredProcess([projectFile("dist/src/main.js")], environment);
    times.push(Math.round(performance.now() - started));
    memories.push(await gateway.memoryBytes());
    await gateway.stop();
  }
  await remove();
  return { readyMs: median(times), memory: median(memories) };
}
