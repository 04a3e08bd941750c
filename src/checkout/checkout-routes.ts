import type { FastifyInstance, FastifyReply } from "fastify";
import type { SecretVault } from "../kernel/secrets/secret-vault.ts";
import { readPaymentForm, readQuantities } from "./checkout.form.ts";
import type { CheckoutLanguage } from "./checkout.language.ts";
import { decodeCheckoutLink, type CheckoutLinkContent } from "./checkout-link.codec.ts";
import { addOrderOutcome } from "./checkout.return-url.ts";
import type { CheckoutService, CheckoutView } from "./checkout.service.ts";
import { isPayable } from "./checkout.state.ts";
import {
  termCheckboxes,
  contentSecurityPolicy,
  toPageRelativeUrl,
  renderOrderPage,
  renderWindow,
} from "./checkout-pages.ts";
import {
  allowsRedirect,
  languageOfRequest,
  readReturnParameters,
  registerPage,
  returnUrlOf,
  sendHtml,
  sendNotice,
  sendWindow,
  type PageRequest,
} from "./page-requests.ts";

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

/** The content of a request with a valid link. */
interface OpenedCheckout extends CheckoutSession {
  link: CheckoutLinkContent;
  language: CheckoutLanguage;
}

/** Registers the pages of the checkout. Payers need no token, because the signed link names the vendor and the order. */
export const checkoutRoutes = (routesOptions: CheckoutRoutesOptions) => (server: FastifyInstance) => {
  const { vault, openSession, address, onFault } = routesOptions;

  /** The address of an order's page, under which the gateway sends payers back. */
  const pageAddressOf = ({ params }: PageRequest): string => `${address()}/checkout/${params.link}`;

  /** Opens a link, or sends a notice and returns undefined if it is not valid. */
  async function openLink(request: PageRequest, reply: FastifyReply): Promise<OpenedCheckout | undefined> {
    const link = decodeCheckoutLink(request.params.link, vault);
    const session = link && (await openSession(link.vendorId, request.id));
    const language = languageOfRequest(request, link, session?.country);
    if (link && session && link.expiresAt > session.now) return { ...session, link, language };
    sendNotice(reply, language, !link ? "TAMPERED" : !session ? "CLOSED" : "EXPIRED");
    return undefined;
  }

  async function showOrder(request: PageRequest, reply: FastifyReply): Promise<FastifyReply> {
    const opened = await openLink(request, reply);
    if (!opened) return reply;
    const { checkout, link, language } = opened;
    const { vendorId, orderId } = link;
    let view = await checkout.loadView(vendorId, orderId);
    if (request.query.returned !== undefined) {
      // The payer's browser may return before the gateway's callback arrives, so the gateway is asked.
      if (view.state === "CONFIRMATION_REQUIRED" || view.state === "IN_PROGRESS") {
        await checkout.completePayment(vendorId, view.order, readReturnParameters(request.query));
        view = await checkout.loadView(vendorId, orderId);
      }
      const redirectUrl = successUrlOf(view, link) ?? errorUrlOf(view, link);
      if (redirectUrl) return reply.redirect(redirectUrl, 303);
    }
    if (request.query.window !== undefined && view.isCardPageOpen) {
      const window = await checkout.findOpenWindow(vendorId, view.order, returnUrlOf(pageAddressOf(request), language));
      if (window) return sendWindow(reply, language, window, renderWindow(window, language, { shop: view.order.shop }));
    }
    return sendPage(reply, opened, 200, view, renderOrderPage(view, link, language, readChoices(request.query)));
  }

  async function submitPayment(request: PageRequest, reply: FastifyReply): Promise<FastifyReply> {
    const opened = await openLink(request, reply);
    if (!opened) return reply;
    const { checkout, link, language } = opened;
    const { vendorId, orderId } = link;
    // Relative to the page itself, so that the browser returns to the address under which it came.
    const self = `?lang=${language}`;
    const pageAddress = pageAddressOf(request);
    const returnUrl = returnUrlOf(pageAddress, language);
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
    if (viewAfter.state === "CONFIRMATION_REQUIRED" && challengeUrl) {
      if (challengeUrl.startsWith(`${pageAddress}?`))
        return reply.redirect(challengeUrl.slice(pageAddress.length), 303);
      return reply.redirect(
        allowsRedirect(view.pageOrigins, challengeUrl) ? toPageRelativeUrl(challengeUrl) : self,
        303,
      );
    }
    const redirectUrl = successUrlOf(viewAfter, link) ?? errorUrlOf(viewAfter, link);
    if (redirectUrl || viewAfter.order.payment?.state !== "FAILED") return reply.redirect(redirectUrl ?? self, 303);
    const query = new URLSearchParams({
      lang: language,
      method: parsedForm.form.method,
      agreed: [...agreed].join(" "),
    });
    return reply.redirect(`?${query.toString()}`, 303);
  }

  registerPage(server, "/checkout", onFault, { show: showOrder, submit: submitPayment });
};

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
const readChoices = ({ method, agreed }: PageRequest["query"]) => ({
  chosen: [method].flat().at(-1) ?? null,
  agreed: new Set([agreed ?? ""].flat().join(" ").split(" ")),
});

const sendPage = (
  reply: FastifyReply,
  { link, language }: OpenedCheckout,
  status: number,
  { pageOrigins }: CheckoutView,
  page: string,
): FastifyReply => sendHtml(reply, language, status, contentSecurityPolicy(link, pageOrigins), page);
