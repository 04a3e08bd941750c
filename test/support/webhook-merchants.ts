import { beforeEach } from "vitest";
import { createServices } from "../../src/graphql/services.ts";
import type { ModuleEvent } from "../../src/events/event.service.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { errorSummaries } from "./cover-mutations.ts";
import type { RawData } from "./raw-data.ts";
import { startGateway, type TestVendor } from "./test-gateway.ts";
import { createDispatcher, deliverWebhooks, WebhookReceiver, type ReceivedWebhook } from "./webhook-receiver.ts";

/** What `change` selects of an endpoint. */
export const endpointFields =
  "id databaseId url eventTypes description enabled disabledReason failingSince previousSecretUntil";

/** The order of an event that `record` has recorded. */
export const orderIdOf = ({ message }: ReceivedWebhook): number => Number(message.data["coverOrderId"]);

/** A gateway with a receiver of webhooks, and the vendor of the current test: each test has its own. */
export async function openWebhookMerchants() {
  // The library of the specification refuses timestamps that are not of the present.
  const gateway = await startGateway({ now: new Date().toISOString(), allowPrivateWebhooks: true });
  const receiver = await WebhookReceiver.start();
  const dispatcher = createDispatcher(gateway);

  const current: { vendor: TestVendor } = { vendor: gateway.vendor };
  beforeEach(async () => {
    // Open deliveries of the test before must not come into this one.
    await queryRows(
      gateway,
      `update webhook_endpoints set enabled = false, disabled_reason = 'MERCHANT', disabled_at = now() where vendor_id > 0 and enabled`,
    );
    current.vendor = await gateway.openVendor({ sandbox: true });
    receiver.take();
    receiver.answer = () => 204;
  });

  const deliver = () => deliverWebhooks(gateway, dispatcher);
  const send = (query: string, variables: object) =>
    gateway.sendRawGraphQL(query, variables as Record<string, unknown>, current.vendor);

  /** Runs a mutation of an endpoint. */
  async function change(
    mutation: string,
    input: object,
    selection = `endpoint { ${endpointFields} }`,
  ): Promise<RawData> {
    const type = { sendTestWebhook: "SendTestWebhookInput", redeliverWebhook: "RedeliverWebhookInput" }[mutation];
    const inputType =
      type ??
      { createWebhookEndpoint: "CreateWebhookEndpointInput", updateWebhookEndpoint: "UpdateWebhookEndpointInput" }[
        mutation
      ] ??
      (mutation === "replayWebhooks" ? "ReplayWebhooksInput" : "WebhookEndpointInput");
    const document = `mutation ($input: ${inputType}!) { ${mutation}(input: $input) { ${selection} } }`;
    const { data, errors } = await send(document, { input });
    return errors ? errorSummaries({ data, errors } as never) : data[mutation];
  }

  const createEndpoint = (input: object = {}) =>
    change("createWebhookEndpoint", { url: receiver.url, ...input }, `secret endpoint { ${endpointFields} }`);

  const sendTest = (endpointId: string) =>
    change("sendTestWebhook", { endpointId }, "delivery { databaseId eventId state }");

  const readEndpoint = async (id: string) =>
    (await send(`query ($id: ID!) { webhookEndpoint(id: $id) { ${endpointFields} } }`, { id })).data.webhookEndpoint;

  /** The deliveries, the oldest first. */
  const deliveries = async (filter = ""): Promise<RawData[]> =>
    (
      await send(
        `{ webhookDeliveries(last: 100 ${filter}) { nodes { id databaseId eventId eventType state nextAttemptAt endedAt
          attempts { number status error response durationMs } endpoint { databaseId } } } }`,
        {},
      )
    ).data.webhookDeliveries.nodes.toReversed();

  /** Records events of registered orders: `[7, "COVER_STARTED"]` of the order 7. */
  async function record(events: [orderId: number, type?: ModuleEvent["type"]][], values: Partial<ModuleEvent> = {}) {
    await gateway.database.transaction((handle) =>
      createServices(handle, gateway.clock.now()).events.recordModuleEvents(
        current.vendor.id,
        ...events.map(([subjectId, type = "ORDER_CHANGED"]): ModuleEvent => ({
          ...{ type, subject: "COVER_ORDER", subjectId, coverOrderId: subjectId, trigger: "ORDER_UPDATED" },
          ...{ actor: "SYSTEM", ...values },
        })),
      ),
    );
  }

  return { gateway, receiver, current, deliver, change, createEndpoint, sendTest, readEndpoint, deliveries, record };
}
