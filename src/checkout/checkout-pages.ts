import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { Eta } from "eta";
import { plain, sum } from "../kernel/amounts.ts";
import { asset } from "../kernel/project-files.ts";
import { failureOf } from "./checkout.declines.ts";
import { english } from "./checkout.english.ts";
import { day, moment, money } from "./checkout.formats.ts";
import type { Slip } from "./checkout.form.ts";
import { korean } from "./checkout.korean.ts";
import type { Language } from "./checkout.language.ts";
import type { CheckoutLink } from "./checkout-link.codec.ts";
import type { CheckoutOrder } from "./checkout.repository.ts";
import { returning, type CheckoutOutcome } from "./checkout.return-url.ts";
import type { Visit } from "./checkout.service.ts";
import { isPayable, type Standing } from "./checkout.state.ts";
import { takesCard } from "./checkout.methods.ts";
import type { Hindrance, Obstacle, Words } from "./checkout.texts.ts";
import { virtualAccountOf } from "../payments/virtual-account.ts";

const folder = asset("src/checkout/pages");
const eta = new Eta({ views: folder, cache: true });
const style = readFileSync(`${folder}/style.css`, "utf8");

const words: Record<Language, Words> = { ko: korean, en: english };

const ATTEMPT_BYTES = 18;

/**
 * Nothing runs and nothing is fetched; the one style sheet is known by its hash, and nobody shows a page in a frame. What a
 * form is answered may lead on to where the link says, and nowhere else.
 */
