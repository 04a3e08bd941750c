import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { classifyError } from "../graphql/errors/failures.ts";
import type { SecretVault } from "../kernel/secret-vault.ts";
import { readPaymentForm, readQuantities } from "./checkout.form.ts";
import { selectLanguage, type CheckoutLanguage } from "./checkout.language.ts";
import { decodeCheckoutLink, type CheckoutLinkContent } from "./checkout-link.codec.ts";
import { addOrderOutcome } from "./checkout.return-url.ts";
import type { CheckoutService, CheckoutView } from "./checkout.service.ts";
import { isPayable } from "./checkout.state.ts";
import type { LinkError } from "./checkout.texts.ts";
import {
  termCheckboxes,
  contentSecurityPolicy,
  toPageRelativeUrl,
  renderNoticePage,
  renderOrderPage,
} from "./checkout-pages.ts";

/** A vendor's checkout, with the vendor's country, which selects the language, and the vendor's time. */
export interface CheckoutSession {
  checkout: CheckoutService;
  country: string;
  now: Date;
}

export interface CheckoutRoutesOptions {
  /** Verifies the signatures of links. */
  vault: SecretVault;
  /** Opens the checkout of a vendor; undefined if the vendor is disabled. */
  openSession: (vendorId: number, traceId: string) => Promise<CheckoutSession | undefined>;
  /** The base address under which browsers reach the gateway. */
  address: () => string;
  /** Called with errors of the gateway itself, to log them. */
  onFault: (error: unknown, traceId: string) => void;
}

type CheckoutRequest = FastifyRequest<{
  Params: { link: string };
  Querystring: { lang?: string | string[]; returned?: string; method?: string | string[]; agreed?: string | string[] };
}>;

/** The content of a request with a valid link. */
interface OpenedCheckout extends CheckoutSession {
  link: CheckoutLinkContent;
  language: CheckoutLanguage;
}

const statusOfLinkError: Record<LinkError, number> = {
  TAMPERED: 403,
  EXPIRED: 410,
  CLOSED: 403,
  FOREIGN: 403,
  FAILED: 500,
};

/** Bytes; larger than any form of the checkout. */
const BODY_LIMIT = 16_384;

const FORM = "application/x-www-form-urlencoded";

/** Registers the pages of the checkout. Payers need no token, because the signed link names the vendor and the order. */
export const checkoutRoutes = (routesOptions: CheckoutRoutesOptions) => (server: FastifyInstance) => {
  const { vault, openSession, address, onFault } = routesOptions;

  /** Opens a link, or sends a notice and returns undefined if it is not valid. */
  async function openLink(request: CheckoutRequest, reply: FastifyReply): Promise<OpenedCheckout | undefined> {
    const link = decodeCheckoutLink(request.params.link, vault);
    const session = link && (await openSession(link.vendorId, request.id));
    const language = languageOfRequest(request, link, session?.country);
    if (link && session && link.expiresAt > session.now) return { ...session, link, language };
    sendNotice(reply, language, !link ? "TAMPERED" : !session ? "CLOSED" : "EXPIRED");
    return undefined;
  }

  async function showOrder(request: CheckoutRequest, reply: FastifyReply): Promise<FastifyReply> {
    const opened = await openLink(request, reply);
    if (!opened) return reply;
    const { checkout, link, language } = opened;
    const { vendorId, orderId } = link;
    let view = await checkout.loadView(vendorId, orderId);
    if (request.query.returned !== undefined) {
      // The payer's browser may return before the gateway's callback arrives, so the gateway is asked.
      if (view.state === "CONFIRMATION_REQUIRED" || view.state === "IN_PROGRESS") {
        await checkout.refreshPayment(vendorId, orderId);
        view = await checkout.loadView(vendorId, orderId);
      }
      const redirectUrl = successUrlOf(view, link) ?? errorUrlOf(view, link);
      if (redirectUrl) return reply.redirect(redirectUrl, 303);
    }
    return sendPage(reply, opened, 200, view, renderOrderPage(view, link, language, readChoices(request.query)));
  }

  async function submitPayment(request: CheckoutRequest, reply: FastifyReply): Promise<FastifyReply> {
    const opened = await openLink(request, reply);
    if (!opened) return reply;
    const { checkout, link, language } = opened;
    const { vendorId, orderId } = link;
    // Relative to the page itself, so that the browser returns to the address under which it came.
    const self = `?lang=${language}`;
    const returnUrl = `${address()}/checkout/${request.params.link}${self}&returned=1`;
    const view = await checkout.loadView(vendorId, orderId);
    if (!isPayable(view.state)) return reply.redirect(successUrlOf(view, link) ?? self, 303);
    const fields = new URLSearchParams(request.body as string);
    if (fields.get("action") === "quantities") {
      const paymentError = await checkout.changeQuantities(vendorId, orderId, readQuantities(fields));
      if (!paymentError) return reply.redirect(self, 303);
      const viewAfter = await checkout.loadView(vendorId, orderId);
      return sendPage(reply, opened, 409, viewAfter, renderOrderPage(viewAfter, link, language, { paymentError }));
    }
    const terms = termCheckboxes(view.order);
    const parsedForm = readPaymentForm(fields, { ...view, terms });
    const chosen = fields.get("method");
    const agreed = new Set(terms.flatMap(({ box }) => (fields.get(box) === "on" ? [box] : [])));
    if ("formErrors" in parsedForm)
      return sendPage(
        reply,
        opened,
        422,
        view,
        renderOrderPage(view, link, language, { formErrors: parsedForm.formErrors, chosen, agreed }),
      );
    const paymentError = await checkout.payOrder(vendorId, orderId, parsedForm.form, returnUrl);
    const viewAfter = await checkout.loadView(vendorId, orderId);
    if (paymentError)
      return sendPage(
        reply,
        opened,
        paymentError === "TOO_MANY_DECLINES" ? 429 : 409,
        viewAfter,
        renderOrderPage(viewAfter, link, language, { paymentError, chosen, agreed }),
      );
    const { challengeUrl } = viewAfter.order.payment ?? {};
    if (viewAfter.state === "CONFIRMATION_REQUIRED" && challengeUrl)
      return reply.redirect(allowsRedirect(view, challengeUrl) ? toPageRelativeUrl(challengeUrl) : self, 303);
    const redirectUrl = successUrlOf(viewAfter, link) ?? errorUrlOf(viewAfter, link);
    if (redirectUrl || viewAfter.order.payment?.state !== "FAILED") return reply.redirect(redirectUrl ?? self, 303);
    const query = new URLSearchParams({
      lang: language,
      method: parsedForm.form.method,
      agreed: [...agreed].join(" "),
    });
    return reply.redirect(`?${query.toString()}`, 303);
  }

  void server.register(async (pages) => {
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser(FORM, { parseAs: "string" }, (_request, body, done) => done(null, body));
    pages.setErrorHandler<Partial<FastifyError>>((error, request, reply) => {
      const language = languageOfRequest(request as CheckoutRequest);
      if (error.statusCode !== undefined && error.statusCode < 500 && error.code?.startsWith("FST_"))
        return sendNotice(reply, language, "FOREIGN", { status: error.statusCode });
      const isOutage = classifyError(error).kind === "outage";
      onFault(error, request.id);
      if (isOutage) void reply.header("retry-after", "1");
      return sendNotice(reply, language, "FAILED", { traceId: request.id, ...(isOutage && { status: 503 }) });
    });
    const options = { config: { open: true }, bodyLimit: BODY_LIMIT };
    pages.get<{ Params: CheckoutRequest["params"]; Querystring: CheckoutRequest["query"] }>(
      "/checkout/:link",
      options,
      showOrder,
    );
    pages.post<{ Params: CheckoutRequest["params"]; Querystring: CheckoutRequest["query"] }>(
      "/checkout/:link",
      options,
      async (request, reply) =>
        isSameOrigin(request)
          ? submitPayment(request, reply)
          : sendNotice(reply, languageOfRequest(request), "FOREIGN"),
    );
  });
};

