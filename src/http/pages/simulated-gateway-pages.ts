import type { FastifyInstance, FastifyReply } from "fastify";
import { notFound } from "../../kernel/refusals.ts";

/** The simulated gateway as its pages see it. */
export interface SimulatedGatewayActions {
  findPendingCharge(
    reference: string,
  ): Promise<{ status: string; amount: { toFixed(): string }; currency: string } | undefined>;
  completePending(reference: string, approved: boolean): Promise<{ returnUrl: string | null } | undefined>;
}

const CHARGE_PAGE_PATH = "/simulated-gateway/charges/:reference";

/** Pages on which a payer confirms a charge of the simulated gateway, or pays a deposit into its account. */
export function addSimulatedGatewayRoutes(server: FastifyInstance, gateway: SimulatedGatewayActions): void {
  void server.register(async (scope) => {
    scope.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) =>
      done(null, body),
    );
    scope.get<{ Params: { reference: string } }>(
      CHARGE_PAGE_PATH,
      { config: { open: true } },
      async ({ params }, reply) => {
        const charge = await gateway.findPendingCharge(params.reference);
        if (!charge) throw unknownCharge();
        return sendHtml(
          reply,
          renderPage(`${charge.amount.toFixed()} ${charge.currency}`, charge.status, params.reference),
        );
      },
    );
    for (const [verb, approved] of [
      ["approve", true],
      ["decline", false],
    ] as const)
      scope.post<{ Params: { reference: string } }>(
        `${CHARGE_PAGE_PATH}/${verb}`,
        { config: { open: true } },
        async ({ params }, reply) => {
          const settled = await gateway.completePending(params.reference, approved);
          if (!settled) throw unknownCharge();
          return settled.returnUrl === null
            ? sendHtml(reply, renderPage("Done. You can close this page.", null))
            : reply.redirect(settled.returnUrl, 303);
        },
      );
  });
}

const unknownCharge = () => notFound("NOT_FOUND", "The simulated gateway has no such charge.");

const sendHtml = (reply: FastifyReply, body: string) =>
  reply
    .type("text/html; charset=utf-8")
    .header("content-security-policy", "default-src 'none'; frame-ancestors 'none'")
    .send(body);

/** Amounts, currencies, references that were found, and fixed texts: no text from a stranger is in it. */
function renderPage(text: string, status: string | null, reference = ""): string {
  const buttons =
    status === "CHALLENGE" || status === "DEPOSIT"
      ? `<form method="post" action="${reference}/approve"><button>Approve</button></form><form method="post" action="${reference}/decline"><button>Decline</button></form>`
      : "";
  return `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Simulated gateway</title><main><h1>Simulated gateway</h1><p>${text}</p>${buttons}</main></html>`;
}
