import { beforeAll, expect, test } from "vitest";
import { ApiClient } from "../../src/commands/merchant/api-client.ts";
import {
  triggerEvent,
  triggers,
  typeByName,
  type SandboxState,
} from "../../src/commands/merchant/triggers/trigger-event.ts";
import { untriggerableEvents } from "../../src/commands/merchant/triggers/untriggerable-events.ts";
import { createDatabase } from "../faults/harness/fault-databases.ts";
import { GatewayProcess, TOKEN } from "../faults/harness/gateway-process.ts";
import { buildOnce } from "../support/build-once.ts";
import { SECRETS_KEY } from "../support/test-gateway.ts";

/* Each event that recoup trigger knows, on the sandbox of a gateway with its worker. */

const LIMIT_MS = 180_000;
let client: ApiClient;

beforeAll(async () => {
  await buildOnce();
  const settings = { SECRETS_KEY: SECRETS_KEY.toString("base64"), DATABASE_URL: await createDatabase(), ROLE: "both" };
  const gateway = await GatewayProcess.start({ ...settings, WEBHOOK_ALLOW_PRIVATE: "true" });
  client = new ApiClient(gateway.address, TOKEN);
  await client.run("mutation { configurePaymentGateway(input: { paymentGateway: HOUSE }) { account { databaseId } } }");
}, LIMIT_MS);

async function readSandbox(): Promise<SandboxState> {
  const { vendor, events } = await client.run<{
    vendor: { now: string };
    events: { pageInfo: { endCursor: string | null } };
  }>("{ vendor { now } events(last: 1) { pageInfo { endCursor } } }");
  return { now: new Date(vendor.now), newestEvent: events.pageInfo.endCursor };
}

const occurs = async (name: string) =>
  expect(await triggerEvent(client, name, await readSandbox())).toMatchObject({ event: name });

const names = Object.keys(triggers);

test("every event of the catalogue can be triggered, or has a reason why not", () => {
  const explained = Object.keys(untriggerableEvents);
  expect([...names, ...explained].sort()).toEqual([...typeByName.keys()].sort());
});

test("each event that needs no time occurs", { timeout: LIMIT_MS }, async () => {
  const left = names.filter((name) => !triggers[name]?.advancesClock);
  const runNext = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) await occurs(name);
  };
  await Promise.all([runNext(), runNext(), runNext()]);
});

test.each(names.filter((name) => triggers[name]?.advancesClock))(
  "%s occurs once the clock is advanced",
  { timeout: LIMIT_MS },
  occurs,
);
