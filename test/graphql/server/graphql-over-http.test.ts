import { once } from "node:events";
import { connect } from "node:net";
import { serverAudits } from "graphql-http";
import { expect, test, vi } from "vitest";
import { startGateway } from "../../support/test-gateway.ts";

const gateway = await startGateway();
const address = await gateway.gateway.server.listen({ port: 0, host: "127.0.0.1" });

const audits = serverAudits({
  url: `${address}/graphql`,
  fetchFn: (url: string, init: RequestInit = {}) =>
    fetch(url, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), "secret-token": gateway.vendor.token },
    }),
});

test.each(audits.map((audit) => [`${audit.id} ${audit.name}`, audit] as const))("%s", async (_name, audit) => {
  const result = await audit.fn();
  expect(result.status === "ok" ? "ok" : `${result.status}: ${result.reason}`).toBe("ok");
});

test.each(["/graphql", "/api/v1/orders"])(
  "an upload to %s that its caller gives up is no error in the log",
  async (path) => {
    const socket = connect(Number(new URL(address).port), "127.0.0.1");
    socket.on("error", () => undefined);
    const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nsecret-token: ${gateway.vendor.token}\r\ncontent-type: application/json`;
    socket.write(`${head}\r\nexpect: 100-continue\r\ncontent-length: 9999\r\n\r\n{`);
    await once(socket, "data");
    // Another request later it waits for the rest of the body.
    await gateway.sendGraphQL("{ vendor { name } }");
    gateway.logLines.length = 0;
    socket.resetAndDestroy();
    await vi.waitFor(() => expect(gateway.logLines.join()).toContain('"answered"'));
    await gateway.sendGraphQL("{ vendor { name } }");
    expect(gateway.logLines.filter((line) => JSON.parse(line).level > 30)).toEqual([]);
  },
);
