import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { projectFile } from "../../src/kernel/project-files.ts";
import { startGateway } from "../support/test-gateway.ts";
import { createDispatcher, deliverWebhooks } from "../support/webhook-receiver.ts";

/* The receiver and the mutation of docs/webhooks.md, as a merchant would use them. */

const RECEIVER = "docs/webhook-receiver.mjs";
const page = readFileSync(projectFile("docs/webhooks.md"), "utf8");
const blockOf = (language: string) => new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page)![1]!;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

test("the receiver of docs/webhooks.md verifies and prints a message", async () => {
  const gateway = await startGateway({ now: new Date().toISOString(), allowPrivateWebhooks: true });
  const vendor = await gateway.openVendor({ sandbox: true });
  const port = await freePort();
  const create = blockOf("graphql").replace("127.0.0.1:3000", `127.0.0.1:${port}`);
  const { createWebhookEndpoint } = await gateway.queryRawData(create, {}, vendor);
  expect(createWebhookEndpoint.endpoint).toMatchObject({ eventTypes: null, enabled: true });

  expect(readFileSync(projectFile(RECEIVER), "utf8")).toBe(blockOf("js"));
  const receiver = spawn(process.execPath, [projectFile(RECEIVER)], {
    env: { PATH: process.env["PATH"], PORT: String(port), WEBHOOK_SECRET: createWebhookEndpoint.secret },
  });
  onTestFinished(() => void receiver.kill());
  let output = "";
  receiver.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const isListening = () =>
    fetch(`http://127.0.0.1:${port}`, { method: "POST", body: "{}" }).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(isListening, { timeout: 20_000 }).toBe(400);

  const send = "mutation ($id: ID!) { sendTestWebhook(input: { endpointId: $id }) { delivery { databaseId } } }";
  const { sendTestWebhook } = await gateway.queryData(send, { id: createWebhookEndpoint.endpoint.id }, vendor);
  await deliverWebhooks(gateway, createDispatcher(gateway));
  const read = "query ($id: ID!) { webhookDelivery(id: $id) { state attempts { status } } }";
  const { webhookDelivery } = await gateway.queryData(read, { id: sendTestWebhook.delivery.databaseId }, vendor);
  expect(webhookDelivery).toEqual({ state: "SUCCEEDED", attempts: [{ status: 204 }] });
  await expect.poll(() => output).toMatch(/^webhook[.]test \{"endpointId":\d+\}\n$/);
});
