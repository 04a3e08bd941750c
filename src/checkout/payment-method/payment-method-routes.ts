import type { FastifyInstance, FastifyReply } from "fastify";
import type { SecretVault } from "../../kernel/secrets/secret-vault.ts";
import { contentSecurityPolicy, toPageRelativeUrl } from "../checkout-pages.ts";
import { readPaymentForm } from "../checkout.form.ts";
import type { CheckoutLanguage } from "../checkout.language.ts";
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
} from "../page-requests.ts";
import { decodePaymentMethodLink, type PaymentMethodLinkContent } from "./payment-method-link.codec.ts";
import type { PaymentMethodPageService, PaymentMethodView } from "./payment-method-page.service.ts";
import { renderMethodWindowPage, renderPaymentMethodPage, type MethodFormFeedback } from "./payment-method-pages.ts";

/** The payment method pages of a vendor, with the vendor's country, which selects the language, and the vendor's time. */
export interface PaymentMethodPageSession {
  pages: PaymentMethodPageService;
  country: string;
  now: Date;
}

interface PaymentMethodRoutesOptions {
  /** Verifies the signatures of links. */
  vault: SecretVault;
  /** Opens the pages of a vendor; undefined if the vendor is disabled. */
  openSession: (vendorId: number, traceId: string) => Promise<PaymentMethodPageSession | undefined>;
  /** The base address under which browsers reach the gateway. */
  address: () => string;
  /** Called with errors of the gateway itself, to log them. */
  onFault: (error: unknown, traceId: string) => void;
}

const PATH = "/payment-method";

/** The content of a request with a valid link. */
interface OpenedPage extends PaymentMethodPageSession {
  link: PaymentMethodLinkContent;
  language: CheckoutLanguage;
  view: PaymentMethodView;
}

