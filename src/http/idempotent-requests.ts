import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Contexts, GatewayContext } from "../graphql/context.ts";
import type { Answer, KeyedRequest } from "../idempotency/idempotency.service.ts";
import { invalidField } from "../kernel/refusals.ts";
import { asParty } from "../kernel/current-party.ts";

const LONGEST_KEY = 255;

/** Answers a request in a context: what each protocol does. */
export type Answering = (context: GatewayContext) => Promise<Answer>;

/** Runs requests in their contexts; one with an idempotency key once, and as one transaction unless it moves money. */
export class Idempotency {
  constructor(private readonly contexts: Contexts) {}

  /** Answers a request in its vendor's place, and on its vendor's account wherever the work has to wait. */
  async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string | undefined,
    run: Answering,
    movesMoney = false,
  ): Promise<Answer> {
    const answer = () => this.answerOnce(request, reply, key, run, movesMoney);
    return request.place!.during(() => asParty({ kind: "API", id: request.vendor!.id }, answer));
  }

  private async answerOnce(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string | undefined,
    run: Answering,
    movesMoney: boolean,
  ): Promise<Answer> {
    const vendor = request.vendor!;
    if (key === undefined) return run(this.contexts.of(vendor, request.id));
    const keyed = { key, hash: hashOf(request) };
    if (movesMoney) return this.answerOutside(request, reply, keyed, run);
    return this.contexts.whole(vendor, request.id, async (context, idempotency) => {
      const { replayed, ...answer } = await idempotency.once(vendor.id, keyed, async () => ({
        ...(await run(context)),
        changed: context.changed(),
        confided: context.confided(),
      }));
      if (replayed) void reply.header("idempotency-replayed", "true");
      return answer;
    });
  }

  /**
   * Answers a request that asks a payment gateway, while no transaction is open: its key is bound in the transaction that
   * claims the charge or the refund, and the answer is stored when it is known.
   */
  private async answerOutside(
    request: FastifyRequest,
    reply: FastifyReply,
    keyed: KeyedRequest,
    run: Answering,
  ): Promise<Answer> {
    const vendor = request.vendor!;
    const known = await this.contexts.whole(vendor, request.id, (_context, idempotency) =>
      idempotency.findAnswer(vendor.id, keyed),
    );
    if (known) {
      void reply.header("idempotency-replayed", "true");
      return known;
    }
    const context = this.contexts.of(vendor, request.id, keyed);
    const answer = await run(context);
    const refusal = context.keyRefusal();
    if (refusal) throw refusal;
    // An answer with errors may lack what was read after the effect: the repeat finds the effect and reads it.
    if (context.moneyMoved() && !("errors" in (JSON.parse(answer.body) as object)))
      await this.contexts.whole(vendor, request.id, (_context, idempotency) =>
        idempotency.answerBound(vendor.id, context.moneyRequest!, answer),
      );
    return answer;
  }
}

const KEYED_METHODS: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/** The key in the header of a request that can change something. @throws a Refusal for one that is too long or empty. */
export function keyInHeader({ method, headers }: FastifyRequest): string | undefined {
  const given = headers["idempotency-key"];
  if (given === undefined || !KEYED_METHODS.has(method)) return undefined;
  const key = String(given);
  if (key.trim() === "" || key.length > LONGEST_KEY || key.includes("\0"))
    throw invalidField("Idempotency-Key", `must have 1 to ${LONGEST_KEY} characters.`);
  return key;
}

const hashOf = ({ method, url, body }: FastifyRequest): Buffer =>
  createHash("sha256")
    .update(`${method} ${url}\n${canonical(body)}`)
    .digest();

/** The same text for the same JSON, in whatever order its keys came. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
