import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { judge } from "../graphql/errors/failures.ts";
import type { Vault } from "../kernel/secret-vault.ts";
import { readPaymentForm, readQuantities } from "./checkout.form.ts";
import { languageOf, type Language } from "./checkout.language.ts";
import { readLink, type CheckoutLink } from "./checkout-link.codec.ts";
import { returning } from "./checkout.return-url.ts";
import type { CheckoutService, Visit } from "./checkout.service.ts";
import { isPayable } from "./checkout.state.ts";
import type { Hindrance } from "./checkout.texts.ts";
import { boxesOf, contentPolicy, fromPage, noticePage, orderPage } from "./checkout-pages.ts";

/** The checkout of a vendor, and what it has to do with the vendor's language and time. */
export interface Counter {
  checkout: CheckoutService;
  country: string;
  now: Date;
}

export interface CheckoutParts {
  /** Knows the signatures of links. */
  vault: Vault;
  /** The checkout of a vendor; undefined where it is disabled. */
  counterOf: (vendorId: number, traceId: string) => Promise<Counter | undefined>;
  /** Under which address browsers reach the gateway. */
  address: () => string;
  /** Told what is our fault. */
  onFault: (error: unknown, traceId: string) => void;
}

type Asked = FastifyRequest<{
  Params: { link: string };
  Querystring: { lang?: string | string[]; returned?: string; method?: string | string[]; agreed?: string | string[] };
}>;

/** What a request with a good link is about. */
interface Opened extends Counter {
  link: CheckoutLink;
  language: Language;
}

const statuses: Record<Hindrance, number> = { TAMPERED: 403, EXPIRED: 410, CLOSED: 403, FOREIGN: 403, FAILED: 500 };

/** More than a form of ours can hold. */
const BODY_LIMIT = 16_384;

const FORM = "application/x-www-form-urlencoded";

/** The pages that payers see. Whoever has a link needs no token: the link itself says whose order it is, and is signed. */
export const checkoutRoutes = (parts: CheckoutParts) => (server: FastifyInstance) => {
  const { vault, counterOf, address, onFault } = parts;

  /** What a link opens; undefined where the answer has been sent already. */
  async function open(request: Asked, reply: FastifyReply): Promise<Opened | undefined> {
    const link = readLink(request.params.link, vault);
    const counter = link && (await counterOf(link.vendorId, request.id));
    const hindrance = !link ? "TAMPERED" : !counter ? "CLOSED" : link.expiresAt <= counter.now ? "EXPIRED" : undefined;
    const language = languageIn(request, link, counter?.country);
    if (link && counter && !hindrance) return { ...counter, link, language };
    sendNotice(reply, language, hindrance!);
    return undefined;
  }

  async function show(request: Asked, reply: FastifyReply): Promise<FastifyReply> {
    const opened = await open(request, reply);
    if (!opened) return reply;
    const { checkout, link, language } = opened;
    const { vendorId, orderId } = link;
    let visit = await checkout.visit(vendorId, orderId);
    if (request.query.returned !== undefined) {
      // The gateway's word comes by another way than the payer's browser, and may come later.
      if (visit.standing === "TO_CONFIRM" || visit.standing === "UNDER_WAY") {
        await checkout.comeBack(vendorId, orderId);
        visit = await checkout.visit(vendorId, orderId);
      }
      const away = thanksOf(visit, link) ?? regretsOf(visit, link);
      if (away) return reply.redirect(away, 303);
    }
    return sendPage(reply, opened, 200, orderPage(visit, link, language, choicesIn(request.query)));
  }

  async function pay(request: Asked, reply: FastifyReply): Promise<FastifyReply> {
    const opened = await open(request, reply);
    if (!opened) return reply;
    const { checkout, link, language } = opened;
    const { vendorId, orderId } = link;
    // As seen from the page itself: however the browser came here, it comes here again.
    const self = `?lang=${language}`;
    const returnUrl = `${address()}/checkout/${request.params.link}${self}&returned=1`;
    const visit = await checkout.visit(vendorId, orderId);
    if (!isPayable(visit.standing)) return reply.redirect(thanksOf(visit, link) ?? self, 303);
    const sent = new URLSearchParams(request.body as string);
    if (sent.get("action") === "quantities") {
      const obstacle = await checkout.choose(vendorId, orderId, readQuantities(sent));
      if (!obstacle) return reply.redirect(self, 303);
      const after = await checkout.visit(vendorId, orderId);
      return sendPage(reply, opened, 409, orderPage(after, link, language, { obstacle }));
    }
    const terms = boxesOf(visit.order);
    const read = readPaymentForm(sent, { ...visit, terms });
    const chosen = sent.get("method");
    const agreed = new Set(terms.flatMap(({ box }) => (sent.get(box) === "on" ? [box] : [])));
    if ("slips" in read)
      return sendPage(reply, opened, 422, orderPage(visit, link, language, { slips: read.slips, chosen, agreed }));
    const obstacle = await checkout.pay(vendorId, orderId, read.form, returnUrl);
    const after = await checkout.visit(vendorId, orderId);
    if (obstacle)
      return sendPage(
        reply,
        opened,
        obstacle === "TOO_MANY" ? 429 : 409,
        orderPage(after, link, language, { obstacle, chosen, agreed }),
      );
    const { challengeUrl } = after.order.payment ?? {};
    if (after.standing === "TO_CONFIRM" && challengeUrl) return reply.redirect(fromPage(challengeUrl), 303);
    const away = thanksOf(after, link) ?? regretsOf(after, link);
    if (away || after.order.payment?.state !== "FAILED") return reply.redirect(away ?? self, 303);
    const kept = new URLSearchParams({ lang: language, method: read.form.method, agreed: [...agreed].join(" ") });
    return reply.redirect(`?${kept.toString()}`, 303);
  }

  void server.register(async (pages) => {
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser(FORM, { parseAs: "string" }, (_request, body, done) => done(null, body));
    pages.setErrorHandler<Partial<FastifyError>>((error, request, reply) => {
      const language = languageIn(request as Asked);
      if (error.statusCode !== undefined && error.statusCode < 500 && error.code?.startsWith("FST_"))
        return sendNotice(reply, language, "FOREIGN", { status: error.statusCode });
      const isOutage = judge(error).kind === "outage";
      onFault(error, request.id);
      if (isOutage) void reply.header("retry-after", "1");
      return sendNotice(reply, language, "FAILED", { traceId: request.id, ...(isOutage && { status: 503 }) });
    });
    const options = { config: { open: true }, bodyLimit: BODY_LIMIT };
    pages.get<{ Params: Asked["params"]; Querystring: Asked["query"] }>("/checkout/:link", options, show);
    pages.post<{ Params: Asked["params"]; Querystring: Asked["query"] }>(
      "/checkout/:link",
      options,
      async (request, reply) =>
        isOurs(request) ? pay(request, reply) : sendNotice(reply, languageIn(request), "FOREIGN"),
    );
  });
};

