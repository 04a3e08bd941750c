import type { Language } from "../../../schema/vocabulary.ts";
import { english } from "../../checkout/checkout.english.ts";
import { formatDay, formatMoney } from "../../checkout/checkout.formats.ts";
import { korean } from "../../checkout/checkout.korean.ts";
import type { Amount } from "../../kernel/amounts.ts";
import type { MessageContent } from "../rendering/message.content.ts";
import { languageTagOf } from "../rendering/message.language.ts";
import { messagePhrases } from "../rendering/message.phrases.ts";
import type { NoticeSubscription } from "./notice.repository.ts";

/** The facts of a notice of a charge. */
export interface ChargeNoticeFacts {
  subscription: NoticeSubscription;
  shop: { name: string; email: string; zoneId: string };
  charge: { date: Date; amount: Amount; currency: string; productName: string };
  /** The link to the payer's page; null if none can be made. */
  url: string | null;
}

/** The facts of the texts, formatted. */
interface TextFacts {
  amount: string;
  day: string;
}

interface ChargeNoticeTexts {
  title: (shop: string, day: string) => string;
  /** The amount is known. */
  fixed: (facts: TextFacts) => string;
  /** The amount grows with the use until the charge. */
  metered: (facts: TextFacts) => string;
  withMethod: string;
  withoutMethod: string;
  amountSoFar: string;
}

const texts: Record<Language, ChargeNoticeTexts> = {
  ENGLISH: {
    title: (shop, day) => `${shop}: your next charge is on ${day}`,
    fixed: ({ amount, day }) => `We will charge ${amount} on ${day}.`,
    metered: ({ amount, day }) =>
      `We will charge what you have used on ${day}. So far it is ${amount}; what you use until then is added.`,
    withMethod: "We use the payment method below. You need not do anything.",
    withoutMethod: "No payment method is stored. Please store one before then to keep your subscription.",
    amountSoFar: "Amount so far",
  },
  KOREAN: {
    title: (shop, day) => `${shop}: ${day} 결제 예정 안내`,
    fixed: ({ amount, day }) => `${day}에 ${amount}이 결제될 예정입니다.`,
    metered: ({ amount, day }) =>
      `${day}에 사용하신 만큼 결제될 예정입니다. 현재까지의 금액은 ${amount}이며, 결제일까지 사용하신 금액이 더해집니다.`,
    withMethod: "아래의 결제 수단으로 결제되며, 따로 하실 일은 없습니다.",
    withoutMethod: "등록된 결제 수단이 없습니다. 구독을 유지하시려면 그 전에 결제 수단을 등록해 주세요.",
    amountSoFar: "현재까지의 금액",
  },
};

/** Composes the notice of a charge. */
export function toChargeNoticeContent(
  { subscription, shop, charge, url }: ChargeNoticeFacts,
  language: Language,
): MessageContent {
  const { customerName, isMetered, paymentInfo } = subscription;
  const [words, phrases, code] = [texts[language], messagePhrases[language], languageTagOf(language)];
  const facts = {
    amount: formatMoney(charge.amount, charge.currency, code),
    day: formatDay(charge.date, shop.zoneId, code),
  };
  const sentence = isMetered ? words.metered(facts) : words.fixed(facts);
  return {
    language,
    sender: shop.name,
    title: words.title(shop.name, facts.day),
    paragraphs: [
      phrases.greeting(customerName),
      `${sentence} ${paymentInfo === null ? words.withoutMethod : words.withMethod}`,
    ],
    placeholders: { ...facts, name: customerName, shop: shop.name, product: charge.productName },
    facts: [
      [phrases.subscription, charge.productName] as const,
      [isMetered ? words.amountSoFar : phrases.amount, facts.amount] as const,
      [phrases.nextCharge, facts.day] as const,
      [phrases.paymentMethod, toMaskedMethod(paymentInfo)] as const,
    ].filter(([, value]) => value !== ""),
    lines: [],
    totals: [],
    action: url === null ? null : { label: phrases.updateMethod, url },
    notes: [(language === "KOREAN" ? korean : english).upcoming.stop(shop.email)],
    short: sentence,
  };
}

/** The label of a stored payment method, with dots as the payer's page shows them. */
const toMaskedMethod = (paymentInfo: string | null): string => paymentInfo?.replace(/\*+/g, "•••• ") ?? "";
