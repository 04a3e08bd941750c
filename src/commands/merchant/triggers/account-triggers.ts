import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Created, PayloadRecord, Trigger, TriggerContext } from "./trigger-context.ts";
import { createCustomer, idOf, newName } from "./trigger-records.ts";

/** A key whose token nobody learns. It ends after a day. */
const createKey = async (context: TriggerContext): Promise<Created> => {
  const { key } = await context.mutate(
    "createApiKey",
    "CreateApiKeyInput",
    { name: newName(), scopes: ["READ"], lifetimeDays: 1 },
    "key { databaseId }",
  );
  return { keyId: idOf(key) };
};

const revokeKey = async (context: TriggerContext): Promise<Created> => {
  const created = await createKey(context);
  await context.mutate("revokeApiKey", "RevokeApiKeyInput", created, "key { databaseId }");
  return created;
};

const createSession = async (context: TriggerContext): Promise<Created> => {
  const { sessionId } = await context.mutate<{ sessionId: string }>(
    "createSessionToken",
    "CreateSessionTokenInput",
    { origin: "https://shop.example.com", scopes: ["READ"], minutes: 1 },
    "sessionId",
  );
  return { sessionId };
};

/** Sets the time zone that the vendor has already. */
const changeSettings = async (context: TriggerContext): Promise<Created> => {
  const { vendor } = await context.query<{ vendor: { databaseId: number; zoneId: string } }>(
    "{ vendor { databaseId zoneId } }",
  );
  const input = { zoneId: vendor.zoneId };
  await context.mutate("updateVendorSettings", "UpdateVendorSettingsInput", input, "vendor { databaseId }");
  return { vendorId: vendor.databaseId };
};

const invite = async (context: TriggerContext): Promise<Created> => {
  const { person } = await context.mutate(
    "invitePerson",
    "InvitePersonInput",
    { email: `${newName()}@example.com`, role: "FINANCE" },
    "person { databaseId }",
  );
  return { personId: idOf(person) };
};

const changeRole = async (context: TriggerContext): Promise<Created> => {
  const created = await invite(context);
  await context.mutate(
    "changePersonRole",
    "ChangePersonRoleInput",
    { ...created, role: "SUPPORT" },
    "person { databaseId }",
  );
  return created;
};

const removePerson = async (context: TriggerContext): Promise<Created> => {
  const created = await invite(context);
  await context.mutate("removePerson", "PersonInput", created, "person { databaseId }");
  return created;
};

async function createEndpoint(context: TriggerContext, url = "https://example.com/webhooks"): Promise<Created> {
  const { endpoint } = await context.mutate<{ endpoint: PayloadRecord }>(
    "createWebhookEndpoint",
    "CreateWebhookEndpointInput",
    // No other record's events are sent to it.
    { url, eventTypes: ["customer.created"], description: "Trigger" },
    "endpoint { databaseId }",
  );
  return { webhookEndpointId: idOf(endpoint) };
}

const deleteEndpoint = (context: TriggerContext, { webhookEndpointId }: Created) =>
  context.mutate(
    "deleteWebhookEndpoint",
    "WebhookEndpointInput",
    { endpointId: webhookEndpointId },
    "endpoint { databaseId }",
  );

/** Creates an endpoint, acts on it, and deletes it. */
const withEndpoint =
  (act: (context: TriggerContext, endpointId: string | number) => Promise<unknown>) =>
  async (context: TriggerContext): Promise<Created> => {
    const created = await createEndpoint(context);
    await act(context, created["webhookEndpointId"] ?? "");
    await deleteEndpoint(context, created);
    return created;
  };

const changeEndpoint = (context: TriggerContext, endpointId: string | number) =>
  context.mutate(
    "updateWebhookEndpoint",
    "UpdateWebhookEndpointInput",
    { endpointId, description: "Trigger again" },
    "endpoint { databaseId }",
  );

/** Sends an event to a receiver of this process, which answers that it is gone for good. */
async function disableEndpoint(context: TriggerContext): Promise<Created> {
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(410).end();
  }).listen(0, "127.0.0.1");
  try {
    await once(receiver, "listening");
    const { port } = receiver.address() as AddressInfo;
    const created = await createEndpoint(context, `http://127.0.0.1:${port}`);
    await createCustomer(context);
    const isDisabled = async () => {
      const { webhookEndpoint } = await context.query<{ webhookEndpoint: { enabled: boolean } | null }>(
        "query ($id: ID!) { webhookEndpoint(id: $id) { enabled } }",
        { id: created["webhookEndpointId"] },
      );
      return webhookEndpoint?.enabled === false;
    };
    await context.waitFor(isDisabled, 20_000);
    await deleteEndpoint(context, created);
    return created;
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
}

/** The vendor itself: keys, people, webhooks, settings. */
export const accountTriggers: Readonly<Record<string, Trigger>> = {
  "key.created": { act: createKey },
  "key.revoked": { act: revokeKey },
  "key.session_created": { act: createSession },
  "vendor.settings_changed": { act: changeSettings },
  "person.invited": { act: invite },
  "person.role_changed": { act: changeRole },
  "person.removed": { act: removePerson },
  "webhook_endpoint.created": { act: withEndpoint(async () => undefined) },
  "webhook_endpoint.changed": { act: withEndpoint(changeEndpoint) },
  "webhook_endpoint.deleted": { act: withEndpoint(async () => undefined) },
  "webhook_endpoint.disabled": { act: disableEndpoint },
};
