import type { Language } from "../../../schema/vocabulary.ts";
import type { MessagePlaceholder } from "../settings/message-kinds.ts";

/** A row of a table of amounts. */
export interface ContentLine {
  label: string;
  /** The quantity, or another addition to the label; empty for none. */
  detail: string;
  amount: string;
}

/** A message in its language, before it is rendered for a channel. All its texts are plain: rendering escapes them. */
export interface MessageContent {
  language: Language;
  /** The name of the shop. */
  sender: string;
  /** The subject line of an e-mail. */
  title: string;
  /** The first paragraph greets the reader: a vendor's own opening stands in its place. */
  paragraphs: readonly string[];
  /** The values of the placeholders in a vendor's own words. */
  placeholders: Readonly<Partial<Record<MessagePlaceholder, string>>>;
  /** Facts as pairs of a label and a value: a number, a deadline. */
  facts: readonly (readonly [label: string, value: string])[];
  lines: readonly ContentLine[];
  /** The last rows of the table, such as the total. */
  totals: readonly ContentLine[];
  /** The link that the reader is asked to follow; null for none. */
  action: { label: string; url: string } | null;
  /** Small print: whom to ask, why the message came. */
  notes: readonly string[];
  /** One or two sentences for a text message, without the link. */
  short: string;
}

/** A document that is sent with an e-mail as a PDF. It shows the content's facts, lines and totals. */
export interface MessageDocument {
  fileName: string;
  title: string;
  issuedAt: Date;
  content: MessageContent;
  /** Who gets the document, and when it was issued: pairs of a label and a value before the facts. */
  parties: readonly (readonly [label: string, value: string])[];
  /** Paragraphs after the totals. */
  remarks: readonly string[];
}

/** The parts of a message for its channel. */
export interface MessageParts {
  subjectLine: string | null;
  textBody: string;
  htmlBody: string | null;
}

/** The vendor of a message, as far as sending needs it. */
export interface MessageVendor {
  id: number;
  sandbox: boolean;
}

/** The content of a message, or the reason why it is not sent any more. */
export type Composition = { content: MessageContent; document?: MessageDocument } | { canceled: string };
