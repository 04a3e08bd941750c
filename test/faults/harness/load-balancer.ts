import { Agent, createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { onFileEnd } from "./cleanup.ts";

const POLL_INTERVAL_MS = 100;

/** A gateway behind the balancer. */
interface Backend {
  address: string;
  isReady: boolean;
  agent: Agent;
}

/**
 * A minimal balancer: it asks each gateway for its readiness every 100 ms, passes requests in turn to those that are
 * ready, over persistent connections, and never sends a request twice.
 */
export class LoadBalancer {
  /** Requests that no gateway answered. */
  readonly failures: string[] = [];
  private readonly backends = new Map<string, Backend>();
  private readonly server: Server;
  private nextIndex = 0;

  static async start(): Promise<LoadBalancer> {
    const balancer = new LoadBalancer();
    balancer.server.listen(0, "127.0.0.1");
    await once(balancer.server, "listening");
    const timer = setInterval(() => void balancer.pollReadiness(), POLL_INTERVAL_MS);
    onFileEnd(async () => {
      clearInterval(timer);
      balancer.server.closeAllConnections();
      balancer.server.close();
      for (const { agent } of balancer.backends.values()) agent.destroy();
    });
    return balancer;
  }

  private constructor() {
    this.server = createServer((incoming, outgoing) => this.forward(incoming, outgoing));
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  addBackend(address: string): void {
    this.backends.set(address, { address, isReady: false, agent: new Agent({ keepAlive: true }) });
  }

  /** Forgets a gateway that has ended. */
  removeBackend(address: string): void {
    this.backends.get(address)?.agent.destroy();
    this.backends.delete(address);
  }

  isReady(address: string): boolean {
    return this.backends.get(address)?.isReady === true;
  }

  private async pollReadiness(): Promise<void> {
    await Promise.all(
      [...this.backends.values()].map(async (backend) => {
        const answer = await fetch(`${backend.address}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(
          () => undefined,
        );
        await answer?.body?.cancel();
        backend.isReady = answer?.status === 200;
      }),
    );
  }

  private forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const ready = [...this.backends.values()].filter(({ isReady }) => isReady);
    const backend = ready[this.nextIndex++ % ready.length];
    const fail = (reason: string) => {
      this.failures.push(reason);
      if (!outgoing.headersSent) outgoing.writeHead(502);
      outgoing.end();
    };
    if (!backend) {
      fail("no gateway is ready");
      return;
    }
    const { method, url, headers } = incoming;
    const { host: _host, connection: _connection, ...passed } = headers;
    const sent = request(backend.address + url!, { method, headers: passed, agent: backend.agent }, (answer) => {
      const { connection: _ours, "keep-alive": _kept, ...told } = answer.headers;
      outgoing.writeHead(answer.statusCode!, told);
      answer.on("error", (error) => fail(error.message)).pipe(outgoing);
    });
    sent.on("error", (error) => fail(error.message));
    incoming.pipe(sent);
  }
}
