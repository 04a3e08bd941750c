import { translations } from "../language/language.tsx";

export const shellTexts = translations(
  {
    navigation: "Main navigation",
    skip: "Skip to the content",
    pages: { home: "Home", recovery: "Recovery" },
    sandbox: "Sandbox",
    signOut: "Sign out",
    language: "Language",
    colors: "Colours",
    schemes: { auto: "System", light: "Light", dark: "Dark" },
  },
  {
    navigation: "주 메뉴",
    skip: "본문으로 건너뛰기",
    pages: { home: "홈", recovery: "회복" },
    sandbox: "샌드박스",
    signOut: "로그아웃",
    language: "언어",
    colors: "화면 색상",
    schemes: { auto: "시스템 설정", light: "밝게", dark: "어둡게" },
  },
);
