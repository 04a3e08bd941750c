import type { Language, MessageKind } from "../../../schema/vocabulary.ts";
import { formatDay, formatMoney } from "../../checkout/checkout.formats.ts";
import type { DunnedCover } from "./dunning-message.repository.ts";
import type { MessageContent } from "../rendering/message.content.ts";
import { languageTagOf } from "../rendering/message.language.ts";
import { messagePhrases } from "../rendering/message.phrases.ts";

/** The kinds of messages to the payer of a failed renewal. */
export type DunningKind = Extract<
  MessageKind,
  "PAYMENT_FAILED" | "RETRY_COMING" | "LAST_NOTICE" | "PAYMENT_METHOD_REQUIRED" | "PAYMENT_RECOVERED"
>;

/** The facts of a dunning message. */
export interface DunningMessageFacts {
  cover: Pick<
    DunnedCover,
    "customerName" | "productName" | "currency" | "amount" | "paidAmount" | "retryAt" | "zoneId"
  >;
  shop: { name: string; email: string };
  /** The link to the payer's page; null if none can be made, or none is needed. */
  url: string | null;
}

interface DunningTexts {
  kinds: Record<DunningKind, { title: (shop: string) => string; text: (amount: string, day: string) => string }>;
}

const texts: Record<Language, DunningTexts> = {
  ENGLISH: {
    kinds: {
      PAYMENT_FAILED: {
        title: (shop) => `${shop}: your payment failed`,
        text: (amount, day) =>
          `We could not charge ${amount}. We try again on ${day}. You can store another payment method, or choose another day.`,
      },
      RETRY_COMING: {
        title: (shop) => `${shop}: we try your payment again soon`,
        text: (amount, day) =>
          `We try to charge ${amount} again on ${day}. You can store another payment method, or choose another day.`,
      },
      LAST_NOTICE: {
        title: (shop) => `${shop}: last notice about your payment`,
        text: (amount, day) =>
          `We still could not charge ${amount}. The last try is on ${day}. Please store another payment method before then to keep your subscription.`,
      },
      PAYMENT_METHOD_REQUIRED: {
        title: (shop) => `${shop}: please update your payment method`,
        text: (amount) =>
          `We could not charge ${amount}. Your payment method cannot be used; please store another one.`,
      },
      PAYMENT_RECOVERED: {
        title: (shop) => `${shop}: your payment succeeded`,
        text: (amount) => `Thank you. ${amount} was paid, and your subscription goes on. You need not do anything.`,
      },
    },
  },
  KOREAN: {
    kinds: {
      PAYMENT_FAILED: {
        title: (shop) => `${shop}: 결제되지 않았습니다`,
        text: (amount, day) =>
          `${amount}을 결제하지 못했습니다. ${day}에 다시 결제합니다. 다른 결제 수단을 등록하시거나 결제일을 선택하실 수 있습니다.`,
      },
      RETRY_COMING: {
        title: (shop) => `${shop}: 곧 다시 결제됩니다`,
        text: (amount, day) =>
          `${day}에 ${amount}을 다시 결제합니다. 다른 결제 수단을 등록하시거나 결제일을 선택하실 수 있습니다.`,
      },
      LAST_NOTICE: {
        title: (shop) => `${shop}: 마지막 결제 안내`,
        text: (amount, day) =>
          `${amount}을 아직 결제하지 못했습니다. 마지막 결제일은 ${day}입니다. 구독을 유지하시려면 그 전에 다른 결제 수단을 등록해 주세요.`,
      },
      PAYMENT_METHOD_REQUIRED: {
        title: (shop) => `${shop}: 결제 수단을 변경해 주세요`,
        text: (amount) =>
          `${amount}을 결제하지 못했습니다. 사용할 수 없는 결제 수단이므로 다른 결제 수단을 등록해 주세요.`,
      },
      PAYMENT_RECOVERED: {
        title: (shop) => `${shop}: 결제가 완료되었습니다`,
        text: (amount) => `감사합니다. ${amount}이 결제되어 구독이 유지됩니다. 더 하실 일은 없습니다.`,
      },
    },
  },
};

/** Composes a message to the payer of a failed renewal. */
export function toDunningContent(
  kind: DunningKind,
  { cover, shop, url }: DunningMessageFacts,
  language: Language,
): MessageContent {
  const code = languageTagOf(language);
  const [words, phrases] = [texts[language], messagePhrases[language]];
  const due = kind === "PAYMENT_RECOVERED" ? cover.amount : cover.amount.minus(cover.paidAmount);
  const amount = formatMoney(due, cover.currency, code);
  const day = cover.retryAt ? formatDay(cover.retryAt, cover.zoneId, code) : "";
  const text = words.kinds[kind].text(amount, day);
  return {
    language,
    sender: shop.name,
    title: words.kinds[kind].title(shop.name),
    paragraphs: [phrases.greeting(cover.customerName), text],
    placeholders: { name: cover.customerName, shop: shop.name, amount, day, product: cover.productName },
    facts: [
      [phrases.subscription, cover.productName] as const,
      [phrases.amount, amount] as const,
      [phrases.nextCharge, day] as const,
    ].filter(([, value]) => value !== ""),
    lines: [],
    totals: [],
    action: url === null ? null : { label: phrases.updateMethod, url },
    notes: shop.email === "" ? [] : [phrases.contact(shop.email)],
    short: text,
  };
}
