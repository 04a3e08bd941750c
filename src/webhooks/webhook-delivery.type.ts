import { ArgsType, Field, ID, InputType, Int, ObjectType } from "type-graphql";
import { WebhookDeliveryState } from "../../schema/vocabulary.ts";
import { connectionType, SliceArgs } from "../graphql/connection.ts";
import { Node } from "../graphql/node.ts";
import { DateTimeScalar } from "../graphql/scalars.ts";
import { WebhookEndpoint } from "./webhook-endpoint.type.ts";

@ObjectType({ description: "One attempt to deliver an event, with the receiver's answer.", simpleResolvers: true })
export class WebhookAttempt {
  @Field(() => Int, {
    description: "Number of the attempt: 1 for the first. A number is missing if the process ended during the attempt.",
  })
  number!: number;

  @Field(() => DateTimeScalar, { description: "Start of the attempt, by the real time." })
  startedAt!: Date;

  @Field(() => Int, { description: "Duration until the answer in milliseconds. At most about 15,000." })
  durationMs!: number;

  @Field(() => Int, { nullable: true, description: "HTTP status of the answer. Null if there was none." })
  status!: number | null;

  @Field(() => String, { nullable: true, description: "Reason of the failure. Null if the attempt succeeded." })
  error!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "First bytes of the answer's body, 1,024 at most. Null if there was no answer.",
  })
  response!: string | null;
}

@ObjectType("WebhookDelivery", {
  description: "Delivery of one event to one webhook endpoint. It is deleted after its end: by default after 30 days.",
  implements: Node,
  simpleResolvers: true,
})
export class WebhookDelivery extends Node {
  @Field(() => WebhookEndpoint, { nullable: true, description: "The endpoint. Null if it was deleted." })
  endpoint!: WebhookEndpoint | null;

  @Field(() => String, {
    description: "Id of the event, which is sent as `webhook-id`. All deliveries of one event have the same.",
  })
  eventId!: string;

  @Field(() => String, { description: "Name of the event's type, such as `order.paid`, or `webhook.test` for a test." })
  eventType!: string;

  @Field(() => String, { description: "Body that is sent: JSON with `id`, `type`, `timestamp` and `data`." })
  body!: string;

  @Field(() => WebhookDeliveryState, { description: "Current state of the delivery." })
  state!: WebhookDeliveryState;

  @Field(() => [WebhookAttempt], { description: "Attempts so far, the first one first." })
  attempts!: WebhookAttempt[];

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      "Time of the next attempt. Null if there is none: the delivery ended, or an earlier event of the same subject is open. During an attempt it is the time at which another worker may repeat it.",
  })
  nextAttemptAt!: Date | null;

  @Field(() => DateTimeScalar, { description: "Time of the creation, by the real time." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: "Time of the end. Null while it is open." })
  endedAt!: Date | null;
}

export const WebhookDeliveryConnection = connectionType(() => WebhookDelivery, "WebhookDelivery");

@InputType({ description: "Filter of a list of webhook deliveries. All given conditions must hold." })
export class WebhookDeliveryFilterInput {
  @Field(() => ID, { nullable: true, description: "Only deliveries to this endpoint. Defaults to all endpoints." })
  endpointId?: string | null;

  @Field(() => WebhookDeliveryState, { nullable: true, description: "Only deliveries in this state. Defaults to all." })
  state?: WebhookDeliveryState | null;

  @Field(() => String, {
    nullable: true,
    description: "Only deliveries of the event with this id, which is sent as `webhook-id`. Defaults to all events.",
  })
  eventId?: string | null;
}

@ArgsType()
export class WebhookDeliveryArgs extends SliceArgs {
  @Field(() => WebhookDeliveryFilterInput, { nullable: true, description: "Filter. Defaults to all deliveries." })
  filter?: WebhookDeliveryFilterInput | null;
}

@InputType({ description: "The webhook endpoint to test." })
export class SendTestWebhookInput {
  @Field(() => ID, { description: "The endpoint." })
  endpointId!: string;
}

@ObjectType({ description: "The delivery of the test.", simpleResolvers: true })
export class SendTestWebhookPayload {
  @Field(() => WebhookDelivery, { description: "The delivery. A worker attempts it within a second or so." })
  delivery!: WebhookDelivery;
}

@InputType({ description: "The events to deliver again." })
export class ReplayWebhooksInput {
  @Field(() => ID, { description: "The endpoint." })
  endpointId!: string;

  @Field(() => DateTimeScalar, {
    description:
      "Instant from which events are delivered again, by the real time at which they were recorded. At most 30 days ago; events of the minute before it may come too.",
  })
  from!: Date;
}

@ObjectType({ description: "The webhook endpoint whose events are replayed.", simpleResolvers: true })
export class ReplayWebhooksPayload {
  @Field(() => WebhookEndpoint, { description: "The endpoint." })
  endpoint!: WebhookEndpoint;
}

@InputType({ description: "The webhook delivery to repeat." })
export class RedeliverWebhookInput {
  @Field(() => ID, { description: "The delivery." })
  deliveryId!: string;
}

@ObjectType({ description: "The new delivery.", simpleResolvers: true })
export class RedeliverWebhookPayload {
  @Field(() => WebhookDelivery, { description: "The new delivery. A worker attempts it within a second or so." })
  delivery!: WebhookDelivery;
}
