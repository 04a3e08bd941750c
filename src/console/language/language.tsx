import { createContext, use, useEffect, useMemo, useState, type ReactNode } from "react";

/** The languages of the console, as BCP 47 tags. */
export type LanguageTag = "en" | "ko";

interface LanguageChoice {
  language: LanguageTag;
  chooseLanguage: (language: LanguageTag) => void;
}

const STORAGE_KEY = "recoup.language";

const LanguageContext = createContext<LanguageChoice>({ language: "en", chooseLanguage: () => undefined });

/** The chosen language, else the first of the browser's that the console has. */
function findLanguage(): LanguageTag {
  const wanted = [localStorage.getItem(STORAGE_KEY) ?? "", ...navigator.languages];
  const found = wanted.map((tag) => tag.slice(0, 2)).find((tag) => tag === "en" || tag === "ko");
  return found ?? "en";
}

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(findLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const choice = useMemo(() => {
    const chooseLanguage = (chosen: LanguageTag) => {
      localStorage.setItem(STORAGE_KEY, chosen);
      setLanguage(chosen);
    };
    return { language, chooseLanguage };
  }, [language]);
  return <LanguageContext value={choice}>{children}</LanguageContext>;
}

export const useLanguage = (): LanguageChoice => use(LanguageContext);

/** The chosen language as the API names it, for the texts that it makes. */
export const useApiLanguage = (): "ENGLISH" | "KOREAN" =>
  use(LanguageContext).language === "ko" ? "KOREAN" : "ENGLISH";

/** Texts of one page in both languages. */
export interface Translations<Texts> {
  en: Texts;
  ko: Texts;
}

/** Pairs the texts of both languages; the compiler names what one of them lacks. */
export const translations = <Texts,>(en: Texts, ko: NoInfer<Texts>): Translations<Texts> => ({ en, ko });

export const useTexts = <Texts,>(texts: Translations<Texts>): Texts => texts[useLanguage().language];
