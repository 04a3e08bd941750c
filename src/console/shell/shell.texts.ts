import { translations } from "../language/language.tsx";

export const shellTexts = translations(
  {
    navigation: "Main navigation",
    skip: "Skip to the content",
    pages: {
      home: "Home",
      recovery: "Recovery",
      orders: "Orders",
      customers: "Customers",
      subscriptions: "Subscriptions",
      products: "Products",
      invoices: "Invoices",
      payments: "Payments",
      developers: "Developers",
    },
    sandbox: "Sandbox",
    signOut: "Sign out",
    language: "Language",
    colors: "Colours",
    schemes: { auto: "System", light: "Light", dark: "Dark" },
  },
  {
    navigation: "주 메뉴",
    skip: "본문으로 건너뛰기",
    pages: {
      home: "홈",
      recovery: "회복",
      orders: "주문",
      customers: "고객",
      subscriptions: "구독",
      products: "상품",
      invoices: "청구서",
      payments: "결제",
      developers: "개발자",
    },
    sandbox: "샌드박스",
    signOut: "로그아웃",
    language: "언어",
    colors: "화면 색상",
    schemes: { auto: "시스템 설정", light: "밝게", dark: "어둡게" },
  },
);
