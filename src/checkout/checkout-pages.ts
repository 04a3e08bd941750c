import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { Eta } from "eta";
import { toPlainString, sumAmounts } from "../kernel/amounts.ts";
import { projectFile } from "../kernel/project-files.ts";
import { required } from "../kernel/required-values.ts";
import { toPaymentFailureKind } from "./checkout.declines.ts";
import { english } from "./checkout.english.ts";
import { formatDay, formatInstant, formatMoney } from "./checkout.formats.ts";
import type { FormError } from "./checkout.form.ts";
import { korean } from "./checkout.korean.ts";
import type { CheckoutLanguage } from "./checkout.language.ts";
import type { CheckoutLinkContent } from "./checkout-link.codec.ts";
import type { CheckoutOrder } from "./checkout.repository.ts";
import { addOrderOutcome, type CheckoutOutcome } from "./checkout.return-url.ts";
import type { CheckoutView } from "./checkout.service.ts";
import { isPayable, type CheckoutState } from "./checkout.state.ts";
import type { LinkError, PaymentError, CheckoutTexts } from "./checkout.texts.ts";
import type { GatewayWindow } from "../payments/gateways/gateway.window.ts";
import { isUntouched } from "../orders/order.payability.ts";
import { toVirtualAccount } from "../payments/virtual-account.ts";

const folder = projectFile("src/checkout/pages");
const eta = new Eta({ views: folder, cache: true });
const style = readFileSync(`${folder}/style.css`, "utf8");

/** The texts of the checkout by language. */
export const checkoutTexts: Record<CheckoutLanguage, CheckoutTexts> = { ko: korean, en: english };

const texts = checkoutTexts;

const ATTEMPT_BYTES = 18;

/**
 * The pages run no scripts and fetch nothing. Their style sheet is allowed by its hash, and no site may embed them in a
 * frame. After a form, the browser may be redirected only to the origins of the link's return addresses, and to those of the
 * pages on which the order's own gateways take cards.
 */
