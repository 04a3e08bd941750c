import { translations } from "../language/language.tsx";

export const actionsTexts = translations(
  {
    consequences: "What this does",
    back: "Back",
    reason: "Reason",
    reasonHint: "For the timeline. Optional.",
    actions: "Actions",
  },
  {
    consequences: "이렇게 처리됩니다",
    back: "돌아가기",
    reason: "사유",
    reasonHint: "진행 내역에 남습니다. 선택 사항입니다.",
    actions: "작업",
  },
);
