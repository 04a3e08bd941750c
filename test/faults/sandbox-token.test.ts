import { beforeAll, expect, test } from "vitest";
import { buildOnce } from "../support/build-once.ts";
import { createDataDir } from "./harness/data-folders.ts";
import { GatewayProcess } from "./harness/gateway-process.ts";

const DEMO_SECRET_TOKEN = "a-token-that-nobody-guesses";

let dataDir: string;

beforeAll(async () => {
  await buildOnce();
  dataDir = await createDataDir();
});

/** The Sandbox page of a gateway, as a browser on this machine gets it. */
async function sandboxPage(host: string): Promise<string> {
  const gateway = await GatewayProcess.start({ DATA_DIR: dataDir, HOST: host, DEMO_SECRET_TOKEN });
  const { port } = new URL(gateway.address);
  const headers = { accept: "text/html", "x-forwarded-for": "127.0.0.1", forwarded: "for=127.0.0.1" };
  const page = await (await fetch(`http://127.0.0.1:${port}/graphql`, { headers })).text();
  await gateway.stop();
  return page;
}

test("the Sandbox page contains the demo token only when the gateway itself listens on loopback", async () => {
  expect(await sandboxPage("127.0.0.1")).toContain(DEMO_SECRET_TOKEN);
  const open = await sandboxPage("0.0.0.0");
  expect(open).toContain("embeddable-sandbox");
  expect(open).not.toContain(DEMO_SECRET_TOKEN);
});