/**
 * True if the browser reports that a form was sent by a checkout page, or reports nothing. There is no cookie that
 * another site could exploit, but a payment should only be made from the page that the payer saw.
 */
const isSameOrigin = ({ headers }: CheckoutRequest): boolean =>
  ["same-origin", "none", undefined].includes(headers["sec-fetch-site"]);

/** The return address after a successful payment; undefined without a payment or without an address. */
function successUrlOf({ order }: CheckoutView, { returnUrls: { success } }: CheckoutLinkContent): string | undefined {
  return order.payment?.state === "SUCCEEDED" && success ? addOrderOutcome(success, order, "success") : undefined;
}

/** The return address after a payment that was just declined; undefined without an address. */
function errorUrlOf(
  { order, state }: CheckoutView,
  { returnUrls: { error } }: CheckoutLinkContent,
): string | undefined {
  return order.payment?.state === "FAILED" && isPayable(state) && error
    ? addOrderOutcome(error, order, "error")
    : undefined;
}

/** The payer's choices before a declined payment, which the page restores. */
const readChoices = ({ method, agreed }: CheckoutRequest["query"]) => ({
  chosen: [method].flat().at(-1) ?? null,
  agreed: new Set([agreed ?? ""].flat().join(" ").split(" ")),
});

/** The language of a response: that of the `lang` parameter, then of the link, then of the browser. */
function languageOfRequest(
  { query, headers }: CheckoutRequest,
  link?: CheckoutLinkContent,
  country = "",
): CheckoutLanguage {
  const requested = [query.lang].flat().at(-1);
  return selectLanguage([requested, link?.language], headers["accept-language"], country);
}

const sendNotice = (
  reply: FastifyReply,
  language: CheckoutLanguage,
  linkError: LinkError,
  { status = statusOfLinkError[linkError], traceId }: { status?: number; traceId?: string } = {},
): FastifyReply =>
  sendHtml(reply, language, status, contentSecurityPolicy(), renderNoticePage(linkError, language, traceId));

const sendPage = (
  reply: FastifyReply,
  { link, language }: OpenedCheckout,
  status: number,
  { pageOrigins }: CheckoutView,
  page: string,
): FastifyReply => sendHtml(reply, language, status, contentSecurityPolicy(link, pageOrigins), page);

/**
 * Whether the browser may be redirected to a page of the gateway after a form. To other addresses, such as a page under the
 * merchant's own domain, the payer follows a link.
 */
const allowsRedirect = ({ pageOrigins }: CheckoutView, address: string): boolean =>
  address.startsWith("/") || pageOrigins.includes(new URL(address).origin);

const sendHtml = (
  reply: FastifyReply,
  language: CheckoutLanguage,
  status: number,
  policy: string,
  page: string,
): FastifyReply =>
  reply
    .code(status)
    .headers({
      "content-type": "text/html; charset=utf-8",
      "content-language": language,
      "content-security-policy": policy,
      "x-robots-tag": "noindex",
    })
    .send(page);
