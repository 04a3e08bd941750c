import { randomUUID } from "node:crypto";
import { createServices } from "../../src/graphql/services.ts";
import { RecoveryModelRepository } from "../../src/recovery/models/recovery-model.repository.ts";
import { createBillingFixture, type BillingFixture } from "../support/fixtures/billing-fixture.ts";
import { createTestChild } from "../support/fixtures/child-vendors.ts";
import type { RequestOptions, TestGateway } from "../support/test-gateway.ts";
import { registerCoverOrder, registerCoverFixture, type CoverFixture } from "../support/fixtures/cover-fixture.ts";

/** Records of one vendor, one of each noun of the recovery module. */
export type RecoveryRecords = CoverFixture & {
  orderId: number;
  coverId: number;
  decisionId: number;
  policyId: number;
  experimentId: number;
  trainingId: number;
  modelId: number;
};

/** A webhook endpoint and a delivery to it. */
export interface WebhookRecords {
  webhookEndpointId: number;
  webhookDeliveryId: number;
}

/** A key beside the one that the requests of a test send, and an invited person. */
export interface AccessRecords {
  apiKeyId: number;
  personId: number;
}

/** A message that waits for its time. */
export interface MessageRecords {
  messageId: number;
}

/** Records of one vendor, one of each noun. */
export type RecordFixtures = RecoveryRecords &
  WebhookRecords &
  AccessRecords &
  MessageRecords &
  BillingFixture & {
    /** The vendor's own. */
    vendorUuid: string;
    /** The id of a child's record; a child has no children, so there it belongs to nobody. */
    childUuid: string;
  };

/** A uuid that belongs to no vendor. */
export const UNKNOWN_UUID = "1f0c8c3e-0000-4000-8000-000000000000";

/** Registers one record of each noun: a cover runs on the order. */
export async function createRecordFixtures(gateway: TestGateway, options?: RequestOptions): Promise<RecordFixtures> {
  const recovery = await createRecoveryRecords(gateway, options);
  const billing = await createBillingFixture(gateway, options);
  const webhooks = await createWebhookRecords(gateway, options);
  const message = await createMessage(gateway, billing, options);
  const vendor = await vendorUuids(gateway, options);
  return { ...recovery, ...billing, ...webhooks, ...message, ...(await createAccess(gateway, options)), ...vendor };
}

/** A message about the invoice of the fixture: workers queue messages, and tests of requests run none. */
async function createMessage(
  gateway: TestGateway,
  { billingCustomerId, billingInvoiceId, billingOrderId }: BillingFixture,
  options?: RequestOptions,
): Promise<MessageRecords> {
  const { vendor } = await gateway.queryData("{ vendor { databaseId } }", {}, options);
  const message = await gateway.database.transaction((handle) =>
    createServices(handle, gateway.clock.now()).messages.queueMessage(vendor.databaseId, {
      ...{ kind: "INVOICE", channel: "EMAIL", recipient: "payer@example.com", language: "KOREAN" },
      ...{ subject: "INVOICE", subjectId: billingInvoiceId, occurrence: randomUUID(), invoiceId: billingInvoiceId },
      ...{ customerId: billingCustomerId, orderId: billingOrderId },
    }),
  );
  return { messageId: message!.id };
}

async function createAccess(gateway: TestGateway, options?: RequestOptions): Promise<AccessRecords> {
  const create = `mutation { createApiKey(input: { name: "second", scopes: [READ] }) { key { databaseId } } }`;
  const { createApiKey } = await gateway.queryData(create, {}, options);
  const invite = `mutation ($email: Email!) { invitePerson(input: { email: $email, role: SUPPORT }) { person { databaseId } } }`;
  const { invitePerson } = await gateway.queryData(invite, { email: `${randomUUID()}@example.com` }, options);
  return { apiKeyId: createApiKey.key.databaseId, personId: invitePerson.person.databaseId };
}

/** An endpoint at an address that nothing is sent to: tests of requests run no worker. */
async function createWebhookRecords(gateway: TestGateway, options?: RequestOptions): Promise<WebhookRecords> {
  const create = `mutation { createWebhookEndpoint(input: { url: "https://shop.example.com/webhooks" }) { endpoint { databaseId } } }`;
  const { createWebhookEndpoint } = await gateway.queryData(create, {}, options);
  const { databaseId } = createWebhookEndpoint.endpoint;
  const send = "mutation ($id: ID!) { sendTestWebhook(input: { endpointId: $id }) { delivery { databaseId } } }";
  const { sendTestWebhook } = await gateway.queryData(send, { id: databaseId }, options);
  return { webhookEndpointId: databaseId, webhookDeliveryId: sendTestWebhook.delivery.databaseId };
}

