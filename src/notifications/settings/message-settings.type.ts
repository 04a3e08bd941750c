import { Field, InputType, ObjectType } from "type-graphql";
import { MessageKind } from "../../../schema/vocabulary.ts";
import { DurationScalar, EmailScalar, LabelScalar } from "../../graphql/scalars.ts";

@ObjectType({ description: "The vendor's settings for messages to customers.", simpleResolvers: true })
export class MessageSettings {
  @Field(() => LabelScalar, {
    nullable: true,
    description: "Name of the sender. Null for the vendor's name.",
  })
  senderName!: string | null;

  @Field(() => EmailScalar, {
    nullable: true,
    description: "E-mail address that answers go to. Null for the vendor's e-mail address.",
  })
  replyTo!: string | null;

  @Field(() => [MessageKind], { description: "Kinds of messages that are not sent. Empty if all are sent." })
  disabledKinds!: MessageKind[];

  @Field(() => DurationScalar, {
    description: "How long before a retry the payer gets the message RETRY_COMING. Defaults to P1D, a day.",
  })
  retryNoticeLead!: string;
}

@InputType({ description: "Changes of the settings for messages. Absent fields keep their values." })
export class UpdateMessageSettingsInput {
  @Field(() => LabelScalar, {
    nullable: true,
    description: "Name of the sender. Null stands for the vendor's name.",
  })
  senderName?: string | null;

  @Field(() => EmailScalar, {
    nullable: true,
    description: "E-mail address that answers go to. Null stands for the vendor's e-mail address.",
  })
  replyTo?: string | null;

  @Field(() => [MessageKind], {
    nullable: true,
    description: "Kinds of messages that are not sent from now on. Replaces the stored list.",
  })
  disabledKinds?: MessageKind[] | null;

  @Field(() => DurationScalar, {
    nullable: true,
    description:
      "How long before a retry the payer gets the message RETRY_COMING: PT1H to P7D. Null stands for P1D, a day. It applies to retries that are scheduled from now on.",
  })
  retryNoticeLead?: string | null;
}

@ObjectType({ description: "The settings after the change.", simpleResolvers: true })
export class UpdateMessageSettingsPayload {
  @Field(() => MessageSettings, { description: "The settings." })
  settings!: MessageSettings;
}
