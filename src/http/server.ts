import type { ApolloServer } from "@apollo/server";
import Fastify, {
  errorCodes,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import type { GatewayContext } from "../graphql/context.ts";
import type { RemainingRate } from "../graphql/limits/operation-cost.ts";
import type { Caller } from "../vendors/people/caller.ts";
import type { VendorRecord } from "../vendors/vendor.repository.ts";
import type { AdmissionControl } from "./limits/admission.ts";
import {
  addConsoleRoutes,
  createConsolePage,
  isFromThisMachine,
  isPageRequest,
  type ConsoleOptions,
} from "./pages/console-routes.ts";
import { refuseForClosedCells } from "./cell-dispatch.ts";
import { allowCrossOriginRequests } from "./cross-origin.ts";
import { addCallbackRoutes, type HandleCallback } from "./gateway-callbacks.ts";
import { closeIdleConnectionsOnShutdown } from "./graceful-close.ts";
import { sendFailure, sendMissingRoute } from "./error-responses.ts";
import { indexRoutes } from "./route-index.ts";
import { addErrorPages } from "./pages/error-pages.ts";
import {
  acceptsOnlyEventStream,
  createEventStreamHandler,
  type EventStreamDependencies,
} from "./event-stream-handler.ts";
import { createGraphqlHandler } from "./graphql-handler.ts";
import { addHealthRoutes, type CellStates } from "./health-routes.ts";
import { compressReads } from "./compression.ts";
import { drainRequestBodies } from "./drain-body.ts";
import type { IdempotentRequestRunner } from "./idempotent-requests.ts";
import { parseJsonBody } from "../kernel/json-reader.ts";
import { denied } from "../kernel/refusals.ts";
import { logResponse, reportRequests, toObservedResponse, traceIdOf, type ObservedResponse } from "./request-log.ts";
import type { RequestRateLimit } from "./limits/request-rate-limit.ts";
import { RequestAuthenticator } from "./authentication/request-authenticator.ts";
import { addSecondFactorRoutes } from "./authentication/second-factor-routes.ts";
import type { SessionTokenAuthenticator } from "./authentication/session-token.ts";
import { addSessionRoutes, type PeopleDirectory, type PeoplePlace } from "./authentication/session-routes.ts";
import { addSimulatedGatewayRoutes, type SimulatedGatewayActions } from "./pages/simulated-gateway-pages.ts";
import { traceRequests } from "./request-tracing.ts";
import type { TokenAuthenticator } from "./authentication/secret-token.ts";
import { disconnectSlowReaders, type SlowReaderOptions } from "./limits/slow-readers.ts";
import { sendUnreadable } from "./unreadable-request.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The vendor that the Secret-Token or the session acts for; set on every route that needs one. */
    vendor: VendorRecord | undefined;
    /** The key of the token or the person of the session, with its permissions; set with the vendor. */
    caller: Caller | undefined;
    /** What the key or the person may still send in this minute; undefined without a limit. */
    rate: RemainingRate | undefined;
  }
  interface FastifyInstance {
    /** Under which address the gateway is reached; errors link to their pages there. */
    address: () => string;
    /** Sends the console's page, which says what is wrong with an address that a browser opened. */
    sendConsolePage: ReturnType<typeof createConsolePage>;
  }
  interface FastifyContextConfig {
    /** A route that anyone may call. */
    open?: boolean;
  }
}

const BODY_LIMIT = 1_048_576;

/**
 * Time limit for a request to arrive: slow even for 1 MB. The answer and pauses between two requests are not counted.
 */
const REQUEST_TIMEOUT_MS = 12_000;

