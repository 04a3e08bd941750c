import { Field, ID, InputType, ObjectType } from "type-graphql";
import { WebhookDisabledReason } from "../../schema/vocabulary.ts";
import { connectionType } from "../graphql/connection.ts";
import { Node } from "../graphql/node.ts";
import { DateTimeScalar, LineScalar } from "../graphql/scalars.ts";

@ObjectType("WebhookEndpoint", {
  description: "URL to which the vendor's events are sent, signed by the Standard Webhooks specification.",
  implements: Node,
  simpleResolvers: true,
})
export class WebhookEndpoint extends Node {
  @Field(() => String, { description: "URL that receives the events." })
  url!: string;

  @Field(() => LineScalar, { nullable: true, description: "Description for people. Null if it was given none." })
  description!: string | null;

  @Field(() => [String], {
    nullable: true,
    description: "Names of the event types that are sent, such as `order.paid`. Null for all types.",
  })
  eventTypes!: string[] | null;

  @Field(() => Boolean, { description: "Whether events are sent." })
  enabled!: boolean;

  @Field(() => WebhookDisabledReason, {
    nullable: true,
    description: "Reason why the endpoint is disabled. Null while it is enabled.",
  })
  disabledReason!: WebhookDisabledReason | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Time since which it is disabled. Null while enabled." })
  disabledAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      "Time of the first failed attempt since the last success. Null if the last attempt succeeded, or there was none. After three days the endpoint is disabled.",
  })
  failingSince!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Time of the last success. Null if there was none." })
  lastSuccessAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      "Time until which the secret before the last rotation signs too. Null if the secret was never rotated. It can lie in the past.",
  })
  previousSecretUntil!: Date | null;

  @Field(() => DateTimeScalar, { description: "Time of the creation, by the real time." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "Time of the last change, by the real time." })
  modifiedAt!: Date;
}

export const WebhookEndpointConnection = connectionType(() => WebhookEndpoint, "WebhookEndpoint");

const EVENT_TYPES =
  "Names of the event types to send, such as `order.paid`. They are the words of `EventType` in lower case, with a dot after the noun.";
const URL_RULES =
  "URL that receives the events. It must use https, or http in a sandbox, and a public address; otherwise WEBHOOK_URL_REFUSED. At most 2,000 characters.";

@InputType({ description: "A webhook endpoint to create." })
export class CreateWebhookEndpointInput {
  @Field(() => String, { description: URL_RULES })
  url!: string;

  @Field(() => [String], { nullable: true, description: `${EVENT_TYPES} Defaults to all types.` })
  eventTypes?: string[] | null;

  @Field(() => LineScalar, { nullable: true, description: "Description for people. Defaults to none." })
  description?: string | null;
}

@InputType({ description: "Changes of a webhook endpoint. Absent fields keep their values." })
export class UpdateWebhookEndpointInput {
  @Field(() => ID, { description: "The endpoint." })
  endpointId!: string;

  @Field(() => String, { nullable: true, description: URL_RULES })
  url?: string | null;

  @Field(() => [String], { nullable: true, description: `${EVENT_TYPES} Null for all types.` })
  eventTypes?: string[] | null;

  @Field(() => LineScalar, { nullable: true, description: "Description for people. Null removes it." })
  description?: string | null;
}

@InputType({ description: "A webhook endpoint." })
export class WebhookEndpointInput {
  @Field(() => ID, { description: "The endpoint." })
  endpointId!: string;
}

const SECRET =
  "Secret that verifies the signatures: `whsec_` and 32 bytes in base64. It is shown once; store it where the receiver reads it.";

@ObjectType({ description: "The webhook endpoint that was created, with its secret.", simpleResolvers: true })
export class CreateWebhookEndpointPayload {
  @Field(() => WebhookEndpoint, { description: "The endpoint." })
  endpoint!: WebhookEndpoint;

  @Field(() => String, { description: SECRET })
  secret!: string;
}

@ObjectType({ description: "The webhook endpoint with its new secret.", simpleResolvers: true })
export class RotateWebhookSecretPayload {
  @Field(() => WebhookEndpoint, { description: "The endpoint." })
  endpoint!: WebhookEndpoint;

  @Field(() => String, { description: SECRET })
  secret!: string;
}

@ObjectType({ description: "The webhook endpoint after its change.", simpleResolvers: true })
export class UpdateWebhookEndpointPayload {
  @Field(() => WebhookEndpoint, { description: "The endpoint." })
  endpoint!: WebhookEndpoint;
}

@ObjectType({ description: "The webhook endpoint after it was disabled.", simpleResolvers: true })
export class DisableWebhookEndpointPayload {
  @Field(() => WebhookEndpoint, { description: "The endpoint." })
  endpoint!: WebhookEndpoint;
}

@ObjectType({ description: "The webhook endpoint after it was enabled.", simpleResolvers: true })
export class EnableWebhookEndpointPayload {
  @Field(() => WebhookEndpoint, { description: "The endpoint." })
  endpoint!: WebhookEndpoint;
}

@ObjectType({ description: "The webhook endpoint as it was deleted.", simpleResolvers: true })
export class DeleteWebhookEndpointPayload {
  @Field(() => WebhookEndpoint, { description: "The endpoint. It can no longer be read." })
  endpoint!: WebhookEndpoint;
}
