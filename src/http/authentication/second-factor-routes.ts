import type { FastifyInstance, FastifyRequest } from "fastify";
import { denied } from "../../kernel/refusals.ts";
import type { SessionOwner } from "../../vendors/people/session.service.ts";
import { readSessionToken, requireSameOrigin } from "./session-cookie.ts";
import { readText, withoutSharing, type PeopleServices, type SessionDependencies } from "./session-routes.ts";
import { SignInLimits } from "./sign-in-limits.ts";

/**
 * Lets people switch their second factor on and off in the console. It is their own, whatever their role: so these are
 * routes of the session, and no mutations for the vendor.
 */
export function addSecondFactorRoutes(
  server: FastifyInstance,
  { services, write, admission }: SessionDependencies,
): void {
  const limits = new SignInLimits("codes and passwords");
  /** Adds a route for the person of the session. Attempts count as those of a sign-in. */
  const addRoute = (
    path: string,
    work: (request: FastifyRequest, owner: SessionOwner, services: PeopleServices) => Promise<object>,
    isAttempt = true,
  ): void => {
    server.post(`/console/second-factor${path}`, { config: { open: true } }, async (request, reply) => {
      requireSameOrigin(request);
      withoutSharing(reply);
      const token = readSessionToken(request);
      if (token === undefined) throw denied("SESSION_ENDED", "The session has ended. Sign in again.");
      return admission.runForUnknownCaller(request.ip, async () => {
        const owner = await services().sessions.authenticate(token);
        const takeBack = isAttempt ? await limits.consume(request.ip, `person ${owner.personId}`) : undefined;
        const answer = await write((transaction) => work(request, owner, transaction));
        await takeBack?.();
        return answer;
      });
    });
  };
  addRoute(
    "",
    async (_request, { vendor, personId }, { secondFactors }) => secondFactors.stateOf(vendor.id, personId),
    false,
  );
  addRoute("/start", (request, owner, { secondFactors }) => secondFactors.start(owner, readText(request, "password")));
  addRoute("/confirm", async (request, owner, { secondFactors }) => ({
    recoveryCodes: await secondFactors.confirm(owner, readText(request, "code")),
  }));
  addRoute("/remove", async (request, owner, { secondFactors }) => {
    await secondFactors.switchOff(owner, readText(request, "code"));
    return { isOn: false, recoveryCodesLeft: 0 };
  });
}
