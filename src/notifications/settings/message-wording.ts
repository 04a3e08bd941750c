import type { MessageKind } from "../../../schema/vocabulary.ts";
import { invalidFields, type FieldError } from "../../kernel/refusals.ts";
import { nearestWord } from "../../kernel/suggestions.ts";
import type { MessageContent } from "../rendering/message.content.ts";
import { messageKinds, type MessagePlaceholder } from "./message-kinds.ts";
import type { MessageWording } from "./message-settings.repository.ts";

/** A wording as a merchant sends it. */
export type RequestedWording = Pick<MessageWording, "kind" | "language"> &
  Partial<Pick<MessageWording, "subjectLine" | "opening">>;

/** Many mail programs show fewer characters of a subject line; placeholders can make it longer. */
const MAX_SUBJECT_LENGTH = 120;
const MAX_OPENING_LENGTH = 1_000;

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** What mail programs turn into a link: an address with a scheme, `www.`, a host name, an e-mail address. */
const LINK = /[a-z][a-z\d+.-]*:\/\/|mailto:|www\.|[\p{L}\d]\.[a-z]{2,}(?!\p{L})/iu;

/**
 * The wordings to store.
 * @throws a Refusal INVALID_ARGUMENT that names every wrong value.
 */
export function readWordings(requested: readonly RequestedWording[]): MessageWording[] {
  const errors: FieldError[] = [];
  const wordings = requested.map(({ kind, language, subjectLine = null, opening = null }, index) => {
    const path = `wordings[${index}]`;
    const addError = (name: string, message: string | undefined) =>
      message !== undefined && errors.push({ path: `${path}${name}`, code: "INVALID_VALUE", message });
    if (requested.findIndex((one) => one.kind === kind && one.language === language) < index)
      addError("", `must not have ${kind} in ${language} twice.`);
    if (subjectLine === null && opening === null) addError("", "must have `subjectLine` or `opening`.");
    if (subjectLine !== null) addError(".subjectLine", subjectError(subjectLine) ?? textError(subjectLine, kind));
    if (opening !== null) addError(".opening", lengthError(opening, MAX_OPENING_LENGTH) ?? textError(opening, kind));
    return { kind, language, subjectLine, opening };
  });
  if (errors.length > 0) throw invalidFields(errors);
  return wordings;
}

const lengthError = (text: string, max: number): string | undefined => {
  if (text.trim() === "") return "must not be blank; null stands for the built-in text.";
  return text.length > max ? `must have at most ${max} characters.` : undefined;
};

const subjectError = (text: string): string | undefined =>
  lengthError(text, MAX_SUBJECT_LENGTH) ??
  (/[\p{Cc}\u2028\u2029]/u.test(text) ? "must be one line without control characters." : undefined);

function textError(text: string, kind: MessageKind): string | undefined {
  const { placeholders } = messageKinds[kind];
  const unknown = [...text.matchAll(PLACEHOLDER)]
    .map(([, name = ""]) => name)
    .find((name) => !isOneOf(name, placeholders));
  if (unknown !== undefined) {
    const near = nearestWord(unknown, placeholders);
    const known = placeholders.map((name) => `{{${name}}}`).join(", ");
    return `has {{${unknown}}}, which ${kind} does not know. ${near === undefined ? "" : `Did you mean {{${near}}}? `}It knows ${known}.`;
  }
  const withoutPlaceholders = text.replace(PLACEHOLDER, "");
  if (/\{\{|\}\}/.test(withoutPlaceholders)) return "must close each placeholder: {{name}}.";
  return LINK.test(withoutPlaceholders)
    ? "must not have links, host names or e-mail addresses: each message has its own link, and `replyTo` is the address for answers. Put a blank after a full stop."
    : undefined;
}

const isOneOf = (name: string, names: readonly string[]): boolean => names.includes(name);

/** The content with the vendor's own words for its kind and language. What says what happened stays. */
export function applyWording(
  content: MessageContent,
  kind: MessageKind,
  wordings: readonly MessageWording[],
): MessageContent {
  const own = wordings.find((one) => one.kind === kind && one.language === content.language);
  if (!own) return content;
  const fill = (text: string) =>
    text.replace(PLACEHOLDER, (_, name: MessagePlaceholder) => content.placeholders[name] ?? "");
  const [greeting = "", ...statements] = content.paragraphs;
  return {
    ...content,
    title: own.subjectLine === null ? content.title : fill(own.subjectLine),
    paragraphs: [own.opening === null ? greeting : fill(own.opening), ...statements],
  };
}
