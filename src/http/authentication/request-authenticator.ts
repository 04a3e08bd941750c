import type { FastifyReply, FastifyRequest } from "fastify";
import { holdAdmissionSlot, type AdmissionControl } from "../limits/admission.ts";
import type { TokenAuthenticator } from "./secret-token.ts";
import { clearSessionCookie, readSessionToken } from "./session-cookie.ts";
import type { SessionTokenAuthenticator } from "./session-token.ts";
import { toBrowserSessionCaller, toKeyCaller, toPersonCaller } from "../../vendors/people/caller.ts";
import type { RequestRateLimit } from "../limits/request-rate-limit.ts";
import type { PeopleServices } from "./session-routes.ts";

export interface RequestAuthenticatorDependencies {
  tokens: TokenAuthenticator;
  sessionTokens: SessionTokenAuthenticator;
  people: () => PeopleServices;
  admission: AdmissionControl;
  /** Limits the requests of each key and person. Absent: no limit. */
  rateLimit: RequestRateLimit | undefined;
}

/**
 * Finds out who sends a request: a program by its Secret-Token, a merchant's page by its Session-Token, or a person by the
 * cookie of the console.
 */
export class RequestAuthenticator {
  constructor(private readonly deps: RequestAuthenticatorDependencies) {}

  /**
   * Authenticates the sender and admits the request to its vendor's share of the work. A token goes before a cookie:
   * a page that sends one never acts for the person of the console.
   * @throws a Refusal of kind denied, or excess if the vendor has too many requests in progress, or the key or person has
   * sent too many in this minute.
   */
  async authenticateAndAdmit(request: FastifyRequest, reply: FastifyReply, rows: number): Promise<void> {
    const { "secret-token": token, "session-token": sessionToken } = request.headers;
    if (token === undefined && acceptsSession(request)) {
      if (sessionToken !== undefined) return this.admitPage(String(sessionToken), request, reply, rows);
      const session = readSessionToken(request);
      if (session !== undefined) return this.admitPerson(session, request, reply, rows);
    }
    const { vendor, keyId, scopes, releaseSlot } = await this.deps.tokens.authenticateAndAdmit(token, request.ip, rows);
    holdAdmissionSlot(request, reply, releaseSlot);
    request.vendor = vendor;
    request.caller = toKeyCaller(keyId, scopes);
    request.rate = await this.deps.rateLimit?.consume(`key:${keyId}`, reply);
  }

  private async admitPage(token: string, request: FastifyRequest, reply: FastifyReply, rows: number): Promise<void> {
    const { sessionTokens, rateLimit } = this.deps;
    const admitted = await sessionTokens.authenticateAndAdmit(token, request, reply, rows);
    holdAdmissionSlot(request, reply, admitted.releaseSlot);
    request.vendor = admitted.vendor;
    request.caller = toBrowserSessionCaller(admitted.session);
    // A count of its own: a page must not use up the limit of the back end that holds the key.
    request.rate = await rateLimit?.consume(`session:${admitted.session.sessionId}`, reply);
  }

  private async admitPerson(token: string, request: FastifyRequest, reply: FastifyReply, rows: number): Promise<void> {
    const { admission, people } = this.deps;
    // A browser would send the cookie of an ended session with every request.
    clearSessionCookie(request, reply);
    const { vendor, personId, role } = await admission.runForUnknownCaller(request.ip, () =>
      people().sessions.authenticate(token),
    );
    reply.removeHeader("set-cookie");
    holdAdmissionSlot(request, reply, await admission.admit(vendor.id, rows));
    request.vendor = vendor;
    request.caller = toPersonCaller(personId, role);
    request.rate = await this.deps.rateLimit?.consume(`person:${personId}`, reply);
  }
}

/** A browser sends the cookie by itself, so it counts for the console's own requests only; pages need no other path. */
const acceptsSession = ({ method, routeOptions }: FastifyRequest): boolean =>
  method === "POST" && routeOptions.url === "/graphql";
