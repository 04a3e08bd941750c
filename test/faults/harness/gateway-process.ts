import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { projectFile } from "../../../src/kernel/project-files.ts";
import { onFileEnd } from "./cleanup.ts";

export type GatewayEnvironment = Record<string, string>;

/** The token of the demo vendor, which sends all requests here. */
export const TOKEN = "demo-secret-token";

const START_LIMIT_MS = 90_000;

/** A built gateway as a process of its own, so that it can be killed. */
export class GatewayProcess {
  /** Starts a gateway; `ready` waits for it. `folder` has another built version. */
  static launch(settings: GatewayEnvironment, folder = projectFile(".")): GatewayProcess {
    const env = {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      PORT: "0",
      LOG_LEVEL: "info",
      DEMO_DATA: "true",
      // A worker's own work on the demo's renewals would mix with the work that a test starts.
      ROLE: "gateway",
      // No balancer is in front of it, unless a test sets one up.
      DRAIN_SECONDS: "0",
    };
    const gateway = new GatewayProcess(
      spawn(process.execPath, [join(folder, "dist/src/main.js")], {
        env: { ...env, ...settings },
      }),
    );
    onFileEnd(() => gateway.kill());
    return gateway;
  }

  /** Starts a gateway and waits until it accepts requests. */
  static async start(settings: GatewayEnvironment, folder?: string): Promise<GatewayProcess> {
    const gateway = this.launch(settings, folder);
    await gateway.waitUntilReady();
    return gateway;
  }

  /** Everything it printed: its log, and why it could not start. */
  output = "";
  private readonly exited: Promise<unknown>;

  private constructor(private readonly child: ChildProcess) {
    this.exited = once(child, "exit");
    for (const stream of [child.stdout!, child.stderr!])
      stream.on("data", (chunk: Buffer) => (this.output += chunk.toString()));
  }

  get address(): string {
    return /GraphQL\s+(\S+)\/graphql/.exec(this.output)![1]!;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Waits until it has printed that it is ready. @throws what it printed, if it ended instead. */
  async waitUntilReady(): Promise<void> {
    for (const deadline = Date.now() + START_LIMIT_MS; !this.output.includes("OpenAPI "); await sleep(10)) {
      if (!this.isRunning || Date.now() > deadline)
        throw new Error(`The gateway did not start:\n${this.output.slice(-2000)}`);
    }
  }

  /** `kill -9`: it gets no chance to log or finish anything. */
  async kill(): Promise<void> {
    if (this.isRunning) this.child.kill("SIGKILL");
    await this.exited;
  }

  /** Asks it to stop gracefully, and returns its exit code. */
  async stop(): Promise<number | null> {
    if (this.isRunning) this.child.kill("SIGTERM");
    await this.exited;
    return this.child.exitCode;
  }
}
