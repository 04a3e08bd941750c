import { randomBytes } from "node:crypto";
import { toPaymentFailureKind } from "../checkout.declines.ts";
import { formatDay, formatMoney, formatPaymentInfo } from "../checkout.formats.ts";
import type { FormError } from "../checkout.form.ts";
import type { CheckoutLanguage } from "../checkout.language.ts";
import type { GatewayWindow } from "../../payments/gateways/gateway.window.ts";
import { checkoutTexts, renderPage, renderWindow, toPageRelativeUrl } from "../checkout-pages.ts";
import type { PaymentError } from "../checkout.texts.ts";
import type { OpenCharge, PaymentMethodView } from "./payment-method-page.service.ts";
import { paidOrderOf } from "./payment-method.order.ts";
import { paymentMethodPageTexts, type MethodError, type MethodNotice } from "./payment-method-page.texts.ts";

/** The result of the form that the payer has just sent, and the choices to restore. */
export interface MethodFormFeedback {
  formErrors?: readonly FormError[];
  paymentError?: PaymentError;
  methodError?: MethodError;
  /** The chosen payment method. */
  chosen?: string | null;
  /** What was done before the page was requested again. */
  done?: string | undefined;
}

const ATTEMPT_BYTES = 18;
/** A payer who comes back later, perhaps for another charge, reads how things are, and not what failed back then. */
const NEWS_MS = 3_600_000;

/** Renders the page of a subscription's payment method. */
export function renderPaymentMethodPage(
  view: PaymentMethodView,
  language: CheckoutLanguage,
  feedback: MethodFormFeedback = {},
): string {
  const { subscription, openCharge, methodOrder, methods, typedCardMethods } = view;
  const [texts, pageTexts] = [checkoutTexts[language], paymentMethodPageTexts[language]];
  const notice = noticeOf(view, feedback);
  const isOpen = notice !== "ENDED" && notice !== "IN_PROGRESS" && notice !== "NO_PAYMENT_METHOD";
  const challengeUrl = methodOrder?.order.payment?.challengeUrl;
  const isChallenged = notice === "CONFIRMATION_REQUIRED" || notice === "CARD_PAGE";
  return renderPage("./payment-method", language, {
    title: pageTexts.title,
    shop: subscription.shop,
    shopEmail: subscription.shopEmail,
    pageTexts,
    notice: pageTexts.notices[notice](toTextFacts(openCharge, language)),
    alert: toAlert(view, language, feedback),
    formErrors: Object.fromEntries((feedback.formErrors ?? []).map((error) => [error, true])),
    isDayInvalid: feedback.methodError === "DAY",
    confirm: isChallenged && challengeUrl ? toPageRelativeUrl(challengeUrl) : null,
    confirmText: notice === "CARD_PAGE" ? pageTexts.openCardPage : texts.confirm,
    again: notice === "IN_PROGRESS",
    facts: toFacts(view, language),
    form: isOpen &&
      notice !== "STORED_AND_CHARGED" && {
        attempt: randomBytes(ATTEMPT_BYTES).toString("base64url"),
        stored: paidOrderOf(methodOrder) ?? "",
        methods: methods.map((method) => ({
          method,
          name: texts.methods[method],
          chosen: method === feedback.chosen || methods.length === 1,
        })),
        takesCard: typedCardMethods.length > 0,
      },
    days: isOpen && !isChallenged && notice !== "STORED_AND_CHARGED" ? (openCharge?.days ?? null) : null,
  });
}

/** Renders the page that opens a window of the gateway, in which the payer registers a card. */
export const renderMethodWindowPage = (
  { subscription }: PaymentMethodView,
  window: GatewayWindow,
  language: CheckoutLanguage,
): string => renderWindow(window, language, { shop: subscription.shop, ...paymentMethodPageTexts[language].window });

/** What the page says at its top. */
function noticeOf(
  { subscription, openCharge, methodOrder, methods, now }: PaymentMethodView,
  { done }: MethodFormFeedback,
): MethodNotice {
  if (subscription.status === "CANCELED" || subscription.status === "EXPIRED") return "ENDED";
  if (methodOrder?.state === "CONFIRMATION_REQUIRED")
    return methodOrder.isCardPageOpen ? "CARD_PAGE" : "CONFIRMATION_REQUIRED";
  if (methodOrder?.state === "IN_PROGRESS") return "IN_PROGRESS";
  if (done === "stored" && methodOrder?.state === "PAID") {
    if (!openCharge) return "STORED";
    if (openCharge.promisedAt) return "STORED_FOR_DAY";
    const isDue = openCharge.retryAt !== null && openCharge.retryAt <= now;
    if (isDue || subscription.methodChangedAt !== null) return "STORED_AND_CHARGED";
  }
  if (done === "promised" && openCharge?.promisedAt) return "PROMISED";
  if (methods.length === 0) return "NO_PAYMENT_METHOD";
  if (!openCharge) return "READY";
  return openCharge.retryAt ? "RETRYING" : "METHOD_REQUIRED";
}

/** The message at the top of the page, in the place of the notice. */
function toAlert(
  { methodOrder, now }: PaymentMethodView,
  language: CheckoutLanguage,
  { formErrors, paymentError, methodError }: MethodFormFeedback,
) {
  const [texts, pageTexts] = [checkoutTexts[language], paymentMethodPageTexts[language]];
  if (formErrors?.length)
    return { title: pageTexts.notStored, texts: formErrors.map((error) => texts.formErrors[error]) };
  if (methodError) return { title: pageTexts.errors[methodError].title, texts: [pageTexts.errors[methodError].text] };
  if (paymentError)
    return { title: texts.paymentErrors[paymentError].title, texts: [texts.paymentErrors[paymentError].text] };
  const payment = methodOrder?.state === "METHOD_REQUIRED" ? methodOrder.order.payment : null;
  const isNews = payment?.settledAt != null && now.getTime() - payment.settledAt.getTime() < NEWS_MS;
  return payment?.state === "FAILED" && isNews
    ? { title: pageTexts.notStored, texts: [texts.failures[toPaymentFailureKind(payment)]] }
    : null;
}

function toTextFacts(openCharge: OpenCharge | null, language: CheckoutLanguage) {
  if (!openCharge) return { amount: "", day: "" };
  const { amount, currency, zoneId, promisedAt, retryAt } = openCharge;
  const day = promisedAt ?? retryAt;
  return { amount: formatMoney(amount, currency, language), day: day ? formatDay(day, zoneId, language) : "" };
}

/** The subscription, its payment method, and the open amount. */
function toFacts({ subscription, productName, openCharge }: PaymentMethodView, language: CheckoutLanguage) {
  const pageTexts = paymentMethodPageTexts[language];
  const { amount, day } = toTextFacts(openCharge, language);
  const { paymentInfo } = subscription;
  return [
    { name: pageTexts.subscription, value: productName },
    {
      name: pageTexts.currentMethod,
      value: paymentInfo === null ? pageTexts.noMethod : formatPaymentInfo(paymentInfo),
    },
    ...(openCharge ? [{ name: pageTexts.openAmount, value: amount }] : []),
    ...(day === "" ? [] : [{ name: pageTexts.nextCharge, value: day }]),
  ].filter(({ value }) => value !== "");
}