/** Registers the page on which payers store another payment method. The signed link names the vendor and the subscription. */
export const paymentMethodRoutes = (options: PaymentMethodRoutesOptions) => (server: FastifyInstance) => {
  const { vault, openSession, address, onFault } = options;

  /** The address of a subscription's page, under which the gateway sends payers back. */
  const pageAddressOf = ({ params }: PageRequest): string => `${address()}${PATH}/${params.link}`;

  /** Opens a link, or sends a notice and returns undefined if it is not valid. */
  async function openLink(request: PageRequest, reply: FastifyReply): Promise<OpenedPage | undefined> {
    const link = decodePaymentMethodLink(request.params.link, vault);
    const session = link && (await openSession(link.vendorId, request.id));
    const language = languageOfRequest(request, link, session?.country);
    if (!link || !session || link.expiresAt <= session.now) {
      sendNotice(reply, language, !link ? "TAMPERED" : !session ? "CLOSED" : "EXPIRED");
      return undefined;
    }
    const view = await session.pages.loadView(link);
    if (view) return { ...session, link, language, view };
    sendNotice(reply, language, "TAMPERED");
    return undefined;
  }

  const sendPage = (
    reply: FastifyReply,
    { language }: OpenedPage,
    status: number,
    view: PaymentMethodView,
    feedback: MethodFormFeedback,
  ): FastifyReply => {
    const policy = contentSecurityPolicy(undefined, view.pageOrigins);
    return sendHtml(reply, language, status, policy, renderPaymentMethodPage(view, language, feedback));
  };

  /** The page after a form, as it is now. */
  async function reload({ pages, link, view }: OpenedPage): Promise<PaymentMethodView> {
    return (await pages.loadView(link)) ?? view;
  }

  async function show(request: PageRequest, reply: FastifyReply): Promise<FastifyReply> {
    const opened = await openLink(request, reply);
    if (!opened) return reply;
    let { view } = opened;
    const { methodOrder } = view;
    const isOpen = methodOrder?.state === "CONFIRMATION_REQUIRED" || methodOrder?.state === "IN_PROGRESS";
    if (request.query.returned !== undefined && methodOrder && isOpen) {
      // The payer's browser may return before the gateway's callback arrives, so the gateway is asked.
      await opened.pages.completeOrder(methodOrder, readReturnParameters(request.query));
      view = await reload(opened);
    }
    if (request.query.window !== undefined && view.methodOrder?.isCardPageOpen) {
      const { pages, language } = opened;
      const returnUrl = returnUrlOf(pageAddressOf(request), language);
      const window = await pages.findOpenWindow(view.methodOrder, returnUrl);
      if (window) return sendWindow(reply, language, window, renderMethodWindowPage(view, window, language));
    }
    const isStored = request.query.returned !== undefined && view.methodOrder?.state === "PAID";
    const done = isStored ? "stored" : [request.query.done].flat().at(-1);
    const chosen = [request.query.method].flat().at(-1) ?? null;
    return sendPage(reply, opened, 200, view, { done, chosen });
  }

  async function submit(request: PageRequest, reply: FastifyReply): Promise<FastifyReply> {
    const opened = await openLink(request, reply);
    if (!opened) return reply;
    const fields = new URLSearchParams(request.body as string);
    return fields.get("action") === "promise"
      ? promiseDay(opened, reply, fields)
      : storeMethod(opened, request, reply, fields);
  }

  async function promiseDay(opened: OpenedPage, reply: FastifyReply, fields: URLSearchParams): Promise<FastifyReply> {
    const { pages, view, language } = opened;
    const result = await pages.promiseDay(view, fields.get("day") ?? "");
    if (result === "PROMISED") return reply.redirect(`?lang=${language}&done=promised`, 303);
    const [status, methodError] = result === "NOT_IN_RECOVERY" ? ([409, result] as const) : ([422, "DAY"] as const);
    return sendPage(reply, opened, status, await reload(opened), { methodError });
  }

  async function storeMethod(
    opened: OpenedPage,
    request: PageRequest,
    reply: FastifyReply,
    fields: URLSearchParams,
  ): Promise<FastifyReply> {
    const { pages, view, language } = opened;
    // Relative to the page itself, so that the browser returns to the address under which it came.
    const self = `?lang=${language}`;
    const pageAddress = pageAddressOf(request);
    const chosen = fields.get("method");
    const parsedForm = readPaymentForm(fields, { ...view, terms: [] });
    if ("formErrors" in parsedForm)
      return sendPage(reply, opened, 422, view, { formErrors: parsedForm.formErrors, chosen });
    const stored = fields.get("stored");
    const result = await pages.storeMethod(
      view,
      { ...parsedForm.form, amount: "0" },
      {
        storedBefore: stored ? Number(stored) : null,
        returnUrl: returnUrlOf(pageAddress, language),
      },
    );
    if (result === "ENDED") return reply.redirect(self, 303);
    if (result === "STORED_BEFORE") return reply.redirect(`${self}&done=stored`, 303);
    const viewAfter = await reload(opened);
    if (result === "TOO_MANY_METHODS") return sendPage(reply, opened, 429, viewAfter, { methodError: result, chosen });
    const { paymentError } = result;
    if (paymentError)
      return sendPage(reply, opened, paymentError === "TOO_MANY_DECLINES" ? 429 : 409, viewAfter, {
        paymentError,
        chosen,
      });
    const { methodOrder } = viewAfter;
    const challengeUrl = methodOrder?.order.payment?.challengeUrl;
    if (methodOrder?.state === "CONFIRMATION_REQUIRED" && challengeUrl) {
      if (challengeUrl.startsWith(`${pageAddress}?`))
        return reply.redirect(challengeUrl.slice(pageAddress.length), 303);
      return reply.redirect(
        allowsRedirect(view.pageOrigins, challengeUrl) ? toPageRelativeUrl(challengeUrl) : self,
        303,
      );
    }
    if (methodOrder?.state === "PAID") return reply.redirect(`${self}&done=stored`, 303);
    return reply.redirect(
      `?${new URLSearchParams({ lang: language, method: parsedForm.form.method }).toString()}`,
      303,
    );
  }

  registerPage(server, PATH, onFault, { show, submit });
};
