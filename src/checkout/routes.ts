import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { GatewayContext } from "../graphql/context.ts";
import { judge } from "../graphql/errors.ts";
import { invariant } from "../kernel/errors.ts";
import type { Vault } from "../kernel/vault.ts";
import { languageOf, type Language } from "./checkout.language.ts";
import { readLink, type CheckoutLink } from "./checkout.link.ts";
import type { Hindrance } from "./checkout.words.ts";
import { CONTENT_POLICY, noticePage, orderPage } from "./pages.ts";

export interface CheckoutParts {
  /** Knows the signatures of links. */
  vault: Vault;
  /** What may be done for a vendor; undefined where it is disabled. */
  contextOf: (vendorId: number, traceId: string) => Promise<GatewayContext | undefined>;
  /** Told what is our fault. */
  onFault: (error: unknown, traceId: string) => void;
}

type Asked = FastifyRequest<{ Params: { link: string }; Querystring: { lang?: string | string[] } }>;

const statuses: Record<Hindrance, number> = { TAMPERED: 403, EXPIRED: 410, CLOSED: 403, FAILED: 500 };

/** The pages that payers see. Whoever has a link needs no token: the link itself says whose order it is, and is signed. */
export const checkoutRoutes =
  ({ vault, contextOf, onFault }: CheckoutParts) =>
  (server: FastifyInstance): void => {
    void server.register(async (pages) => {
      pages.setErrorHandler<Error>((error, request, reply) => {
        const outage = judge(error).kind === "outage";
        onFault(error, request.id);
        if (outage) void reply.header("retry-after", "1");
        const page = noticePage("FAILED", languageIn(request as Asked), request.id);
        send(reply, languageIn(request as Asked), outage ? 503 : 500, page);
      });

      pages.get<{ Params: Asked["params"]; Querystring: Asked["query"] }>(
        "/checkout/:link",
        { config: { open: true } },
        async (request, reply) => {
          const hinder = (hindrance: Hindrance, link?: CheckoutLink) => {
            const language = languageIn(request, link);
            return send(reply, language, statuses[hindrance], noticePage(hindrance, language));
          };
          const link = readLink(request.params.link, vault);
          if (!link) return hinder("TAMPERED");
          const context = await contextOf(link.vendorId, request.id);
          if (!context) return hinder("CLOSED", link);
          const now = context.clock.now();
          if (link.expiresAt <= now) return hinder("EXPIRED", link);
          const order = await context.read.checkouts.order(link.vendorId, link.orderId);
          invariant(order, "an order that a link was made for stays");
          const language = languageIn(request, link, context.vendor.country);
          return send(reply, language, 200, orderPage(order, link, language, now));
        },
      );
    });
  };

/** The language of an answer: what the page was asked for, then the link, then the browser's. */
function languageIn({ query, headers }: Asked, link?: CheckoutLink, country = ""): Language {
  const asked = [query.lang].flat().at(-1);
  return languageOf([asked, link?.language], headers["accept-language"], country);
}

function send(reply: FastifyReply, language: Language, status: number, page: string): FastifyReply {
  return reply
    .code(status)
    .headers({
      "content-type": "text/html; charset=utf-8",
      "content-language": language,
      "content-security-policy": CONTENT_POLICY,
      "x-robots-tag": "noindex",
    })
    .send(page);
}
