import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Metrics } from "./metrics.ts";

/** The dependencies of the operators' port. */
interface OperationsServerOptions {
  host: string;
  port: number;
  metrics: Metrics;
  /** Whether the process can do its work. */
  isReady: () => Promise<boolean>;
}

/** A request to it is short, and nobody but operators reaches it. */
const REQUEST_TIMEOUT_MS = 5_000;

/** Listens on the operators' port: `/metrics`, and for processes without a gateway `/livez` and `/readyz` too. */
export async function startOperationsServer({
  host,
  port,
  metrics,
  isReady,
}: OperationsServerOptions): Promise<Server> {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    answer(request, response, { metrics, isReady }).catch(() => {
      if (!response.headersSent) response.writeHead(503);
      response.end();
    });
  });
  server.listen(port, host);
  await once(server, "listening");
  return server;
}

async function answer(
  { method, url = "" }: IncomingMessage,
  response: ServerResponse,
  { metrics, isReady }: Pick<OperationsServerOptions, "metrics" | "isReady">,
): Promise<void> {
  const send = (status: number, text: string, type = "text/plain; charset=utf-8") => {
    response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(text);
  };
  const path = url.split("?")[0];
  if (method !== "GET" && method !== "HEAD") send(405, "Use GET.\n");
  else if (path === "/metrics") send(200, await metrics.render(), metrics.contentType);
  else if (path === "/livez") send(200, "alive\n");
  else if (path !== "/readyz") send(404, "This port has /metrics, /livez and /readyz.\n");
  else if (await isReady()) send(200, "ready\n");
  else send(503, "not ready\n");
}
