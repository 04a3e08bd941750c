import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { classifyError } from "../graphql/errors/failures.ts";
import type { GatewayWindow } from "../payments/gateways/gateway.window.ts";
import { contentSecurityPolicy, renderNoticePage, windowSecurityPolicy } from "./checkout-pages.ts";
import { selectLanguage, type CheckoutLanguage } from "./checkout.language.ts";
import type { LinkError } from "./checkout.texts.ts";

/** A request for a page of the payer. */
export type PageRequest = FastifyRequest<{
  Params: { link: string };
  Querystring: {
    lang?: string | string[];
    returned?: string;
    window?: string;
    method?: string | string[];
    agreed?: string | string[];
    done?: string | string[];
  };
}>;

type PageHandler = (request: PageRequest, reply: FastifyReply) => Promise<FastifyReply>;

const statusOfLinkError: Record<LinkError, number> = {
  TAMPERED: 403,
  EXPIRED: 410,
  CLOSED: 403,
  FOREIGN: 403,
  FAILED: 500,
};

/** Bytes; larger than any form of these pages. */
const BODY_LIMIT = 16_384;

const FORM = "application/x-www-form-urlencoded";

/**
 * Registers a page below a path, which a signed link follows, and the forms that it sends. Payers need no token. Errors of the
 * gateway itself are reported to `onFault`.
 */
export function registerPage(
  server: FastifyInstance,
  path: string,
  onFault: (error: unknown, traceId: string) => void,
  { show, submit }: { show: PageHandler; submit: PageHandler },
): void {
  void server.register(async (pages) => {
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser(FORM, { parseAs: "string" }, (_request, body, done) => done(null, body));
    pages.setErrorHandler<Partial<FastifyError>>((error, request, reply) => {
      const language = languageOfRequest(request as PageRequest);
      if (error.statusCode !== undefined && error.statusCode < 500 && error.code?.startsWith("FST_"))
        return sendNotice(reply, language, "FOREIGN", { status: error.statusCode });
      const isOutage = classifyError(error).kind === "outage";
      onFault(error, request.id);
      if (isOutage) void reply.header("retry-after", "1");
      return sendNotice(reply, language, "FAILED", { traceId: request.id, ...(isOutage && { status: 503 }) });
    });
    const options = { config: { open: true }, bodyLimit: BODY_LIMIT };
    type Route = { Params: PageRequest["params"]; Querystring: PageRequest["query"] };
    pages.get<Route>(`${path}/:link`, options, show);
    pages.post<Route>(`${path}/:link`, options, async (request, reply) =>
      isSameOrigin(request) ? submit(request, reply) : sendNotice(reply, languageOfRequest(request), "FOREIGN"),
    );
  });
}

/**
 * True if the browser reports that a form was sent by one of these pages, or reports nothing. There is no cookie that
 * another site could exploit, but a payment should only be made from the page that the payer saw.
 */
const isSameOrigin = ({ headers }: PageRequest): boolean =>
  ["same-origin", "none", undefined].includes(headers["sec-fetch-site"]);

/** The language of a response: that of the `lang` parameter, then of the link, then of the browser. */
export function languageOfRequest(
  { query, headers }: PageRequest,
  link?: { language: string | null },
  country = "",
): CheckoutLanguage {
  const requested = [query.lang].flat().at(-1);
  return selectLanguage([requested, link?.language], headers["accept-language"], country);
}

/** Sends a page without any data of the shop, which explains the error of the link. */
export const sendNotice = (
  reply: FastifyReply,
  language: CheckoutLanguage,
  linkError: LinkError,
  { status = statusOfLinkError[linkError], traceId }: { status?: number; traceId?: string } = {},
): FastifyReply =>
  sendHtml(reply, language, status, contentSecurityPolicy(), renderNoticePage(linkError, language, traceId));

/**
 * Whether the browser may be redirected to a page of the gateway after a form. To other addresses, such as a page under the
 * merchant's own domain, the payer follows a link.
 */
export const allowsRedirect = (pageOrigins: readonly string[], address: string): boolean =>
  address.startsWith("/") || pageOrigins.includes(new URL(address).origin);

/** The address to which a page or window of the gateway sends the payer back. */
export const returnUrlOf = (pageAddress: string, language: CheckoutLanguage): string =>
  `${pageAddress}?lang=${language}&returned=1`;

/** The parameters that a gateway added to the return address. */
export const readReturnParameters = (query: PageRequest["query"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query as Record<string, unknown>).filter(
      (parameter): parameter is [string, string] => typeof parameter[1] === "string",
    ),
  );

/** Sends the page that opens a window of the gateway. Popups of the bank must be able to report to it. */
export const sendWindow = (
  reply: FastifyReply,
  language: CheckoutLanguage,
  window: GatewayWindow,
  page: string,
): FastifyReply =>
  sendHtml(
    reply.header("cross-origin-opener-policy", "same-origin-allow-popups"),
    language,
    200,
    windowSecurityPolicy(window),
    page,
  );

/** Sends a page. */
export const sendHtml = (
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
