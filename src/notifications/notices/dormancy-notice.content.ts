import type { Language } from "../../../schema/vocabulary.ts";
import { formatDay } from "../../checkout/checkout.formats.ts";
import type { MessageContent } from "../rendering/message.content.ts";
import { languageTagOf } from "../rendering/message.language.ts";
import { messagePhrases } from "../rendering/message.phrases.ts";

interface DormancyNoticeTexts {
  title: (shop: string, day: string) => string;
  text: (shop: string, day: string) => string;
}

const texts: Record<Language, DormancyNoticeTexts> = {
  ENGLISH: {
    title: (shop, day) => `${shop}: your account becomes dormant on ${day}`,
    text: (shop, day) =>
      `You have not ordered at ${shop} for eleven months. Your account becomes dormant on ${day} if you do not order before. Your next order after that makes it active again.`,
  },
  KOREAN: {
    title: (shop, day) => `${shop}: ${day} 휴면 계정 전환 안내`,
    text: (shop, day) =>
      `${shop}에서 11개월 동안 주문하지 않으셨습니다. ${day} 전에 주문하지 않으시면 휴면 계정으로 전환됩니다. 전환된 뒤에도 주문하시면 다시 활성화됩니다.`,
  },
};

/** Composes the notice that an account becomes dormant. */
export function toDormancyNoticeContent(
  {
    customerName,
    shop,
    dormantAt,
  }: { customerName: string; shop: { name: string; email: string; zoneId: string }; dormantAt: Date },
  language: Language,
): MessageContent {
  const [words, phrases] = [texts[language], messagePhrases[language]];
  const day = formatDay(dormantAt, shop.zoneId, languageTagOf(language));
  const text = words.text(shop.name, day);
  return {
    language,
    sender: shop.name,
    title: words.title(shop.name, day),
    paragraphs: [phrases.greeting(customerName), text],
    placeholders: { name: customerName, shop: shop.name, day },
    facts: [],
    lines: [],
    totals: [],
    action: null,
    notes: shop.email === "" ? [] : [phrases.contact(shop.email)],
    short: text,
  };
}
