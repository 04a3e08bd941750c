import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { PaymentGateway } from "../../schema/vocabulary.ts";
import { denied } from "../kernel/refusals.ts";

/** Takes a callback that came for a vendor's account at a gateway. */
export type TakeCallback = (
  vendorUuid: string,
  gateway: string,
  message: { headers: FastifyRequest["headers"]; body: string },
) => Promise<void>;

const address = z.object({ vendorUuid: z.uuid(), gateway: z.enum(PaymentGateway) });

/**
 * `POST /callbacks/{vendorUuid}/{gateway}`: where payment gateways tell of charges. Nobody has a token here: what is not
 * signed by the gateway is refused, and what is signed is looked up at the gateway all the same.
 */
export function callbackRoutes(server: FastifyInstance, take: TakeCallback): void {
  void server.register(async (scope) => {
    // The signature is over the bytes as they came.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
    scope.post("/callbacks/:vendorUuid/:gateway", { config: { open: true } }, async (request, reply) => {
      const to = address.safeParse(request.params);
      if (!to.success) throw denied("CALLBACK_REFUSED", "Nothing awaits this callback.");
      const body = typeof request.body === "string" ? request.body : "";
      await take(to.data.vendorUuid, to.data.gateway, { headers: request.headers, body });
      return reply.code(200).send({ result: true });
    });
  });
}
