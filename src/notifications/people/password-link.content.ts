import type { Language } from "../../../schema/vocabulary.ts";
import type { MessageContent } from "../rendering/message.content.ts";

interface PasswordLinkTexts {
  title: string;
  text: (vendor: string) => string;
  action: string;
  note: string;
}

const texts: Record<Language, PasswordLinkTexts> = {
  ENGLISH: {
    title: "Set a new password",
    text: (vendor) =>
      `A new password was requested for your account at ${vendor}. The link can be used once, for an hour.`,
    action: "Set the password",
    note: "If you did not request it, do nothing: your password stays as it is.",
  },
  KOREAN: {
    title: "새 비밀번호 설정",
    text: (vendor) => `${vendor} 계정의 새 비밀번호가 요청되었습니다. 링크는 한 시간 동안 한 번만 사용할 수 있습니다.`,
    action: "비밀번호 설정하기",
    note: "요청하지 않으셨다면 이 메일을 무시해 주세요. 비밀번호는 바뀌지 않습니다.",
  },
};

/** Composes the mail with the link to set a new password. */
export function toPasswordLinkContent(vendor: string, url: string, language: Language): MessageContent {
  const { title, text, action, note } = texts[language];
  return {
    language,
    sender: "Recoup",
    title,
    paragraphs: [text(vendor)],
    placeholders: {},
    facts: [],
    lines: [],
    totals: [],
    action: { label: action, url },
    notes: [note],
    short: title,
  };
}
