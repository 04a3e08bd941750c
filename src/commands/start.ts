import type { ArgsDef } from "citty";
import { defineCommand, type Command } from "./command.ts";

/** The options, and the settings that they override. */
const settingOf: Record<string, string> = {
  port: "PORT",
  host: "HOST",
  role: "ROLE",
  "data-dir": "DATA_DIR",
  "metrics-port": "METRICS_PORT",
};

const options = {
  port: { type: "string", valueHint: "port", description: "Port to listen on. Defaults to PORT, then 4000" },
  host: { type: "string", valueHint: "address", description: "Address to listen on. Defaults to HOST, then 127.0.0.1" },
  role: { type: "string", valueHint: "word", description: "gateway, worker or both. Defaults to ROLE, then both" },
  "data-dir": {
    type: "string",
    valueHint: "folder",
    description: "Folder of the embedded database. Defaults to DATA_DIR, then .data",
  },
  "metrics-port": { type: "string", valueHint: "port", description: "Port of /metrics. Defaults to METRICS_PORT" },
} as const satisfies ArgsDef;

const defineStart = (name: string, description: string, settings: Record<string, string>): Command =>
  defineCommand({ name, description }, options, async (args, errors) => {
    const values: Record<string, string | undefined> = { ...args, _: undefined };
    for (const [option, setting] of Object.entries(settingOf)) {
      const value = values[option];
      if (value !== undefined) settings[setting] = errors.readText(option, value);
    }
    errors.throwIfAny();
    Object.assign(process.env, settings);
    await import("../main.ts");
  });

/** `recoup start`: what `npm start` starts. */
export const startCommand = defineStart(
  "start",
  "Starts a gateway, a worker, or both in one process, with the settings of the environment",
  {},
);

/** `recoup demo`. */
export const demoCommand = defineStart(
  "demo",
  "Starts a gateway and a worker with the demo vendor, whose Secret-Token it prints. Its data are created at the first start",
  { DEMO_DATA: "true" },
);
