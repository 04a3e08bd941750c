import { useTexts } from "../language/language.tsx";
import { EmptyNotice } from "./notices.tsx";
import { Page } from "./page.tsx";
import { partsTexts } from "./parts.texts.ts";

export function NotFoundPage() {
  const texts = useTexts(partsTexts);
  return (
    <Page title={texts.notFoundTitle}>
      <EmptyNotice>{texts.notFoundText}</EmptyNotice>
    </Page>
  );
}
