/*
 * Starts built gateways at once, in the environment given, and expects of each that it becomes ready, refuses a request
 * without a token and stops when told: node .ci/gateways.mjs <how many>
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 20_000;

class Gateway {
  output = "";
  child = spawn(process.execPath, ["dist/src/main.js"], { env: { ...process.env, PORT: "0", DRAIN_SECONDS: "0" } });
  ended = once(this.child, "close").then(([code, signal]) => code ?? signal);

  constructor() {
    for (const stream of [this.child.stdout, this.child.stderr]) stream.on("data", (chunk) => (this.output += chunk));
  }

  /** Waits until it listens and says that it is ready, and asks it something. */
  async use() {
    const address = await this.until(() => /GraphQL\s+(\S+)\/graphql/.exec(this.output)?.[1]);
    await this.until(async () => (await fetch(`${address}/readyz`)).status === 200);
    const { status } = await fetch(`${address}/api/v1/cover/recovery`, { method: "POST" });
    if (status !== 403) throw new Error(`A request without a token was answered with ${status}, not 403`);
  }

  async until(check) {
    for (const deadline = Date.now() + START_LIMIT_MS; Date.now() < deadline; await sleep(20)) {
      const found = await check();
      if (found) return found;
      if (this.child.exitCode !== null || this.child.signalCode !== null) throw new Error("A gateway ended");
    }
    throw new Error("A gateway is not ready in time");
  }

  async stop() {
    this.child.kill("SIGTERM");
    const end = await Promise.race([this.ended, sleep(STOP_LIMIT_MS, "no end", { ref: false })]);
    this.child.kill("SIGKILL");
    if (end !== 0) throw new Error(`A gateway that was told to stop ended with ${end}`);
  }
}

const gateways = Array.from({ length: Number(process.argv[2]) }, () => new Gateway());
const settle = (step) => Promise.allSettled(gateways.map(step));
const outcomes = [...(await settle((gateway) => gateway.use())), ...(await settle((gateway) => gateway.stop()))];
const failures = outcomes.flatMap(({ reason }) => reason ?? []);
const lines = failures.map(({ message }) => message);
if (failures.length > 0)
  lines.push(...gateways.map(({ output }) => `--- what a gateway printed\n${output.slice(-3000)}`));
else lines.push(`Node ${process.version}: ${gateways.length} became ready and stopped`);
process.stdout.write(`${lines.join("\n")}\n`);
process.exitCode = failures.length > 0 ? 1 : 0;
