import type { FastifyReply, FastifyRequest } from "fastify";
import { holdAdmissionSlot, type AdmissionControl } from "./admission.ts";
import type { TokenAuthenticator } from "./secret-token.ts";
import { clearSessionCookie, readSessionToken } from "./session-cookie.ts";
import { toKeyCaller, toPersonCaller } from "../vendors/people/caller.ts";
import type { RequestRateLimit } from "./request-rate-limit.ts";
import type { PeopleServices } from "./session-routes.ts";

export interface RequestAuthenticatorDependencies {
  tokens: TokenAuthenticator;
  people: () => PeopleServices;
  admission: AdmissionControl;
  /** Limits the requests of each key and person. Absent: no limit. */
  rateLimit: RequestRateLimit | undefined;
}

/** Finds out who sends a request: a program by its Secret-Token, or a person by the cookie of the console. */
export class RequestAuthenticator {
  constructor(private readonly deps: RequestAuthenticatorDependencies) {}

  /**
   * Authenticates the sender and admits the request to its vendor's share of the work. A token goes before a cookie.
   * @throws a Refusal of kind denied, or excess if the vendor has too many requests in progress, or the key or person has
   * sent too many in this minute.
   */
  async authenticateAndAdmit(request: FastifyRequest, reply: FastifyReply, rows: number): Promise<void> {
    const { "secret-token": token } = request.headers;
    const session = token === undefined && acceptsSession(request) ? readSessionToken(request) : undefined;
    if (session !== undefined) return this.admitPerson(session, request, reply, rows);
    const { vendor, keyId, scopes, releaseSlot } = await this.deps.tokens.authenticateAndAdmit(token, request.ip, rows);
    holdAdmissionSlot(request, reply, releaseSlot);
    request.vendor = vendor;
    request.caller = toKeyCaller(keyId, scopes);
    request.rate = await this.deps.rateLimit?.consume(`key:${keyId}`, reply);
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

/** A browser sends the cookie by itself, so it counts for the console's own requests only. */
const acceptsSession = ({ method, routeOptions }: FastifyRequest): boolean =>
  method === "POST" && routeOptions.url === "/graphql";
