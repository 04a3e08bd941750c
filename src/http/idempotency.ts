import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Database } from "../database/client.ts";
import type { ContextFactory, GatewayContext } from "../graphql/context.ts";
import { conflict, invalidField, mismatch } from "../kernel/errors.ts";
import { IdempotencyRepository } from "./idempotency.repository.ts";

const KEPT_MS = 24 * 3_600_000;
const LONGEST_KEY = 255;

/** An answer as it goes out. */
export interface Answer {
  status: number;
  body: string;
}

/** Answers a request in a context: what each protocol does. */
export type Answering = (context: GatewayContext) => Promise<Answer>;

/**
 * Gives a request that is sent again one effect and one answer. With a key, the whole request is one transaction, and its
 * answer is stored in it: whoever sees the effect can be given the answer, whenever the process dies.
 */
export class Idempotency {
  constructor(
    private readonly database: Database,
    private readonly contextFor: ContextFactory,
  ) {}

  async answer(request: FastifyRequest, reply: FastifyReply, key: string | undefined, run: Answering): Promise<Answer> {
    const vendor = request.vendor!;
    if (key === undefined) return run(this.contextFor(vendor, request.id));
    return this.database.transaction(async (handle) => {
      const context = this.contextFor(vendor, request.id, handle);
      const answers = new IdempotencyRepository(handle);
      const now = context.clock.now();
      const oldest = new Date(now.getTime() - KEPT_MS);
      if (!(await answers.claim(vendor.id, key))) {
        throw conflict("IDEMPOTENCY_KEY_IN_USE", "A request with this idempotency key is still running; send it again in a moment.");
      }
      const requestHash = hashOf(request);
      const known = await answers.find(vendor.id, key, oldest);
      if (known && !known.requestHash.equals(requestHash)) {
        throw mismatch("IDEMPOTENCY_KEY_REUSED", "This idempotency key was sent with another request; use a new key for each request.");
      }
      if (known) {
        void reply.header("idempotency-replayed", "true");
        return known;
      }
      const answer = await run(context);
      if (context.changed()) await answers.keep(vendor.id, key, { requestHash, ...answer }, now, oldest);
      return answer;
    });
  }
}

/** The key in the header of a POST. @throws a Refusal for one that is too long or empty. */
export function keyInHeader({ method, headers }: FastifyRequest): string | undefined {
  const key = headers["idempotency-key"];
  return method === "POST" && key !== undefined ? checkedKey(String(key), "Idempotency-Key") : undefined;
}

/** The key, if it can be one. @throws a Refusal that names where it stood. */
export function checkedKey(key: string, path: string): string {
  if (key.trim() === "" || key.length > LONGEST_KEY || key.includes("\0")) throw invalidField(path, `must have 1 to ${LONGEST_KEY} characters.`);
  return key;
}

const hashOf = ({ method, url, body }: FastifyRequest): Buffer =>
  createHash("sha256").update(`${method} ${url}\n${canonical(body)}`).digest();

/** The same text for the same JSON, in whatever order its keys came. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
