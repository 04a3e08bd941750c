import { translations } from "../language/language.tsx";

export const sessionTexts = translations(
  {
    title: "Sign in",
    introduction: "See what failed payments cost you, and what was recovered.",
    token: "API token",
    tokenHint: "It stays in this tab and is forgotten when you close it.",
    tokenMissing: "Paste the API token of your vendor.",
    signIn: "Sign in",
    or: "Nothing at hand?",
    demoHint:
      "The demo is a coffee club in Seoul: a year of orders, and two months of recoveries. Nothing there costs money.",
    openDemo: "Open the demo",
    demoUnavailable: "The demo is not available. Restart the gateway with its demo data on a loopback HOST.",
    loading: "Signing in …",
  },
  {
    title: "로그인",
    introduction: "결제 실패로 잃은 금액과 회복한 금액을 확인하세요.",
    token: "API 토큰",
    tokenHint: "이 탭에만 보관되며 탭을 닫으면 지워집니다.",
    tokenMissing: "판매자의 API 토큰을 붙여 넣어 주세요.",
    signIn: "로그인",
    or: "토큰이 없으신가요?",
    demoHint: "데모는 서울의 커피 구독 상점입니다. 1년간의 주문과 두 달간의 회복 내역이 있으며 실제 결제는 없습니다.",
    openDemo: "데모 열기",
    demoUnavailable: "데모를 열 수 없습니다. 루프백 HOST에서 데모 데이터와 함께 게이트웨이를 다시 시작해 주세요.",
    loading: "로그인하는 중입니다 …",
  },
);