/** Answers must not be type-sniffed, or shown in a frame; nor cached, unless their route says otherwise. */
const SAFE_HEADERS = {
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

export interface ServerDependencies {
  apollo: ApolloServer<GatewayContext>;
  tokens: TokenAuthenticator;
  sessionTokens: SessionTokenAuthenticator;
  /** The people of this database, who use the console. */
  people: PeoplePlace;
  /** Finds people at other databases too. Defaults to those of this one. */
  peopleDirectory?: PeopleDirectory | undefined;
  admission: AdmissionControl;
  /** Limits the requests of each key and person. Absent: no limit. */
  rateLimit: RequestRateLimit | undefined;
  idempotency: IdempotentRequestRunner;
  eventStreams: EventStreamDependencies;
  isReady: () => Promise<boolean>;
  /** Whether each cell answers; absent without cells. */
  cellStates?: (() => Promise<CellStates>) | undefined;
  /** Whether the process is about to stop. */
  isDraining: () => boolean;
  /** The time limits for callers to read an answer. */
  slowReaders?: SlowReaderOptions | undefined;
  logger: FastifyBaseLogger;
  /** Counts a response. */
  observeResponse?: ((response: ObservedResponse) => void) | undefined;
  /** Under which address the gateway is reached. */
  address: () => string;
  /** Addresses and networks of proxies whose X-Forwarded-For identifies the client. No other such header counts. */
  trustedProxies: readonly string[];
  /** Adds the REST paths. */
  addRestRoutes: (server: FastifyInstance) => void;
  /** Adds the pages of the checkout. */
  addCheckoutRoutes: (server: FastifyInstance) => void;
  /** The gateways' callbacks, and the pages of the simulated one. */
  payments: { takeCallback: HandleCallback; simulated: SimulatedGatewayActions };
  console: ConsoleOptions;
}

/** The HTTP server over GraphQL, REST and the checkout; it does not listen yet. */
export async function buildServer({
  apollo,
  tokens,
  sessionTokens,
  people,
  peopleDirectory = { placesOf: async () => [people], placeOfToken: async () => people },
  admission,
  rateLimit,
  idempotency,
  eventStreams,
  isReady,
  cellStates,
  isDraining,
  slowReaders,
  logger,
  observeResponse,
  address,
  trustedProxies,
  addRestRoutes,
  addCheckoutRoutes,
  payments,
  console,
}: ServerDependencies): Promise<FastifyInstance> {
  const report = (request: FastifyRequest, reply: FastifyReply) => {
    logResponse(request, reply);
    // The time of a stream is how long its reader wanted it.
    const isStream = String(reply.getHeader("content-type")).startsWith("text/event-stream");
    if (!isStream) observeResponse?.(toObservedResponse(request, reply));
  };
  const server = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "traceId" }),
    genReqId: traceIdOf,
    bodyLimit: BODY_LIMIT,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    forceCloseConnections: "idle",
    // Requests that arrive on an open connection while the server closes are answered, too.
    return503OnClosing: false,
    // No hook runs for these errors, so they are reported here.
    frameworkErrors: (error, request, reply) => {
      sendFailure(error, request, reply);
      report(request, reply);
    },
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 16_384 },
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: REQUEST_TIMEOUT_MS, connectionsCheckingInterval: 1_000 },
    clientErrorHandler: ({ code }, socket) => sendUnreadable(code, socket, logger),
  });
  server.decorateRequest("vendor", undefined);
  server.decorateRequest("caller", undefined);
  server.decorateRequest("rate", undefined);
  server.decorate("address", address);
  const sendConsolePage = createConsolePage(console);
  server.decorate("sendConsolePage", sendConsolePage);
  server.decorateRequest("place", undefined);
  const routes = indexRoutes(server);
  traceRequests(server);
  server.setErrorHandler(sendFailure);
  server.addHook("onSend", async (_request, reply) => {
    void reply.headers(SAFE_HEADERS);
    if (!reply.hasHeader("cache-control")) void reply.header("cache-control", "no-store");
    if (isDraining()) void reply.header("connection", "close");
  });
  closeIdleConnectionsOnShutdown(server);
  drainRequestBodies(server);
  disconnectSlowReaders(server, slowReaders);
  addBodyParsers(server);
  reportRequests(server, report);
  await allowCrossOriginRequests(server);
  await compressReads(server);
  const sendGraphiqlPage = createConsolePage(console, "explorerPage");
  // The page of Sandbox contains the demo's token where the gateway listens on loopback.
  const mayGetSandbox = (request: FastifyRequest) => console.demo === undefined || isFromThisMachine(request);
  refuseForClosedCells(server);
  const authenticator = new RequestAuthenticator({
    tokens,
    sessionTokens,
    people: people.services,
    admission,
    rateLimit,
  });
  server.addHook("onRequest", async (request, reply) => {
    if (request.is404) {
      sendMissingRoute(request, reply, routes);
      // It may still be on its way: nothing else may answer meanwhile.
      return reply;
    }
    if (request.method === "OPTIONS" || request.routeOptions.config.open || opensExplorer(request)) return;
    await authenticator.authenticateAndAdmit(request, reply, requestedRowsOf(request));
  });
  addHealthRoutes(server, isReady, cellStates);
  addErrorPages(server);
  addConsoleRoutes(server, console, sendConsolePage);
  addSessionRoutes(server, { directory: peopleDirectory, admission });
  addSecondFactorRoutes(server, { ...people, admission });
  const handleRequest = createGraphqlHandler(apollo, idempotency);
  const handleEventStream = createEventStreamHandler(eventStreams);
  server.route({
    method: ["GET", "POST"],
    url: "/graphql",
    handler: (request, reply) => {
      if (opensExplorer(request) && (requestsGraphiql(request) || !mayGetSandbox(request)))
        return sendGraphiqlPage(request, reply);
      // Nobody reads the stream of a HEAD request, so that it would never end.
      if (!request.vendor || request.method === "HEAD" || !acceptsOnlyEventStream(request))
        return handleRequest(request, reply);
      const author = request.caller?.author;
      if (author?.kind !== "KEY" || author.sessionId !== undefined)
        throw denied("TOKEN_MISSING", "Send a Secret-Token: a stream of events does not accept a session.");
      return handleEventStream(request, reply);
    },
  });
  addRestRoutes(server);
  addCheckoutRoutes(server);
  addCallbackRoutes(server, payments.takeCallback);
  addSimulatedGatewayRoutes(server, payments.simulated);
  return server;
}

/** The number of rows that a REST list requests; GraphQL documents have their own limits. */
const requestedRowsOf = ({ query }: FastifyRequest): number => Number((query as { size?: unknown }).size) || 0;

/** A browser that opens /graphql gets an explorer; only the operations that it sends need a token. */
const opensExplorer = (request: FastifyRequest): boolean =>
  request.method !== "POST" && /^\/graphql(?:$|\?(?!.*\bquery=))/.test(request.url) && isPageRequest(request);

const requestsGraphiql = ({ query }: FastifyRequest): boolean =>
  (query as { explorer?: unknown }).explorer === "graphiql";

function addBodyParsers(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  // Before a byte of the body is counted, as for a media type that is altogether another.
  server.addHook("preParsing", async (request) => {
    const charset = /charset="?([^";\s]+)/i.exec(request.headers["content-type"] ?? "")?.[1];
    if (charset && !/^utf-?8$/i.test(charset)) throw new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(charset);
  });
  server.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => {
    try {
      done(null, parseJsonBody(body as Buffer));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
}