export const contentPolicy = (link?: CheckoutLink): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    `form-action ${["'self'", ...new Set(addressesOf(link).map((address) => new URL(address).origin))].join(" ")}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const addressesOf = (link: CheckoutLink | undefined): string[] => Object.values(link?.returnUrls ?? {});

const languages = [
  { code: "ko", name: "한국어" },
  { code: "en", name: "English" },
];

const render = (page: string, language: Language, view: object): string =>
  eta.render(page, { style, languages, language, words: words[language], ...view });

/** An address as it is seen from a page: a gateway that is part of this one tells the path only. */
export const fromPage = (address: string): string => address.replace(/^\//, "../");

/** A page that says why there is no order to see. */
export const noticePage = (hindrance: Hindrance, language: Language, traceId?: string): string =>
  render("./notice", language, { ...words[language].hindrances[hindrance], traceId });

/** What went wrong with what the payer has just sent. */
export interface Trouble {
  slips?: readonly Slip[];
  obstacle?: Obstacle;
  /** The payment method that was chosen. */
  chosen?: string | null;
  /** The boxes of the terms that were agreed to. */
  agreed?: ReadonlySet<string>;
}

/** The page of an order: its lines, its sum, and what can be done about it. */
export function orderPage(visit: Visit, link: CheckoutLink, language: Language, trouble: Trouble = {}): string {
  const { order, standing, due, ways } = visit;
  const { currency, purchaseDeadline, zoneId, payment } = order;
  const told = words[language];
  const shown = (value: typeof due) => money(value, currency, language);
  const mayPay = isPayable(standing) && ways.length > 0;
  return render("./order", language, {
    ...order,
    title: told.title(order.code),
    notice: told.standings[standing],
    alert: alertOf(visit, language, trouble),
    slips: Object.fromEntries((trouble.slips ?? []).map((slip) => [slip, true])),
    confirm: standing === "TO_CONFIRM" ? fromPage(payment!.challengeUrl!) : null,
    again: standing === "UNDER_WAY",
    account: accountOf(visit, language),
    lines: order.items.filter(isShown).map((item) => ({
      name: nameOf(item, language),
      details: detailsOf(item, language),
      quantity: item.type === "SKU" ? item.quantity : "",
      amount: shown(item.amount),
    })),
    totals: totalsOf(visit, language),
    deadline: purchaseDeadline && {
      machine: purchaseDeadline.toISOString(),
      text: moment(purchaseDeadline, zoneId, language),
    },
    choices: standing === "PAYABLE" && order.paidAmount.eq(0) ? choicesOf(order) : [],
    terms: mayPay
      ? termsOf(order).map((term) => ({ ...term, isAgreed: trouble.agreed?.has(term.box ?? "") ?? false }))
      : [],
    upcoming: mayPay ? upcomingOf(visit, language) : [],
    form: mayPay && {
      attempt: randomBytes(ATTEMPT_BYTES).toString("base64url"),
      amount: plain(due),
      ways: ways.map((method) => ({
        method,
        name: told.methods[method],
        chosen: method === trouble.chosen || ways.length === 1,
      })),
      takesCard: ways.some(takesCard),
      button: due.gt(0) ? told.pay(shown(due)) : told.store,
    },
    leave: leaveOf(visit, link, language),
  });
}

/** What is to be told before anything else. */
function alertOf({ standing, order: { payment } }: Visit, language: Language, { slips, obstacle }: Trouble) {
  const told = words[language];
  if (slips?.length) return { title: told.failed, texts: slips.map((slip) => told.slips[slip]) };
  if (obstacle) return { title: told.obstacles[obstacle].title, texts: [told.obstacles[obstacle].text] };
  const isOpen = standing === "PAYABLE" || standing === "METHOD_NEEDED";
  return isOpen && payment?.state === "FAILED"
    ? { title: told.failed, texts: [told.failures[failureOf(payment)]] }
    : null;
}

function totalsOf({ order, due, standing }: Visit, language: Language) {
  const told = words[language];
  const { amount, paidAmount, currency } = order;
  const total = sum(order.items.map((item) => item.amount));
  const isWhole = paidAmount.eq(0) && (due.eq(amount) || !isPayable(standing));
  const rows = [
    { name: told.total, value: total, main: isWhole },
    ...(paidAmount.gt(0) ? [{ name: told.alreadyPaid, value: paidAmount, main: false }] : []),
    ...(isWhole ? [] : [{ name: told.toPay, value: due, main: true }]),
  ];
  return rows.map(({ value, ...row }) => ({ ...row, amount: money(value, currency, language) }));
}

/** Where a deposit is awaited. */
function accountOf({ standing, order: { payment } }: Visit, language: Language) {
  if (standing !== "DEPOSIT_AWAITED") return [];
  const account = virtualAccountOf(payment!.vbank!);
  const { accountParts } = words[language];
  const parts = ["bankName", "accountNumber", "accountName"] as const;
  return parts.flatMap((part) => (account[part] === "" ? [] : [{ name: accountParts[part], value: account[part] }]));
}

/** The terms in their order; where the shop wants boxes, each with the name of its own. */
const termsOf = ({ termsAgree, termsUseCheckBox }: CheckoutOrder) =>
  [...termsAgree]
    .sort((one, other) => one.order - other.order)
    .map(({ title, content, field }, index) => ({
      title,
      content,
      box: termsUseCheckBox ? `term${index}` : null,
      isRequired: field,
    }));

/** The terms that a payer agrees to, or not, by a box. */
export const boxesOf = (order: CheckoutOrder): { box: string; isRequired: boolean }[] =>
  termsOf(order).flatMap(({ box, isRequired }) => (box === null ? [] : [{ box, isRequired }]));

/** What will be charged later, when, and how to stop it, in sentences. */
function upcomingOf({ upcoming, order }: Visit, language: Language): string[] {
  const told = words[language].upcoming;
  const dayOf = (instant: Date) => day(instant, order.zoneId, language);
  const sentences = upcoming.flatMap(({ date, amount, currency, interval, intervalCount, trialEndDate, endDate }) => [
    ...(trialEndDate ? [told.trial(dayOf(trialEndDate))] : []),
    told.charge(amount && money(amount, currency, language), { count: intervalCount, unit: interval }, dayOf(date)),
    ...(endDate ? [told.until(dayOf(endDate))] : []),
  ]);
  return sentences.length > 0 ? [...sentences, told.stop(order.shopEmail)] : [];
}

type Item = CheckoutOrder["items"][number];

/** A fee, a discount or a tax that came to nothing is not worth a line. */
const isShown = ({ type, amount }: Item): boolean => type === "SKU" || !amount.eq(0);

/** The lines whose quantity the payer may choose. */
const choicesOf = ({ items }: CheckoutOrder) =>
  items.flatMap(({ id, name, quantity, minimumQuantity, maximumQuantity }) => {
    const least = minimumQuantity ?? 1;
    return maximumQuantity !== null && maximumQuantity > least
      ? [{ id, name, quantity, least, most: maximumQuantity }]
      : [];
  });

function nameOf({ type, name, discountName }: Item, language: Language): string {
  if (type === "SKU") return name;
  const { lines, discounts } = words[language];
  if (type === "FEE") return name;
  return (type === "DISCOUNT" && discounts[discountName ?? ""]) || lines[type];
}

function detailsOf({ type, planName, optionLabel, demoCycleNum, demoCycleType }: Item, language: Language): string[] {
  if (type !== "SKU") return [];
  const trial = demoCycleNum && demoCycleType ? words[language].trial(demoCycleNum, demoCycleType) : "";
  return [planName, optionLabel, trial].filter((detail) => detail !== "");
}

/** How an order that cannot be paid, or not yet, is left. */
const outcomes: Readonly<Partial<Record<Standing, CheckoutOutcome | null>>> = {
  PAID: "success",
  REFUNDED: "error",
  CANCELLED: "error",
  PAST_DEADLINE: "error",
  NOTHING_TO_PAY: "error",
  NO_WAY_TO_PAY: "error",
  // What became of it is not known, so that nothing can be told to the shop.
  UNDER_WAY: null,
  DEPOSIT_AWAITED: null,
};

/** The way back to the shop, where it was told one. */
function leaveOf({ standing, order }: Visit, { returnUrls }: CheckoutLink, language: Language) {
  const usual = outcomes[standing];
  if (usual === null) return null;
  const outcome = usual ?? (order.payment?.state === "FAILED" ? "error" : "cancel");
  const told = outcome === "error" && !returnUrls.error ? "cancel" : outcome;
  const address = returnUrls[told];
  const { back, cancel, giveUp } = words[language];
  if (!address) return null;
  const text = usual ? back : told === "error" ? giveUp : cancel;
  return { url: returning(address, order, told), text };
}
