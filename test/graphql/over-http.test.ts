import { serverAudits } from "graphql-http";
import { expect, test } from "vitest";
import { startGateway } from "../support/gateway.ts";

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
