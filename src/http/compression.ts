import compress, { type FastifyCompressOptions } from "@fastify/compress";
import { constants } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/**
 * The lowest qualities: the processor is what all callers share, and they make a page of orders ten times smaller. The
 * figures are in decision 101.
 */
const COMPRESSION: FastifyCompressOptions = {
  encodings: ["br", "gzip"],
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
  zlibOptions: { level: 1 },
  // A smaller answer arrives in as many round trips as a compressed one.
  threshold: 4_096,
  // A larger answer is compressed in another thread, and the event loop answers others meanwhile.
  syncThreshold: 16_384,
  customTypes: isJson,
};

/** Paths whose answers are compressed where they only read. The console's files have been compressed by its build. */
const COMPRESSED_PATHS = /^\/(?:graphql|openapi\.json|api\/v1\/.*)$/;

/**
 * Compresses answers of reads for callers that accept it. Answers of mutations can contain a new secret beside text of the
 * request, whose length would then show how much of the secret the text has (BREACH): they are never compressed.
 */
export async function compressReads(server: FastifyInstance): Promise<void> {
  server.addHook("onRoute", (route) => {
    route.compress = COMPRESSED_PATHS.test(route.url) && COMPRESSION;
  });
  await server.register(compress, { global: false });
  server.addHook("onSend", async (request, reply) => {
    // The library compresses streams of events, too; this header of a request is how it is told not to.
    if (mayCompress(request, reply)) addVary(reply);
    else request.headers["x-no-compression"] = "true";
  });
}

function mayCompress(request: FastifyRequest, reply: FastifyReply): boolean {
  const isAnswer = reply.statusCode === 304 || isJson(String(reply.getHeader("content-type")));
  return isAnswer && COMPRESSED_PATHS.test(request.routeOptions.url ?? "") && isRead(request);
}

/** True for a request that certainly writes nothing: a document without the word `mutation` has no mutation. */
function isRead({ method, body }: FastifyRequest): boolean {
  if (method === "GET") return true;
  const document = (body as { query?: unknown } | null | undefined)?.query;
  return typeof document === "string" && !document.includes("mutation");
}

function isJson(contentType: string): boolean {
  return /^application\/(?:graphql-response\+)?json\b/.test(contentType);
}

function addVary(reply: FastifyReply): void {
  const others = reply.getHeader("vary");
  void reply.header("vary", others === undefined ? "accept-encoding" : `${String(others)}, accept-encoding`);
}
