import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from "type-graphql";
import { NEWEST_FIRST, toConnection } from "../graphql/connection.ts";
import type { GatewayContext } from "../graphql/context.ts";
import { NodeResolver } from "../graphql/node.ts";
import { databaseIdOf, optionalDatabaseIdOf } from "../graphql/record-ids.ts";
import type { WebhookDeliveryRecord } from "./webhook-delivery.repository.ts";
import {
  RedeliverWebhookInput,
  RedeliverWebhookPayload,
  ReplayWebhooksInput,
  ReplayWebhooksPayload,
  SendTestWebhookInput,
  SendTestWebhookPayload,
  WebhookDelivery,
  WebhookDeliveryArgs,
  WebhookDeliveryConnection,
} from "./webhook-delivery.type.ts";

@Resolver(() => WebhookDelivery)
export class WebhookDeliveryResolver extends NodeResolver(() => WebhookDelivery, "WebhookDelivery") {
  @Query(() => WebhookDelivery, {
    nullable: true,
    description: "Returns one webhook delivery. Null if the vendor has no delivery with this id.",
  })
  webhookDelivery(
    @Arg("id", () => ID, { description: "Global id or number of the delivery." }) id: string,
    @Ctx() { loaders }: GatewayContext,
  ) {
    return loaders.findById("webhookDeliveries", databaseIdOf("WebhookDelivery", id, "id"));
  }

  @Query(() => WebhookDeliveryConnection, {
    description: "Returns the deliveries of the vendor's events to webhook endpoints, the newest first.",
  })
  webhookDeliveries(
    @Args(() => WebhookDeliveryArgs) { filter, ...args }: WebhookDeliveryArgs,
    @Ctx() context: GatewayContext,
  ) {
    const endpointId = optionalDatabaseIdOf("WebhookEndpoint", filter?.endpointId, "filter.endpointId");
    const { list } = context.read.webhookDeliveries;
    return toConnection(context, list, args, { ...filter, endpointId }, NEWEST_FIRST);
  }

  @Mutation(() => SendTestWebhookPayload, {
    description:
      "Sends a message of the type `webhook.test` to a webhook endpoint, to try its receiver. It is no event: neither timelines nor other endpoints have it. Refused with WEBHOOK_ENDPOINT_DISABLED if the endpoint is disabled, and with TOO_MANY_WEBHOOK_DELIVERIES if 1,000 tests and redeliveries are open.",
  })
  async sendTestWebhook(
    @Arg("input", () => SendTestWebhookInput, { description: "The endpoint." }) { endpointId }: SendTestWebhookInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const id = databaseIdOf("WebhookEndpoint", endpointId, "endpointId");
    return { delivery: await write(({ webhookDeliveries }) => webhookDeliveries.sendTest(vendor.id, id)) };
  }

  @Mutation(() => RedeliverWebhookPayload, {
    description:
      "Delivers an event again to the same webhook endpoint, at once and beside the order of its subject. The new delivery has the same `webhook-id`. Refused with WEBHOOK_ENDPOINT_DISABLED if the endpoint is disabled, and with TOO_MANY_WEBHOOK_DELIVERIES if 1,000 tests and redeliveries are open.",
  })
  async redeliverWebhook(
    @Arg("input", () => RedeliverWebhookInput, { description: "The delivery." }) { deliveryId }: RedeliverWebhookInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const id = databaseIdOf("WebhookDelivery", deliveryId, "deliveryId");
    return { delivery: await write(({ webhookDeliveries }) => webhookDeliveries.redeliver(vendor.id, id)) };
  }

  @Mutation(() => ReplayWebhooksPayload, {
    description:
      "Delivers all events since an instant to a webhook endpoint again, in their order and before later events. Open deliveries stay open. Refused with WEBHOOK_ENDPOINT_DISABLED if the endpoint is disabled.",
  })
  async replayWebhooks(
    @Arg("input", () => ReplayWebhooksInput, { description: "The endpoint, and the instant." })
    { endpointId, from }: ReplayWebhooksInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const id = databaseIdOf("WebhookEndpoint", endpointId, "endpointId");
    return { endpoint: await write(({ webhookFanOut }) => webhookFanOut.replay(vendor.id, id, from)) };
  }

  @FieldResolver()
  endpoint(@Root() { endpointId }: WebhookDeliveryRecord, @Ctx() { loaders }: GatewayContext) {
    return loaders.findById("webhookEndpoints", endpointId);
  }

  @FieldResolver()
  attempts(@Root() { id }: WebhookDeliveryRecord, @Ctx() { loaders }: GatewayContext) {
    return loaders.webhookAttemptsOf(id);
  }

  @FieldResolver()
  nextAttemptAt(@Root() { dueAt }: WebhookDeliveryRecord): Date | null {
    return dueAt;
  }
}
