import type { ContentLine, MessageContent } from "./message.content.ts";

/** Removes control characters and line breaks, so that a value of one line stays in its line. */
export const toOneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();

const toTextLine = ({ label, detail, amount }: ContentLine): string =>
  `- ${toOneLine([label, detail].filter((part) => part !== "").join(" "))}: ${amount}`;

/** Renders the plain text of an e-mail. */
export function renderText({ paragraphs, facts, lines, totals, action, notes, sender }: MessageContent): string {
  const sections = [
    ...paragraphs,
    facts.map(([label, value]) => `${label}: ${toOneLine(value)}`).join("\n"),
    [...lines, ...totals].map(toTextLine).join("\n"),
    action ? `${action.label}:\n${action.url}` : "",
    [toOneLine(sender), ...notes].join("\n"),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

/** Renders a text message: the shop, the short text and the link. */
export const renderShortText = ({ sender, short, action }: MessageContent): string =>
  [`[${toOneLine(sender)}] ${toOneLine(short)}`, ...(action ? [action.url] : [])].join("\n");
