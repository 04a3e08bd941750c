import { Field, InputType, ObjectType } from "type-graphql";
import { MessageKind } from "../../../schema/vocabulary.ts";
import { EmailScalar, LabelScalar } from "../../graphql/scalars.ts";

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
}

@ObjectType({ description: "The settings after the change.", simpleResolvers: true })
export class UpdateMessageSettingsPayload {
  @Field(() => MessageSettings, { description: "The settings." })
  settings!: MessageSettings;
}
