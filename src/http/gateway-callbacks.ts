import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { PaymentGateway } from "../../schema/vocabulary.ts";
import { denied } from "../kernel/refusals.ts";

/** Handles a callback for a vendor's account at a gateway. */
export type HandleCallback = (
  vendorUuid: string,
  gateway: PaymentGateway,
  message: { headers: FastifyRequest["headers"]; body: string },
) => Promise<void>;

const callbackParameters = z.object({ vendorUuid: z.uuid(), gateway: z.enum(PaymentGateway) });

/**
 * `POST /callbacks/{vendorUuid}/{gateway}`: receives payment gateways' callbacks about charges. They have no token:
 * unsigned callbacks are refused, and signed ones are looked up at the gateway all the same.
 */
export function addCallbackRoutes(server: FastifyInstance, handle: HandleCallback): void {
  void server.register(async (scope) => {
    // The signature covers the bytes as received.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
    scope.post("/callbacks/:vendorUuid/:gateway", { config: { open: true } }, async (request, reply) => {
      const target = callbackParameters.safeParse(request.params);
      if (!target.success) throw denied("CALLBACK_REFUSED", "No payment waits for this callback.");
      const body = typeof request.body === "string" ? request.body : "";
      await handle(target.data.vendorUuid, target.data.gateway, { headers: request.headers, body });
      return reply.code(200).send({ result: true });
    });
  });
}
