/*
 * Loaded into a gateway's process before its own code (`node --import`): reports to each client of the socket at PROBE
 * which objects and handles the process has after garbage collection.
 */
import { EventEmitter } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { queryObjects } from "node:v8";

const count = (constructor) => queryObjects(constructor, { format: "count" });

createServer(async (socket) => {
  // Work that has just ended has its last callbacks before it can be collected.
  for (let pass = 0; pass < 2; pass++) {
    global.gc();
    await sleep(20);
  }
  global.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  const held = {
    promises: count(Promise),
    emitters: count(EventEmitter),
    maps: count(Map),
    arrays: count(Array),
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    timers: process.getActiveResourcesInfo().filter((name) => name === "Timeout").length,
    handles: process.getActiveResourcesInfo().filter((name) => name !== "Timeout" && name !== "Immediate").length,
    files: readdirSync("/proc/self/fd").length,
  };
  socket.end(JSON.stringify({ held, megabytes: (heapUsed + external) / 1_048_576, rss: rss / 1_048_576 }));
})
  .listen(process.env.PROBE)
  .unref();
