import { writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

/*
 * Loaded before a server with `--import`: writes the 99th percentile of the delay of its event loop, in milliseconds, to the file
 * EVENT_LOOP_FILE, and begins anew, each time that the process receives SIGUSR2.
 */

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on("SIGUSR2", () => {
  writeFileSync(process.env["EVENT_LOOP_FILE"]!, String(delay.percentile(99) / 1e6));
  delay.reset();
});
