import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ContextFactory, GatewayContext } from "../graphql/context.ts";
import type { HttpAnswer, IdempotencyService, KeyedRequest } from "../idempotency/idempotency.service.ts";
import { invalidField, invariant } from "../kernel/refusals.ts";
import { runAsParty } from "../kernel/scheduling/current-party.ts";
import { required } from "../kernel/required-values.ts";
import { isWithin, rolePermissions, type Permissions } from "../vendors/people/mutation.permissions.ts";

const MAX_KEY_LENGTH = 255;

/** Answers a request in a context: what each protocol does. */
export type AnswerInContext = (context: GatewayContext) => Promise<HttpAnswer>;

/** Runs requests in their contexts; one with an idempotency key once, and as one transaction unless it moves money. */
export class IdempotentRequestRunner {
  constructor(private readonly contexts: ContextFactory) {}

  /** Answers a request in its vendor's place, and on its vendor's account wherever the work has to wait. */
  async run(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string | undefined,
    answerInContext: AnswerInContext,
    isCharging = false,
  ): Promise<HttpAnswer> {
    const work = () => this.runOnce(request, reply, key, answerInContext, isCharging);
    const { place, vendor } = request;
    invariant(place && vendor, "a request that was let in has a place and a vendor");
    return place.holdDuring(() => runAsParty({ kind: "API", id: vendor.id }, work));
  }

  private async runOnce(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string | undefined,
    answerInContext: AnswerInContext,
    isCharging: boolean,
  ): Promise<HttpAnswer> {
    const vendor = required(request.vendor, "the vendor");
    const caller = required(request.caller, "the caller");
    if (key === undefined) return answerInContext(this.contexts.createContext(vendor, request.id, caller));
    const keyedRequest = { key, hash: requestHashOf(request) };
    if (isCharging) return this.runOutsideTransaction(request, reply, keyedRequest, answerInContext);
    const runOnce = async (context: GatewayContext, idempotency: IdempotencyService) => {
      const { replayed, ...answer } = await idempotency.runOnce(vendor.id, keyedRequest, async () => ({
        ...(await answerInContext(context)),
        hasWritten: context.hasWritten(),
        isSensitive: context.isSensitive(),
      }));
      if (replayed) void reply.header("idempotency-replayed", "true");
      return answer;
    };
    return this.contexts.runInOneTransaction(vendor, request.id, runOnce, caller);
  }

  /**
   * Answers a request that calls a payment gateway, while no transaction is open: its key is bound in the transaction
   * that claims the charge or the refund, and the answer is stored when it is known.
   */
  private async runOutsideTransaction(
    request: FastifyRequest,
    reply: FastifyReply,
    keyedRequest: KeyedRequest,
    answerInContext: AnswerInContext,
  ): Promise<HttpAnswer> {
    const vendor = required(request.vendor, "the vendor");
    const caller = required(request.caller, "the caller");
    const storedAnswer = await this.contexts.runInOneTransaction(
      vendor,
      request.id,
      (_context, idempotency) => idempotency.findAnswer(vendor.id, keyedRequest),
      caller,
    );
    if (storedAnswer) {
      void reply.header("idempotency-replayed", "true");
      return storedAnswer;
    }
    const context = this.contexts.createKeyedContext(vendor, request.id, keyedRequest, caller);
    const answer = await answerInContext(context);
    const refusal = context.idempotencyRefusal();
    if (refusal) throw refusal;
    // An answer with errors may lack what was read after the effect: the repeat finds the effect and reads it.
    if (context.hasMovedMoney() && !("errors" in (JSON.parse(answer.body) as object)))
      await this.contexts.runInOneTransaction(
        vendor,
        request.id,
        (_context, idempotency) => idempotency.saveBoundAnswer(vendor.id, context.chargingRequest, answer),
        caller,
      );
    return answer;
  }
}

const KEYED_METHODS: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/** The key in the header of a request that can change something. @throws a Refusal for one that is too long or empty. */
export function readIdempotencyKey({ method, headers }: FastifyRequest): string | undefined {
  const given = headers["idempotency-key"];
  if (given === undefined || !KEYED_METHODS.has(method)) return undefined;
  const key = String(given);
  if (key.trim() === "" || key.length > MAX_KEY_LENGTH || key.includes("\0"))
    throw invalidField("Idempotency-Key", `must have 1 to ${MAX_KEY_LENGTH} characters.`);
  return key;
}

const requestHashOf = ({ method, url, body, caller }: FastifyRequest): Buffer =>
  createHash("sha256")
    .update(`${method} ${url}\n${canonicalJson(body)}${limitsOf(caller?.permissions)}`)
    .digest();

/** Tells callers with fewer permissions apart, so that none of them gets an answer that was stored for another. */
const limitsOf = (permissions: Permissions | undefined): string =>
  permissions && isWithin(rolePermissions.OWNER, permissions) ? "" : `\n${canonicalJson(permissions ?? null)}`;

/** The same text for the same JSON, whatever the order of its keys. */
const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
