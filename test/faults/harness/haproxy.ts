import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { projectFile } from "../../../src/kernel/project-files.ts";
import { onFileEnd } from "./cleanup.ts";

/** The program on this machine; undefined where it is not installed. */
export const haproxyProgram = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"]
  .map((folder) => join(folder, "haproxy"))
  .find(existsSync);

/** HAProxy with the settings of deploy/haproxy.cfg before two gateways. */
export class Haproxy {
  /** What it logged: requests that failed, and gateways that came and went. */
  output = "";

  private constructor(
    readonly address: string,
    /** The ports on which the two gateways are expected. */
    readonly gatewayPorts: readonly [number, number],
  ) {}

  /** Whether it sends requests to the gateway on the first or the second port, by what it logged last. */
  sendsTo(index: number): boolean {
    const name = `gateways/gateway-${index + 1} is`;
    return this.output.lastIndexOf(`${name} UP`) > this.output.lastIndexOf(`${name} DOWN`);
  }

  static async start(program: string): Promise<Haproxy> {
    const [port, first, second] = [await freePort(), await freePort(), await freePort()];
    const folder = mkdtempSync(join(tmpdir(), "recoup-haproxy-"));
    const settings = readFileSync(projectFile("deploy/haproxy.cfg"), "utf8")
      .replace("bind :4000", `bind 127.0.0.1:${port}`)
      .replace("gateway-1:4000", `127.0.0.1:${first}`)
      .replace("gateway-2:4000", `127.0.0.1:${second}`);
    writeFileSync(join(folder, "haproxy.cfg"), settings);
    const running = spawn(program, ["-db", "-f", join(folder, "haproxy.cfg")], { stdio: "pipe" });
    const exited = once(running, "exit");
    onFileEnd(async () => {
      running.kill("SIGKILL");
      await exited;
      rmSync(folder, { recursive: true });
    });
    const haproxy = new Haproxy(`http://127.0.0.1:${port}`, [first, second]);
    for (const stream of [running.stdout, running.stderr])
      stream.on("data", (chunk: Buffer) => (haproxy.output += chunk.toString()));
    return haproxy;
  }
}

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
