import type { Language, PasswordLinkPurpose } from "../../../schema/vocabulary.ts";
import type { MessageContent } from "../rendering/message.content.ts";

interface PasswordLinkTexts {
  title: string;
  text: (vendor: string) => string;
  action: string;
  note: string;
}

const resetTexts: Record<Language, PasswordLinkTexts> = {
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

const invitationTexts: Record<Language, PasswordLinkTexts> = {
  ENGLISH: {
    title: "You are invited to Recoup",
    text: (vendor) =>
      `${vendor} invites you to its console. Choose a password to accept. The link can be used once, within seven days.`,
    action: "Accept the invitation",
    note: "If you do not know the sender, do nothing: no account is opened.",
  },
  KOREAN: {
    title: "Recoup에 초대되었습니다",
    text: (vendor) =>
      `${vendor}에서 콘솔로 초대했습니다. 비밀번호를 정하면 초대가 수락됩니다. 링크는 7일 동안 한 번만 사용할 수 있습니다.`,
    action: "초대 수락하기",
    note: "보낸 곳을 모르신다면 이 메일을 무시해 주세요. 계정이 열리지 않습니다.",
  },
};

const textsByPurpose = { RESET: resetTexts, INVITATION: invitationTexts } as const satisfies Record<
  PasswordLinkPurpose,
  object
>;

/** Composes the mail with the link to set a password: a new one, or the first one of a person who is invited. */
export function toPasswordLinkContent(
  purpose: PasswordLinkPurpose,
  vendor: string,
  url: string,
  language: Language,
): MessageContent {
  const { title, text, action, note } = textsByPurpose[purpose][language];
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