/** Registers one record of each noun of the recovery module. */
export async function createRecoveryRecords(gateway: TestGateway, options?: RequestOptions): Promise<RecoveryRecords> {
  const shop = await registerCoverFixture(gateway, options);
  const order = await registerCoverOrder(gateway, shop, { subscriptionId: shop.subscriptionId }, options);
  const recovery = { subscriptionId: shop.subscriptionId, orderId: order.id, errorCode: "51" };
  const { coverId } = await gateway.readRestBody("POST", "/cover/recovery", recovery, options);
  const engine = await createDecisionAndPolicy(gateway, coverId, options);
  const experimentId = await createExperiment(gateway, engine.policyId, options);
  return { ...shop, ...engine, experimentId, orderId: order.id, coverId };
}

/** A stopped experiment with one arm: a vendor has one running experiment at most. */
async function createExperiment(gateway: TestGateway, policyId: number, options?: RequestOptions): Promise<number> {
  const newest = "{ recoveryExperiments(first: 1) { nodes { databaseId state } } }";
  const { recoveryExperiments } = await gateway.queryData(newest, {}, options);
  const stop = (id: number) =>
    gateway.queryData(
      "mutation ($id: ID!) { stopRecoveryExperiment(input: { experimentId: $id }) { experiment { state } } }",
      { id },
      options,
    );
  for (const { databaseId, state } of recoveryExperiments.nodes) if (state === "RUNNING") await stop(databaseId);
  const start = `mutation ($id: ID!) { startRecoveryExperiment(input: { arms: [{ policyId: $id, share: "0.95" }] }) {
    experiment { databaseId } } }`;
  const { startRecoveryExperiment } = await gateway.queryData(start, { id: policyId }, options);
  await stop(startRecoveryExperiment.experiment.databaseId);
  return startRecoveryExperiment.experiment.databaseId;
}

/** A decision of a cover, and a policy that is proposed and never in force. */
async function createDecisionAndPolicy(gateway: TestGateway, coverId: number, options?: RequestOptions) {
  const query = "query ($id: ID!) { cover(id: $id) { decision { databaseId } } }";
  const { cover } = await gateway.queryData(query, { id: coverId }, options);
  const mutation = `mutation { proposeRecoveryPolicy(input: { terms: { plan: { kind: EVEN, maxRetries: 4, windowInDays: 28 } } }) {
    policy { databaseId } } }`;
  const { proposeRecoveryPolicy } = await gateway.queryData(mutation, {}, options);
  return {
    decisionId: cover!.decision!.databaseId,
    policyId: proposeRecoveryPolicy.policy.databaseId,
    ...(await createTrainingAndModel(gateway, options)),
  };
}

/** A training that was requested, and an active model; a child vendor has neither. */
async function createTrainingAndModel(gateway: TestGateway, options?: RequestOptions) {
  const nobody = { trainingId: 999_999_999, modelId: 999_999_999 };
  const { vendor } = await gateway.queryData("{ vendor { databaseId parentUuid } }", {}, options);
  if (vendor.parentUuid !== null) return nobody;
  const { trainRecoveryModel } = await gateway.queryData(
    "mutation { trainRecoveryModel { training { databaseId } } }",
    {},
    options,
  );
  const now = gateway.clock.now();
  const times = { triesFrom: now, triesUntil: now, madeAt: now };
  const values = { version: `test-${vendor.databaseId}`, features: "none", priorVersion: "none", tries: 1, model: {} };
  const models = new RecoveryModelRepository(gateway.database.handle);
  const { id: modelId } = await models.add(vendor.databaseId, { ...values, ...times });
  const trainingId: number = trainRecoveryModel.training.databaseId;
  await models.activate(vendor.databaseId, { modelId, trainingId, activatedAt: now });
  return { trainingId, modelId };
}

/** The uuids of a vendor and, where it may have children, of one of them. */
async function vendorUuids(gateway: TestGateway, options?: RequestOptions) {
  const { vendor } = await gateway.queryData("{ vendor { uuid parentUuid } }", {}, options);
  const childUuid = vendor.parentUuid === null ? (await createTestChild(gateway, {}, options)).uuid : UNKNOWN_UUID;
  return { vendorUuid: vendor.uuid, childUuid };
}
