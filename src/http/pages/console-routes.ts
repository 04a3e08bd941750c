import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { notFound } from "../../kernel/refusals.ts";
import { exampleVariables, type ApolloSandboxDefaults } from "./apollo-sandbox.ts";
import type { ConsoleFile, ConsoleFiles } from "./console-files.ts";
import { sendNoticePage } from "./error-pages.ts";

/** What the gateway hands in for the console. */
export interface ConsoleOptions {
  /** The built console; undefined while it is not built. */
  files: () => ConsoleFiles | undefined;
  /** The demo vendor, if the gateway itself listens on loopback only. */
  demo: ApolloSandboxDefaults | undefined;
}

/** Paths at which the console shows a page; the page itself says if there is no such record. */
const SECTIONS = [
  "/recovery",
  "/orders",
  "/customers",
  "/subscriptions",
  "/products",
  "/invoices",
  "/payments",
  "/developers",
];
/** Sections whose pages have records of their own below them. */
const NESTED = ["/recovery/policies", "/recovery/experiments", "/developers/webhooks", "/developers/outbox"];
/** The page of the REST interface, beside those of the guides. */
const REST_REFERENCE = "rest";
const PAGES = [
  "/",
  "/password",
  "/invitation",
  "/account",
  "/docs",
  ...SECTIONS.flatMap((section) => [section, `${section}/:id`]),
  ...NESTED.map((page) => `${page}/:id`),
];

/** Names of this machine, which no name server of somebody else can answer. */
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** Whether a browser opens an address outside the REST API, or sends a form there: it gets a page, whatever the answer is. */
export const isPageRequest = ({ url, headers: { accept = "" } }: FastifyRequest): boolean =>
  /\btext\/html\b/.test(accept) &&
  !/\bapplication\/(?:graphql-response\+)?json\b/.test(accept) &&
  !/^\/api(?:[/?]|$)/.test(url);

/**
 * Whether the demo's token may be sent. A page of another site whose name leads to 127.0.0.1 (DNS rebinding) sends its
 * own name as the host, and a proxy on this machine that serves others says so in a header.
 */
export const isFromThisMachine = ({ headers }: FastifyRequest): boolean =>
  LOOPBACK_HOST.test(headers.host ?? "") &&
  !Object.keys(headers).some((name) => name === "forwarded" || name.startsWith("x-forwarded-") || name === "via");

const contentPolicy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const NOT_BUILT = {
  title: "The console is not built",
  message: "The gateway answers programs, and has no pages.",
  cure: "Run `npm run build` with the development packages installed, and start the gateway again.",
};

type PageName = Exclude<keyof ConsoleFiles, "assets" | "guides">;

/** Sends a built page, with a nonce for this answer alone. */
export function createConsolePage({ files: findFiles, demo }: ConsoleOptions, pageName: PageName = "page") {
  return (request: FastifyRequest, reply: FastifyReply, status = 200): FastifyReply => {
    const files = findFiles();
    if (!files) return sendNoticePage(reply.code(503), NOT_BUILT);
    const nonce = randomBytes(16).toString("base64");
    const isDemoOffered = demo !== undefined && isFromThisMachine(request);
    return reply
      .code(status)
      .type("text/html; charset=utf-8")
      .header("content-security-policy", contentPolicy(nonce))
      .send(files[pageName].replace("{{nonce}}", nonce).replace("{{demo}}", isDemoOffered ? "offered" : "none"));
  };
}

/** The console's pages and files, and the token of the demo. */
export function addConsoleRoutes(
  server: FastifyInstance,
  options: ConsoleOptions,
  sendPage: ReturnType<typeof createConsolePage>,
): void {
  const config = { open: true };
  for (const path of PAGES) server.get(path, { config }, (request, reply) => sendPage(request, reply));
  // Without a sign-in; `/docs/errors` is the gateway's own page. The console says itself that there is no such guide.
  server.get<{ Params: { name: string } }>("/docs/:name", { config }, (request, reply) => {
    const { name } = request.params;
    const isThere = name === REST_REFERENCE || options.files()?.guides.has(name);
    return sendPage(request, reply, isThere ? 200 : 404);
  });
  server.get<{ Params: { "*": string } }>("/console/*", { config }, (request, reply) => {
    const file = options.files()?.assets.get(request.params["*"]);
    if (!file)
      throw notFound("NOT_FOUND", "The console has no such file. Reload the page: a newer version was started.");
    return sendFile(file, request, reply);
  });
  server.post("/console/demo", { config }, (request, reply) => {
    if (options.demo === undefined || !isFromThisMachine(request))
      throw notFound(
        "NOT_FOUND",
        "The demo is offered only with its data, and only on the machine that runs the gateway.",
      );
    // Only this gateway's own page may read it, not another page on this machine.
    reply.removeHeader("access-control-allow-origin");
    return reply.send({ token: options.demo.token, variables: exampleVariables(options.demo) });
  });
}

/** Files have the hash of their content in their names, so browsers may keep them for a year. */
function sendFile({ type, contents }: ConsoleFile, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const accepted = new Set((headers["accept-encoding"] ?? "").split(/\s*,\s*/));
  const found = [...contents].find(([coding]) => coding === "identity" || accepted.has(coding));
  if (!found) throw notFound("NOT_FOUND", "The console has no such file.");
  const [coding, content] = found;
  if (coding !== "identity") void reply.header("content-encoding", coding);
  return reply
    .type(type)
    .header("vary", "accept-encoding")
    .header("cache-control", "public, max-age=31536000, immutable")
    .send(content);
}
