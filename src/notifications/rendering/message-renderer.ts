import { Eta } from "eta";
import type { PublishMethod } from "../../../schema/vocabulary.ts";
import { projectFile } from "../../kernel/project-files.ts";
import type { MessageContent, MessageParts } from "./message.content.ts";
import { languageTagOf } from "./message.language.ts";
import { renderShortText, renderText, toOneLine } from "./message.text.ts";

const eta = new Eta({ views: projectFile("src/notifications/rendering/mails"), cache: true });

/** Longer subject lines are cut: many programs show fewer than 100 characters. */
const MAX_SUBJECT_CHARACTERS = 150;

/** Renders a message for its channel. The template escapes every value. */
export function renderMessage(content: MessageContent, channel: PublishMethod): MessageParts {
  if (channel !== "EMAIL") return { subjectLine: null, textBody: renderShortText(content), htmlBody: null };
  return {
    subjectLine: [...toOneLine(content.title)].slice(0, MAX_SUBJECT_CHARACTERS).join(""),
    textBody: renderText(content),
    htmlBody: eta.render("./mail", { ...content, lang: languageTagOf(content.language) }),
  };
}
