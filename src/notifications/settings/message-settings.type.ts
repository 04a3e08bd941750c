import { Field, InputType, ObjectType } from "type-graphql";
import { Language, MessageKind, PublishMethod } from "../../../schema/vocabulary.ts";
import { DecimalScalar, DurationScalar, EmailScalar, LabelScalar, TextScalar } from "../../graphql/scalars.ts";
import type { Amount } from "../../kernel/amounts.ts";

const PLACEHOLDERS =
  "Placeholders: {{name}} the customer, {{shop}} the vendor, {{amount}} the amount to pay; for messages about a renewal also {{product}}, and {{day}} for the day of the next charge where one is planned. Links are refused.";

@ObjectType({ description: "The vendor's own words for a kind of message in one language.", simpleResolvers: true })
export class MessageWording {
  @Field(() => MessageKind, { description: "Kind of the messages." })
  kind!: MessageKind;

  @Field(() => Language, { description: "Language of the messages." })
  language!: Language;

  @Field(() => String, {
    nullable: true,
    description: "Subject line and heading of the e-mail. Null for the built-in one.",
  })
  subjectLine!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "First paragraph of the e-mail. Null for the built-in greeting.",
  })
  opening!: string | null;
}

@ObjectType({ description: "How much later than its event a kind of message is due.", simpleResolvers: true })
export class MessageDelay {
  @Field(() => MessageKind, { description: "Kind of the messages." })
  kind!: MessageKind;

  @Field(() => DurationScalar, { description: "Time from the event to the message. Quiet hours can add to it." })
  delay!: string;
}

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

  @Field(() => [PublishMethod], {
    description: "Channels on which payers of failed renewals get messages. Defaults to EMAIL alone.",
  })
  dunningChannels!: PublishMethod[];

  @Field(() => DecimalScalar, {
    description: "Share of the payers of failed renewals who get no messages, to be compared with. Defaults to 0.",
  })
  holdoutShare!: Amount;

  @Field(() => [MessageDelay], { description: "Kinds that are due later than their event. Empty if none is." })
  delays!: MessageDelay[];

  @Field(() => [MessageWording], { description: "The vendor's own words. Empty if all are the built-in ones." })
  wordings!: MessageWording[];
}

@InputType({ description: "The vendor's own words for a kind of message in one language." })
export class MessageWordingInput {
  @Field(() => MessageKind, { description: "Kind of the messages." })
  kind!: MessageKind;

  @Field(() => Language, { description: "Language of the messages." })
  language!: Language;

  @Field(() => LabelScalar, {
    nullable: true,
    description: `Subject line and heading of the e-mail, one line of at most 120 characters. Defaults to the built-in one. ${PLACEHOLDERS}`,
  })
  subjectLine?: string | null;

  @Field(() => TextScalar, {
    nullable: true,
    description: `First paragraph of the e-mail instead of the greeting: plain text of at most 1,000 characters. The sentence that says what happened follows it. Defaults to the built-in greeting. ${PLACEHOLDERS}`,
  })
  opening?: string | null;
}

@InputType({ description: "How much later than its event a kind of message is due." })
export class MessageDelayInput {
  @Field(() => MessageKind, {
    description:
      "PAYMENT_FAILED, LAST_NOTICE, PAYMENT_METHOD_REQUIRED or PAYMENT_RECOVERED; other kinds have a date of their own.",
  })
  kind!: MessageKind;

  @Field(() => DurationScalar, {
    description:
      "Time from the event to the message: PT1M to P7D. A message that is not needed any more by then is not sent.",
  })
  delay!: string;
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

  @Field(() => [PublishMethod], {
    nullable: true,
    description:
      "Channels on which payers of failed renewals get messages from now on, at least one. Customers without a phone number get none by SMS and MESSENGER; on a channel without a sender a message is CANCELED. Replaces the stored list.",
  })
  dunningChannels?: PublishMethod[] | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      "Share of the payers of failed renewals who get no messages from now on: a fraction from 0 to 0.5 with at most 4 decimals. A draw decides, and a payer stays in the holdout while it grows. `recoveryAnalytics { messageEffect }` compares them. 0 ends the comparison.",
  })
  holdoutShare?: Amount | null;

  @Field(() => [MessageDelayInput], {
    nullable: true,
    description: "Kinds that are due later than their event from now on, none of them twice. Replaces the stored list.",
  })
  delays?: MessageDelayInput[] | null;

  @Field(() => [MessageWordingInput], {
    nullable: true,
    description:
      "The vendor's own words, at most one entry for a kind and language. They are also used for messages that are queued already. Replaces the stored list.",
  })
  wordings?: MessageWordingInput[] | null;
}

@ObjectType({ description: "The settings after the change.", simpleResolvers: true })
export class UpdateMessageSettingsPayload {
  @Field(() => MessageSettings, { description: "The settings." })
  settings!: MessageSettings;
}
