import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * Sends a body that was read, with its ETag; without the body where the caller has it already. The tag is weak, because the
 * compressed body has it, too, and it is computed from the body's bytes, so that it changes with every change that a
 * caller could see.
 */
export function sendTagged({ headers }: FastifyRequest, reply: FastifyReply, body: string): FastifyReply {
  const bytes = Buffer.from(body);
  const tag = `"${createHash("sha256").update(bytes).digest("base64url")}"`;
  void reply.header("etag", `W/${tag}`);
  if (names(headers["if-none-match"], tag)) return reply.removeHeader("content-type").code(304).send();
  return reply.send(bytes);
}

/** Whether an If-None-Match names a tag. Weak and strong tags are compared alike. */
function names(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const named = ifNoneMatch.split(",").map((text) => text.trim().replace(/^W\//, ""));
  return named.includes(tag) || named.includes("*");
}
