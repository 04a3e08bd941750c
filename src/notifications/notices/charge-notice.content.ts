import type { Language, MessageKind } from "../../../schema/vocabulary.ts";
import { english } from "../../checkout/checkout.english.ts";
import { formatDay, formatMoney, formatPaymentInfo } from "../../checkout/checkout.formats.ts";
import { korean } from "../../checkout/checkout.korean.ts";
import type { Amount } from "../../kernel/amounts.ts";
import type { MessageContent } from "../rendering/message.content.ts";
import { languageTagOf } from "../rendering/message.language.ts";
import { messagePhrases } from "../rendering/message.phrases.ts";
import type { NoticeSubscription } from "./notice.repository.ts";

/** The kinds of notices of a charge. */
export type ChargeNoticeKind = Extract<MessageKind, "CHARGE_COMING" | "USAGE_CHARGE_COMING" | "TRIAL_ENDING">;

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
  /** How often the subscription is charged. */
  cycle: string;
  /** The end of the trial; "" without one. */
  trialEnd: string;
}

interface ChargeNoticeTexts {
  titles: Record<ChargeNoticeKind, (shop: string, facts: TextFacts) => string>;
  trial: (facts: TextFacts) => string;
  /** The amount is known. */
  fixed: (facts: TextFacts) => string;
  /** The amount grows with the use until the charge. */
  metered: (facts: TextFacts) => string;
  withMethod: string;
  withoutMethod: string;
  amountSoFar: string;
  cycle: string;
  trialEnd: string;
}

const texts: Record<Language, ChargeNoticeTexts> = {
  ENGLISH: {
    titles: {
      CHARGE_COMING: (shop, { day }) => `${shop}: your next charge is on ${day}`,
      USAGE_CHARGE_COMING: (shop, { day }) => `${shop}: your usage is charged on ${day}`,
      TRIAL_ENDING: (shop, { trialEnd }) => `${shop}: your free trial ends on ${trialEnd}`,
    },
    trial: ({ trialEnd }) =>
      `Your free trial ends on ${trialEnd}. After that, the subscription is paid unless you cancel.`,
    fixed: ({ amount, day }) => `We will charge ${amount} on ${day}.`,
    metered: ({ amount, day }) => `On ${day} we will charge what you have used until then. So far it is ${amount}.`,
    withMethod: "We use the payment method below. You need not do anything.",
    withoutMethod: "No payment method is stored. Please store one before then to keep your subscription.",
    amountSoFar: "Amount so far",
    cycle: "Charged",
    trialEnd: "End of the trial",
  },
  KOREAN: {
    titles: {
      CHARGE_COMING: (shop, { day }) => `${shop}: ${day} 결제 예정 안내`,
      USAGE_CHARGE_COMING: (shop, { day }) => `${shop}: ${day} 사용 요금 결제 예정 안내`,
      TRIAL_ENDING: (shop, { trialEnd }) => `${shop}: ${trialEnd} 무료 체험 종료 안내`,
    },
    trial: ({ trialEnd }) =>
      `무료 체험이 ${trialEnd}에 종료됩니다. 그 전에 해지하지 않으시면 유료 구독으로 전환됩니다.`,
    fixed: ({ amount, day }) => `${day}에 ${amount}이 결제될 예정입니다.`,
    metered: ({ amount, day }) =>
      `${day}에 그때까지 사용하신 금액이 결제될 예정입니다. 현재까지의 금액은 ${amount}이며, 결제일까지 사용하신 금액이 더해집니다.`,
    withMethod: "아래의 결제 수단으로 결제되며, 따로 하실 일은 없습니다.",
    withoutMethod: "등록된 결제 수단이 없습니다. 구독을 유지하시려면 그 전에 결제 수단을 등록해 주세요.",
    amountSoFar: "현재까지의 금액",
    cycle: "결제 주기",
    trialEnd: "무료 체험 종료일",
  },
};

/** Composes the notice of a charge. */
export function toChargeNoticeContent(
  kind: ChargeNoticeKind,
  { subscription, shop, charge, url }: ChargeNoticeFacts,
  language: Language,
): MessageContent {
  const { customerName, isMetered, paymentInfo, trialEndDate, interval, intervalCount } = subscription;
  const [words, phrases, code] = [texts[language], messagePhrases[language], languageTagOf(language)];
  const { upcoming } = language === "KOREAN" ? korean : english;
  const facts: TextFacts = {
    amount: formatMoney(charge.amount, charge.currency, code),
    day: formatDay(charge.date, shop.zoneId, code),
    cycle: upcoming.cycle({ count: intervalCount, unit: interval }),
    trialEnd: trialEndDate && kind === "TRIAL_ENDING" ? formatDay(trialEndDate, shop.zoneId, code) : "",
  };
  const chargeSentence = (isMetered ? words.metered : words.fixed)(facts);
  const sentence = kind === "TRIAL_ENDING" ? `${words.trial(facts)} ${chargeSentence}` : chargeSentence;
  return {
    language,
    sender: shop.name,
    title: words.titles[kind](shop.name, facts),
    paragraphs: [
      phrases.greeting(customerName),
      `${sentence} ${paymentInfo === null ? words.withoutMethod : words.withMethod}`,
    ],
    placeholders: {
      ...{ name: customerName, shop: shop.name, product: charge.productName },
      ...{ amount: facts.amount, day: facts.day },
    },
    facts: [
      [phrases.subscription, charge.productName] as const,
      [words.trialEnd, facts.trialEnd] as const,
      [isMetered ? words.amountSoFar : phrases.amount, facts.amount] as const,
      [phrases.nextCharge, facts.day] as const,
      [words.cycle, facts.cycle] as const,
      [phrases.paymentMethod, formatPaymentInfo(paymentInfo ?? "")] as const,
    ].filter(([, value]) => value !== ""),
    lines: [],
    totals: [],
    action: url === null ? null : { label: phrases.updateMethod, url },
    notes: [upcoming.stop(shop.email)],
    short: sentence,
  };
}
