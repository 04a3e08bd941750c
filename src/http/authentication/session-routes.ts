import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { MIN_PASSWORD_LENGTH } from "../../kernel/secrets/password-hash.ts";
import { denied, invalidField, requiredField } from "../../kernel/refusals.ts";
import type { SessionService } from "../../vendors/people/session.service.ts";
import type { Credentials, SignInResult, SignInService } from "../../vendors/people/sign-in.service.ts";
import { AddressRateLimit } from "../limits/address-rate-limit.ts";
import type { AdmissionControl } from "../limits/admission.ts";
import { clearSessionCookie, readSessionToken, requireSameOrigin, sendSessionCookie } from "./session-cookie.ts";
import type { SecondFactorService } from "../../vendors/people/second-factor.service.ts";
import type { PasswordLinkService } from "../../vendors/people/password-link.service.ts";
import { SignInLimits } from "./sign-in-limits.ts";

/** The services of people who use the console, at the current time. */
export interface PeopleServices {
  signIns: SignInService;
  sessions: SessionService;
  passwordLinks: PasswordLinkService;
  secondFactors: SecondFactorService;
}

/** The people of one database. */
export interface PeoplePlace {
  services: () => PeopleServices;
  /** Runs work on these services in one transaction. */
  write: <T>(work: (services: PeopleServices) => Promise<T>) => Promise<T>;
}

/** The databases in which a person may have an account. */
export interface PeopleDirectory {
  /** Those with an account of an e-mail address; one of them all the same if there is none. @throws if one that may have it is down. */
  placesOf(email: string): Promise<readonly PeoplePlace[]>;
  /** That of a session or of a link to set a password. */
  placeOfToken(token: string): Promise<PeoplePlace>;
}

export interface SessionDependencies extends PeoplePlace {
  admission: AdmissionControl;
}

export interface SignInDependencies {
  directory: PeopleDirectory;
  admission: AdmissionControl;
}

/** A refused sign-in is answered no sooner, so that the number of compared passwords does not show. */
const MIN_REFUSAL_MS = 400;

/** No password of ours is longer. */
const MAX_TEXT_LENGTH = 255;

/** Links that one client network may try in a minute. */
const MAX_LINK_USES = 10;

const UUID_PATTERN = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** Signs people in and out in the console. They have no vendor and no token before, so these are not mutations. */
export function addSessionRoutes(server: FastifyInstance, { directory, admission }: SignInDependencies): void {
  const limits = new SignInLimits("sign-ins");
  const config = { open: true };
  server.post("/console/sign-in", { config }, async (request, reply) => {
    requireSameOrigin(request);
    withoutSharing(reply);
    const email = readText(request, "email");
    const password = readText(request, "password");
    const vendorUuid = readOptionalText(request, "vendor");
    const code = readOptionalText(request, "code");
    if (vendorUuid !== undefined && !UUID_PATTERN.test(vendorUuid)) throw invalidField("vendor", "must be a uuid.");
    const takeBack = await limits.consume(request.ip, email);
    const earliestRefusal = sleep(MIN_REFUSAL_MS);
    const previous = readSessionToken(request);
    const result = await admission.runForUnknownCaller(request.ip, async () => {
      const signedIn = await signInAtOne(await directory.placesOf(email), { email, password, vendorUuid, code });
      if (signedIn.outcome === "SIGNED_IN" && previous !== undefined)
        await (await directory.placeOfToken(previous)).services().sessions.end(previous);
      return signedIn;
    });
    if (result.outcome === "REFUSED") {
      await earliestRefusal;
      throw denied("SIGN_IN_REFUSED", "The e-mail address or the password is wrong.");
    }
    if (result.outcome === "CODE_REFUSED") {
      await earliestRefusal;
      throw denied("SIGN_IN_CODE_REFUSED", "The code is wrong, or it was used already.");
    }
    // Not taken back: the right password alone would reset the count of wrong codes.
    if (result.outcome === "CODE_NEEDED") return { signedIn: false, vendors: [], codeNeeded: true };
    await takeBack();
    if (result.outcome === "VENDOR_NEEDED") return { signedIn: false, vendors: result.vendors };
    sendSessionCookie(request, reply, result.token);
    return { signedIn: true, vendors: [] };
  });
  addPasswordRoutes(server, { directory, admission });
  server.post("/console/sign-out", { config }, async (request, reply) => {
    requireSameOrigin(request);
    withoutSharing(reply);
    const token = readSessionToken(request);
    if (token !== undefined)
      await admission.runForUnknownCaller(request.ip, async () =>
        (await directory.placeOfToken(token)).services().sessions.end(token),
      );
    clearSessionCookie(request, reply);
    return { signedIn: false };
  });
}

/** Signs a person in at the first place that does not refuse it; with accounts at several, the vendor chooses. */
async function signInAtOne(places: readonly PeoplePlace[], credentials: Credentials): Promise<SignInResult> {
  for (const { services } of places) {
    const result = await services().signIns.signIn(credentials);
    if (result.outcome !== "REFUSED") return result;
  }
  return { outcome: "REFUSED" };
}

/** Lets people set a new password by a link in a mail. */
function addPasswordRoutes(server: FastifyInstance, { directory, admission }: SignInDependencies): void {
  const config = { open: true };
  const linkLimits = new SignInLimits("requests for a new password");
  const uses = new AddressRateLimit(MAX_LINK_USES, "new passwords");
  server.post("/console/password-link", { config }, async (request, reply) => {
    requireSameOrigin(request);
    withoutSharing(reply);
    const email = readText(request, "email");
    await linkLimits.consume(request.ip, email);
    const answered = sleep(MIN_REFUSAL_MS);
    await admission.runForUnknownCaller(request.ip, async () => {
      for (const { write } of await directory.placesOf(email))
        await write(({ passwordLinks }) => passwordLinks.request(email));
    });
    // The answer and its time are the same for unknown addresses.
    await answered;
    return { requested: true };
  });
  server.post("/console/password", { config }, async (request, reply) => {
    requireSameOrigin(request);
    withoutSharing(reply);
    const token = readText(request, "token");
    const password = readText(request, "password");
    if (password.length < MIN_PASSWORD_LENGTH)
      throw invalidField("password", `must have at least ${MIN_PASSWORD_LENGTH} characters.`);
    await uses.consume(request.ip);
    await admission.runForUnknownCaller(request.ip, async () =>
      (await directory.placeOfToken(token)).write(({ passwordLinks }) => passwordLinks.setPassword(token, password)),
    );
    return { changed: true };
  });
}

/** Only this gateway's own pages may read the answer, not other pages on this machine. */
export function withoutSharing(reply: FastifyReply): void {
  reply.removeHeader("access-control-allow-origin");
}

export function readText(request: FastifyRequest, name: string): string {
  const text = readOptionalText(request, name);
  if (text === undefined) throw requiredField(name);
  return text;
}

function readOptionalText({ body }: FastifyRequest, name: string): string | undefined {
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, name)) return undefined;
  const value = (body as Record<string, unknown>)[name];
  if (value === null || value === "") return undefined;
  if (typeof value !== "string" || value.length > MAX_TEXT_LENGTH || value.includes("\0"))
    throw invalidField(name, `must be a text of at most ${MAX_TEXT_LENGTH} characters.`);
  return value;
}
