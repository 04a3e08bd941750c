import { translations } from "../language/language.tsx";

export const docsTexts = translations(
  {
    title: "Docs",
    guides: "Guides",
    english: "The guides are in English.",
    references: "References",
    explorer: "GraphQL explorer with example operations",
    rest: "REST reference",
    openApi: "OpenAPI document of the REST interface",
    errors: "Error codes",
    console: "Open the console",
    all: "All docs",
    missing: "There is no such guide.",
  },
  {
    title: "문서",
    guides: "안내서",
    english: "안내서는 영어로 되어 있습니다.",
    references: "참조 문서",
    explorer: "예제가 있는 GraphQL 탐색기",
    rest: "REST 참조 문서",
    openApi: "REST 인터페이스의 OpenAPI 문서",
    errors: "오류 코드",
    console: "콘솔 열기",
    all: "모든 문서",
    missing: "해당하는 안내서가 없습니다.",
  },
);
