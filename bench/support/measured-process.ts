import { spawn, type ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";

/** A server in a process of its own. */
export interface MeasuredProcess {
  address: string;
  /** Megabytes of memory that its process uses now. */
  memoryBytes(): Promise<number>;
  signal(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

/** Starts a program and waits until it prints the address at which it listens. */
export async function startMeasuredProcess(
  command: string[],
  environment: NodeJS.ProcessEnv,
): Promise<MeasuredProcess> {
  const child = spawn(process.execPath, command, {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.once("exit", () => child.kill());
  const address = await readAddress(child);
  return {
    address,
    memoryBytes: async () => {
      const status = await readFile(`/proc/${String(child.pid)}/status`, "utf8");
      return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
    },
    signal: (signal) => {
      child.kill(signal);
    },
    stop: async () => {
      const exited = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await exited;
    },
  };
}

async function readAddress(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const found = /http:\/\/[\w.]+:\d+/.exec(line);
    if (!found) continue;
    child.stdout!.resume();
    return found[0].replace("localhost", "127.0.0.1");
  }
  throw new Error("A server of the bench ended before it listened.");
}
