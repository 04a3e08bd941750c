import type { Language } from "../../../schema/vocabulary.ts";
import { formatDay, formatMonth, formatPaymentInfo } from "../../checkout/checkout.formats.ts";
import type { MessageContent } from "../rendering/message.content.ts";
import { languageTagOf } from "../rendering/message.language.ts";
import { messagePhrases } from "../rendering/message.phrases.ts";

/** The facts of the notice that a payment method expires. */
interface MethodExpiryFacts {
  customerName: string;
  paymentInfo: string;
  /** The start of the month after the last one in which it is valid, in UTC. */
  expiresAt: Date;
  nextPaymentDate: Date;
  shop: { name: string; email: string; zoneId: string };
  /** The link to the payer's page; null if none can be made. */
  url: string | null;
}

interface MethodExpiryTexts {
  title: (shop: string) => string;
  text: (month: string) => string;
  validUntil: string;
}

const texts: Record<Language, MethodExpiryTexts> = {
  ENGLISH: {
    title: (shop) => `${shop}: your payment method expires soon`,
    text: (month) =>
      `Your payment method is valid until the end of ${month}. Please store another one, so that your subscription goes on.`,
    validUntil: "Valid until",
  },
  KOREAN: {
    title: (shop) => `${shop}: 결제 수단 만료 예정 안내`,
    text: (month) =>
      `등록하신 결제 수단의 유효 기간이 ${month} 말에 끝납니다. 구독이 계속되도록 다른 결제 수단을 등록해 주세요.`,
    validUntil: "유효 기간",
  },
};

/** Composes the notice that a payment method expires. */
export function toMethodExpiryContent(
  { customerName, paymentInfo, expiresAt, nextPaymentDate, shop, url }: MethodExpiryFacts,
  language: Language,
): MessageContent {
  const [words, phrases, code] = [texts[language], messagePhrases[language], languageTagOf(language)];
  const month = formatMonth(new Date(expiresAt.getTime() - 1), "UTC", code);
  const day = formatDay(nextPaymentDate, shop.zoneId, code);
  const text = words.text(month);
  return {
    language,
    sender: shop.name,
    title: words.title(shop.name),
    paragraphs: [phrases.greeting(customerName), text],
    placeholders: { name: customerName, shop: shop.name, day },
    facts: [
      [phrases.paymentMethod, formatPaymentInfo(paymentInfo)],
      [words.validUntil, month],
      [phrases.nextCharge, day],
    ],
    lines: [],
    totals: [],
    action: url === null ? null : { label: phrases.updateMethod, url },
    notes: shop.email === "" ? [] : [phrases.contact(shop.email)],
    short: text,
  };
}
