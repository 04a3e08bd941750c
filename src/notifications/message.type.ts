import { ArgsType, Field, ID, InputType, Int, ObjectType } from "type-graphql";
import { Language, MessageKind, MessageState, PublishMethod } from "../../schema/vocabulary.ts";
import { Customer } from "../customers/customer.type.ts";
import { connectionType, SliceArgs } from "../graphql/connection.ts";
import { Node } from "../graphql/node.ts";
import { DateTimeScalar } from "../graphql/scalars.ts";
import { Invoice } from "../invoices/invoice.type.ts";
import { Order } from "../orders/order.type.ts";

@ObjectType("Message", {
  description:
    "A message to a customer on one channel and to one recipient. It is deleted after its end: by default after 400 days. In a sandbox nothing leaves: the message is SENT when it lies here.",
  implements: Node,
  simpleResolvers: true,
})
export class Message extends Node {
  @Field(() => MessageKind, { description: "Kind of the message." })
  kind!: MessageKind;

  @Field(() => PublishMethod, { description: "Channel of the message." })
  channel!: PublishMethod;

  @Field(() => MessageState, { description: "Current state of the message." })
  state!: MessageState;

  @Field(() => String, {
    description: "E-mail address or phone number of the recipient. An empty string if the customer has none.",
  })
  recipient!: string;

  @Field(() => Language, { description: "Language of the text." })
  language!: Language;

  @Field(() => String, {
    nullable: true,
    description: "Subject line of the e-mail. Null before the first attempt, and on other channels.",
  })
  subjectLine!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Plain text as of the last attempt. Null before the first attempt.",
  })
  text!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "HTML of the e-mail as of the last attempt. Null before the first attempt, and on other channels.",
  })
  html!: string | null;

  @Field(() => [String], { description: "File names of the attachments. Empty if there are none." })
  attachmentNames!: string[];

  @Field(() => DateTimeScalar, { description: "Time before which the message is not sent, by the vendor's clock." })
  dueAt!: Date;

  @Field(() => Int, { description: "Number of attempts that were begun: 0 to 11." })
  attempts!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      "Time of the next attempt, by the real time. Null before `dueAt` and after the end. During an attempt it is the time at which another worker may repeat it.",
  })
  nextAttemptAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: "Reason of the last failed attempt, or of the withdrawal. Null if there was none.",
  })
  lastError!: string | null;

  @Field(() => DateTimeScalar, { description: "Time at which the message was queued, by the vendor's clock." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time of the end, by the vendor's clock. Null before it.",
  })
  endedAt!: Date | null;

  @Field(() => Customer, { nullable: true, description: "The customer. Null for a payer of registered orders." })
  customer!: Customer | null;

  @Field(() => Invoice, { nullable: true, description: "The invoice that the message delivers. Null for other kinds." })
  invoice!: Invoice | null;

  @Field(() => Order, { nullable: true, description: "The order that the message is about. Null if there is none." })
  order!: Order | null;
}

export const MessageConnection = connectionType(() => Message, "Message");

@InputType({ description: "Filter of the outbox. All given conditions must hold." })
export class OutboxFilterInput {
  @Field(() => MessageKind, { nullable: true, description: "Only messages of this kind. Defaults to all kinds." })
  kind?: MessageKind | null;

  @Field(() => PublishMethod, { nullable: true, description: "Only messages on this channel. Defaults to all." })
  channel?: PublishMethod | null;

  @Field(() => MessageState, { nullable: true, description: "Only messages in this state. Defaults to all states." })
  state?: MessageState | null;

  @Field(() => ID, {
    nullable: true,
    description: "Only messages to this customer: global id or number. Defaults to all customers.",
  })
  customerId?: string | null;
}

@ArgsType()
export class OutboxArgs extends SliceArgs {
  @Field(() => OutboxFilterInput, { nullable: true, description: "Filter. Defaults to all messages." })
  filter?: OutboxFilterInput | null;
}
