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

/** What a gateway answers to a browser on this machine that opens the Sandbox page. */
async function sandboxPage(host: string, headers: Record<string, string> = {}): Promise<string> {
  const gateway = await GatewayProcess.start({ DATA_DIR: dataDir, HOST: host, DEMO_SECRET_TOKEN });
  const { port } = new URL(gateway.address);
  const page = await fetch(`http://127.0.0.1:${port}/graphql`, { headers: { accept: "text/html", ...headers } });
  const text = await page.text();
  await gateway.stop();
  return text;
}

test("the Sandbox page contains the demo token only when the gateway itself listens on loopback", async () => {
  expect(await sandboxPage("127.0.0.1")).toContain(DEMO_SECRET_TOKEN);
  // Whatever a proxy on this machine says of its client: others may reach it.
  const forwarded = { "x-forwarded-for": "127.0.0.1", forwarded: "for=127.0.0.1" };
  expect(await sandboxPage("127.0.0.1", forwarded)).not.toContain(DEMO_SECRET_TOKEN);
  const open = await sandboxPage("0.0.0.0", forwarded);
  expect(open).toContain("embeddable-sandbox");
  expect(open).not.toContain(DEMO_SECRET_TOKEN);
});