export const contentSecurityPolicy = (link?: CheckoutLinkContent, pageOrigins: readonly string[] = []): string =>
  [
    "default-src 'none'",
    `style-src '${toHashSource(style)}'`,
    `form-action ${["'self'", ...new Set([...returnUrlsOf(link).map((address) => new URL(address).origin), ...pageOrigins])].join(" ")}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/**
 * The page that opens a window of a gateway runs two scripts: the gateway's, and the starter that is allowed by its hash. It
 * loads from the gateway's origins only.
 */
export const windowSecurityPolicy = ({ scriptUrl, starter, origins }: GatewayWindow): string => {
  const gateway = origins.join(" ");
  return [
    "default-src 'none'",
    `script-src ${new URL(scriptUrl).origin} ${gateway} '${toHashSource(starter)}'`,
    `style-src '${toHashSource(style)}'`,
    ...["connect-src", "frame-src", "img-src", "form-action"].map((directive) => `${directive} ${gateway}`),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
};

const toHashSource = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`;

const returnUrlsOf = (link: CheckoutLinkContent | undefined): string[] => Object.values(link?.returnUrls ?? {});

const languages = [
  { code: "ko", name: "한국어" },
  { code: "en", name: "English" },
];

/** Renders a page of the payer in a language. */
export const renderPage = (page: string, language: CheckoutLanguage, view: object): string =>
  eta.render(page, { style, languages, language, texts: texts[language], ...view });

/** Makes a path relative to a checkout page. The simulated gateway's addresses are paths of this server. */
export const toPageRelativeUrl = (address: string): string => address.replace(/^\//, "../");

/** Renders a page without an order, which explains the error of the link. */
export const renderNoticePage = (linkError: LinkError, language: CheckoutLanguage, traceId?: string): string =>
  renderPage("./notice", language, { ...texts[language].linkErrors[linkError], traceId });

/** The errors of the form that the payer has just sent, and the choices to restore. */
export interface PaymentFormFeedback {
  formErrors?: readonly FormError[];
  paymentError?: PaymentError;
  /** The chosen payment method. */
  chosen?: string | null;
  /** The check boxes of the accepted terms. */
  agreed?: ReadonlySet<string>;
}

/** Renders the page that opens a window of the gateway, in which the payer types the card. */
export const renderWindow = (
  { scriptUrl, starter, request }: GatewayWindow,
  language: CheckoutLanguage,
  view: { shop: string },
): string =>
  renderPage("./window", language, {
    ...texts[language].cardWindow,
    ...view,
    scriptUrl,
    starter,
    request: JSON.stringify(request),
  });

/** Renders the page of an order: its lines, its total, and the forms that its state allows. */
export function renderOrderPage(
  view: CheckoutView,
  link: CheckoutLinkContent,
  language: CheckoutLanguage,
  feedback: PaymentFormFeedback = {},
): string {
  const { order, state, amountDue, methods, typedCardMethods, isCardPageOpen } = view;
  const { currency, purchaseDeadline, zoneId, payment } = order;
  const pageTexts = texts[language];
  const formatAmount = (value: typeof amountDue) => formatMoney(value, currency, language);
  const mayPay = isPayable(state) && methods.length > 0;
  return renderPage("./order", language, {
    ...order,
    title: pageTexts.title(order.code),
    notice: isCardPageOpen ? pageTexts.cardPage : pageTexts.states[state],
    alert: toAlert(view, language, feedback),
    formErrors: Object.fromEntries((feedback.formErrors ?? []).map((error) => [error, true])),
    confirm:
      state === "CONFIRMATION_REQUIRED" ? toPageRelativeUrl(required(payment?.challengeUrl, "challengeUrl")) : null,
    confirmText: isCardPageOpen ? pageTexts.openCardPage : pageTexts.confirm,
    again: state === "IN_PROGRESS",
    account: toDepositAccount(view, language),
    lines: order.items.filter(isVisible).map((item) => ({
      name: itemNameOf(item, language),
      details: itemDetailsOf(item, language),
      quantity: item.type === "SKU" ? item.quantity : "",
      amount: formatAmount(item.amount),
    })),
    totals: toTotals(view, language),
    deadline: purchaseDeadline && {
      machine: purchaseDeadline.toISOString(),
      text: formatInstant(purchaseDeadline, zoneId, language),
    },
    choices: state === "PAYABLE" && isUntouched(order) ? toQuantityChoices(order) : [],
    terms: mayPay
      ? toTerms(order).map((term) => ({ ...term, isAgreed: feedback.agreed?.has(term.box ?? "") ?? false }))
      : [],
    upcoming: mayPay ? toUpcomingSentences(view, language) : [],
    form: mayPay && {
      attempt: randomBytes(ATTEMPT_BYTES).toString("base64url"),
      amount: toPlainString(amountDue),
      methods: methods.map((method) => ({
        method,
        name: pageTexts.methods[method],
        chosen: method === feedback.chosen || methods.length === 1,
      })),
      takesCard: typedCardMethods.length > 0,
      button: amountDue.gt(0) ? pageTexts.pay(formatAmount(amountDue)) : pageTexts.store,
    },
    leave: toReturnLink(view, link, language),
  });
}

/** The message at the top of the page. */
function toAlert(
  { state, order: { payment } }: CheckoutView,
  language: CheckoutLanguage,
  { formErrors, paymentError }: PaymentFormFeedback,
) {
  const pageTexts = texts[language];
  if (formErrors?.length)
    return { title: pageTexts.paymentFailed, texts: formErrors.map((error) => pageTexts.formErrors[error]) };
  if (paymentError)
    return { title: pageTexts.paymentErrors[paymentError].title, texts: [pageTexts.paymentErrors[paymentError].text] };
  const isOpen = state === "PAYABLE" || state === "METHOD_REQUIRED";
  return isOpen && payment?.state === "FAILED"
    ? { title: pageTexts.paymentFailed, texts: [pageTexts.failures[toPaymentFailureKind(payment)]] }
    : null;
}

function toTotals({ order, amountDue, state }: CheckoutView, language: CheckoutLanguage) {
  const pageTexts = texts[language];
  const { amount, paidAmount, currency } = order;
  const total = sumAmounts(order.items.map((item) => item.amount));
  const isSinglePayment = isUntouched(order) && (amountDue.eq(amount) || !isPayable(state));
  const rows = [
    { name: pageTexts.total, value: total, main: isSinglePayment },
    ...(paidAmount.gt(0) ? [{ name: pageTexts.alreadyPaid, value: paidAmount, main: false }] : []),
    ...(isSinglePayment ? [] : [{ name: pageTexts.toPay, value: amountDue, main: true }]),
  ];
  return rows.map(({ value, ...row }) => ({ ...row, amount: formatMoney(value, currency, language) }));
}

/** The account for an awaited deposit; empty in other states. */
function toDepositAccount({ state, order: { payment } }: CheckoutView, language: CheckoutLanguage) {
  if (state !== "DEPOSIT_AWAITED") return [];
  const account = toVirtualAccount(required(payment?.vbank, "vbank"));
  const { accountParts } = texts[language];
  const parts = ["bankName", "accountNumber", "accountName"] as const;
  return parts.flatMap((part) => (account[part] === "" ? [] : [{ name: accountParts[part], value: account[part] }]));
}

/** The terms in their order. If the vendor uses check boxes, each has the name of its box. */
const toTerms = ({ termsAgree, termsUseCheckBox }: CheckoutOrder) =>
  [...termsAgree]
    .sort((a, b) => a.order - b.order)
    .map(({ title, content, field }, index) => ({
      title,
      content,
      box: termsUseCheckBox ? `term${index}` : null,
      isRequired: field,
    }));

/** The check boxes of the terms. */
export const termCheckboxes = (order: CheckoutOrder): { box: string; isRequired: boolean }[] =>
  toTerms(order).flatMap(({ box, isRequired }) => (box === null ? [] : [{ box, isRequired }]));

/** Sentences about later charges, their dates, and how to cancel them. */
function toUpcomingSentences({ upcoming, order }: CheckoutView, language: CheckoutLanguage): string[] {
  const upcomingTexts = texts[language].upcoming;
  const dayOf = (instant: Date) => formatDay(instant, order.zoneId, language);
  const sentences = upcoming.flatMap(({ date, amount, currency, interval, intervalCount, trialEndDate, endDate }) => [
    ...(trialEndDate ? [upcomingTexts.trial(dayOf(trialEndDate))] : []),
    upcomingTexts.charge(
      amount && formatMoney(amount, currency, language),
      { count: intervalCount, unit: interval },
      dayOf(date),
    ),
    ...(endDate ? [upcomingTexts.until(dayOf(endDate))] : []),
  ]);
  return sentences.length > 0 ? [...sentences, upcomingTexts.stop(order.shopEmail)] : [];
}

type Item = CheckoutOrder["items"][number];

/** Fees, discounts and taxes of zero are not shown. */
const isVisible = ({ type, amount }: Item): boolean => type === "SKU" || !amount.eq(0);

/** The lines whose quantity the payer may choose. */
const toQuantityChoices = ({ items }: CheckoutOrder) =>
  items.flatMap(({ id, name, quantity, minimumQuantity, maximumQuantity }) => {
    const minimum = minimumQuantity ?? 1;
    return maximumQuantity !== null && maximumQuantity > minimum
      ? [{ id, name, quantity, least: minimum, most: maximumQuantity }]
      : [];
  });

function itemNameOf({ type, name, discountName }: Item, language: CheckoutLanguage): string {
  if (type === "SKU") return name;
  const { lines, discounts } = texts[language];
  if (type === "FEE") return name;
  return (type === "DISCOUNT" && discounts[discountName ?? ""]) || lines[type];
}

function itemDetailsOf(
  { type, planName, optionLabel, demoCycleNum, demoCycleType }: Item,
  language: CheckoutLanguage,
): string[] {
  if (type !== "SKU") return [];
  const trial = demoCycleNum && demoCycleType ? texts[language].trial(demoCycleNum, demoCycleType) : "";
  return [planName, optionLabel, trial].filter((detail) => detail !== "");
}

/** The outcome that is reported to the vendor's page for a state in which the payer cannot pay. */
const outcomeOfState: Readonly<Partial<Record<CheckoutState, CheckoutOutcome | null>>> = {
  PAID: "success",
  REFUNDED: "error",
  CANCELLED: "error",
  PAST_DEADLINE: "error",
  NOTHING_DUE: "error",
  NO_PAYMENT_METHOD: "error",
  // The outcome of the payment is unknown, so there is no link back to the shop.
  IN_PROGRESS: null,
  DEPOSIT_AWAITED: null,
};

/** The link back to the shop; null without a return address. */
function toReturnLink({ state, order }: CheckoutView, { returnUrls }: CheckoutLinkContent, language: CheckoutLanguage) {
  const outcomeOfPageState = outcomeOfState[state];
  if (outcomeOfPageState === null) return null;
  const outcome = outcomeOfPageState ?? (order.payment?.state === "FAILED" ? "error" : "cancel");
  const shownOutcome = outcome === "error" && !returnUrls.error ? "cancel" : outcome;
  const address = returnUrls[shownOutcome];
  const { back, cancel, leaveWithoutPaying } = texts[language];
  if (!address) return null;
  const text = outcomeOfPageState ? back : shownOutcome === "error" ? leaveWithoutPaying : cancel;
  return { url: addOrderOutcome(address, order, shownOutcome), text };
}
