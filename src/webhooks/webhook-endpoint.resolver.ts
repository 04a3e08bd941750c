import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from "type-graphql";
import { NEWEST_FIRST, SliceArgs, toConnection } from "../graphql/connection.ts";
import type { GatewayContext } from "../graphql/context.ts";
import { NodeResolver } from "../graphql/node.ts";
import { databaseIdOf } from "../graphql/record-ids.ts";
import {
  CreateWebhookEndpointInput,
  CreateWebhookEndpointPayload,
  DeleteWebhookEndpointPayload,
  DisableWebhookEndpointPayload,
  EnableWebhookEndpointPayload,
  RotateWebhookSecretPayload,
  UpdateWebhookEndpointInput,
  UpdateWebhookEndpointPayload,
  WebhookEndpoint,
  WebhookEndpointConnection,
  WebhookEndpointInput,
} from "./webhook-endpoint.type.ts";

const endpointIdOf = (id: string): number => databaseIdOf("WebhookEndpoint", id, "endpointId");

@Resolver(() => WebhookEndpoint)
export class WebhookEndpointResolver extends NodeResolver(() => WebhookEndpoint, "WebhookEndpoint") {
  @Query(() => WebhookEndpoint, {
    nullable: true,
    description: "Returns one webhook endpoint. Null if the vendor has no endpoint with this id.",
  })
  webhookEndpoint(
    @Arg("id", () => ID, { description: "Global id or number of the endpoint." }) id: string,
    @Ctx() { loaders }: GatewayContext,
  ) {
    return loaders.findById("webhookEndpoints", databaseIdOf("WebhookEndpoint", id, "id"));
  }

  @Query(() => WebhookEndpointConnection, { description: "Returns the vendor's webhook endpoints, the newest first." })
  webhookEndpoints(@Ctx() context: GatewayContext, @Args(() => SliceArgs) args: SliceArgs) {
    return toConnection(context, context.read.webhookEndpoints.list, args, {}, NEWEST_FIRST);
  }

  @Mutation(() => CreateWebhookEndpointPayload, {
    description:
      "Creates a webhook endpoint, which receives the vendor's events from now on. Refused with WEBHOOK_URL_REFUSED for a URL that cannot be used, and with TOO_MANY_WEBHOOK_ENDPOINTS if the vendor has 20.",
  })
  async createWebhookEndpoint(
    @Arg("input", () => CreateWebhookEndpointInput, { description: "The endpoint." }) input: CreateWebhookEndpointInput,
    @Ctx() { vendor, write, markSensitive }: GatewayContext,
  ) {
    markSensitive();
    return write(({ webhookEndpoints }) => webhookEndpoints.create(vendor, input));
  }

  @Mutation(() => UpdateWebhookEndpointPayload, {
    description:
      "Changes a webhook endpoint. Open deliveries go to the new URL, and its three days of failures begin anew there. Refused with WEBHOOK_URL_REFUSED for a URL that cannot be used.",
  })
  async updateWebhookEndpoint(
    @Arg("input", () => UpdateWebhookEndpointInput, { description: "The changes." })
    { endpointId, ...fields }: UpdateWebhookEndpointInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const id = endpointIdOf(endpointId);
    return { endpoint: await write(({ webhookEndpoints }) => webhookEndpoints.update(vendor, id, fields)) };
  }

  @Mutation(() => DisableWebhookEndpointPayload, {
    description:
      "Stops the deliveries to a webhook endpoint. Open deliveries wait until it is enabled; later events are not sent to it. A disabled endpoint is returned as it is.",
  })
  async disableWebhookEndpoint(
    @Arg("input", () => WebhookEndpointInput, { description: "The endpoint." }) { endpointId }: WebhookEndpointInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const id = endpointIdOf(endpointId);
    return { endpoint: await write(({ webhookEndpoints }) => webhookEndpoints.disable(vendor.id, id)) };
  }

  @Mutation(() => EnableWebhookEndpointPayload, {
    description:
      "Starts the deliveries to a webhook endpoint again: those that were open, at once and for three more days, and the events from now on. An enabled endpoint is returned as it is.",
  })
  async enableWebhookEndpoint(
    @Arg("input", () => WebhookEndpointInput, { description: "The endpoint." }) { endpointId }: WebhookEndpointInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const id = endpointIdOf(endpointId);
    return { endpoint: await write(({ webhookEndpoints }) => webhookEndpoints.enable(vendor.id, id)) };
  }

  @Mutation(() => DeleteWebhookEndpointPayload, {
    description: "Deletes a webhook endpoint and its deliveries. Nothing more is sent to it.",
  })
  async deleteWebhookEndpoint(
    @Arg("input", () => WebhookEndpointInput, { description: "The endpoint." }) { endpointId }: WebhookEndpointInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const id = endpointIdOf(endpointId);
    return { endpoint: await write(({ webhookEndpoints }) => webhookEndpoints.delete(vendor.id, id)) };
  }

  @Mutation(() => RotateWebhookSecretPayload, {
    description:
      "Replaces the secret of a webhook endpoint. For 24 hours messages have two signatures, by the new and by the previous secret.",
  })
  async rotateWebhookSecret(
    @Arg("input", () => WebhookEndpointInput, { description: "The endpoint." }) { endpointId }: WebhookEndpointInput,
    @Ctx() { vendor, write, markSensitive }: GatewayContext,
  ) {
    const id = endpointIdOf(endpointId);
    markSensitive();
    return write(({ webhookEndpoints }) => webhookEndpoints.rotateSecret(vendor.id, id));
  }
}