/**
 * Whether a form was sent from a page of ours, as far as the browser tells. There is no cookie that another site could make
 * use of; but what is sent in a payer's name should be what the payer saw.
 */
const isOurs = ({ headers }: Asked): boolean => ["same-origin", "none", undefined].includes(headers["sec-fetch-site"]);

/** Where a payer goes who has just paid; undefined where nothing was paid, or the shop has told no address. */
function thanksOf({ order }: Visit, { returnUrls: { success } }: CheckoutLink): string | undefined {
  return order.payment?.state === "SUCCEEDED" && success ? returning(success, order, "success") : undefined;
}

/** Where a payer goes whose payment was declined just now; undefined where the shop has given no address for it. */
function regretsOf({ order, standing }: Visit, { returnUrls: { error } }: CheckoutLink): string | undefined {
  return order.payment?.state === "FAILED" && isPayable(standing) && error
    ? returning(error, order, "error")
    : undefined;
}

/** What a payer chose before a payment that was declined, so that it need not be chosen again. */
const choicesIn = ({ method, agreed }: Asked["query"]) => ({
  chosen: [method].flat().at(-1) ?? null,
  agreed: new Set([agreed ?? ""].flat().join(" ").split(" ")),
});

/** The language of an answer: what the page was asked for, then the link, then the browser's. */
function languageIn({ query, headers }: Asked, link?: CheckoutLink, country = ""): Language {
  const asked = [query.lang].flat().at(-1);
  return languageOf([asked, link?.language], headers["accept-language"], country);
}

const sendNotice = (
  reply: FastifyReply,
  language: Language,
  hindrance: Hindrance,
  { status = statuses[hindrance], traceId }: { status?: number; traceId?: string } = {},
): FastifyReply => send(reply, language, status, contentPolicy(), noticePage(hindrance, language, traceId));

const sendPage = (reply: FastifyReply, { link, language }: Opened, status: number, page: string): FastifyReply =>
  send(reply, language, status, contentPolicy(link), page);

const send = (reply: FastifyReply, language: Language, status: number, policy: string, page: string): FastifyReply =>
  reply
    .code(status)
    .headers({
      "content-type": "text/html; charset=utf-8",
      "content-language": language,
      "content-security-policy": policy,
      "x-robots-tag": "noindex",
    })
    .send(page);
