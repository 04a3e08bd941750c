import type { PublishMethod } from "../../../schema/vocabulary.ts";
import type { Clock } from "../../kernel/clock.ts";
import { HttpMessageSender } from "./http-message-sender.ts";
import { MailSender } from "./mail-sender.ts";
import type { HttpSenderSettings, MailSettings, MessageSender } from "./message-port.ts";

/** The settings of the senders. A channel without one sends nothing. */
export interface MessageSenderSettings {
  mail?: MailSettings | undefined;
  sms?: HttpSenderSettings | undefined;
  messenger?: HttpSenderSettings | undefined;
}

/** The senders by their channels. */
export type MessageSenders = Readonly<Partial<Record<PublishMethod, MessageSender>>>;

/** Creates a sender for each channel that the operator has set up. */
export const createMessageSenders = (
  { mail, sms, messenger }: MessageSenderSettings,
  clock: Clock,
): MessageSenders => ({
  ...(mail && { EMAIL: new MailSender(mail) }),
  ...(sms && { SMS: new HttpMessageSender(sms, clock) }),
  ...(messenger && { MESSENGER: new HttpMessageSender(messenger, clock) }),
});
