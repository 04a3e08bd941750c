import * as http from "node:http";
import * as https from "node:https";
import type { LookupFunction } from "node:net";
import { HostNotResolved, resolveHost } from "./host-resolver.ts";
import { destinationError, isAddressAllowed, type DestinationRules } from "./webhook.destination.ts";

/** A message to send. */
export interface WebhookMessage {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  rules: DestinationRules;
}

/** The receiver's answer, or the reason why there is none. */
export interface WebhookAnswer {
  status: number | null;
  error: string | null;
  response: string | null;
}

const TIMEOUT_MS = 15_000;
const MAX_RESPONSE_BYTES = 1_024;
const MAX_HEADER_BYTES = 8_192;
/** Interim answers (1xx) before the final one. A receiver could send them without end. */
const MAX_INTERIM_ANSWERS = 10;

/** An address that the rules do not allow. */
class DestinationRefused extends Error {}

/** An answer that is none to a webhook. */
class AnswerRefused extends Error {}

/**
 * Sends a message, once. A connection serves one message, because its address is checked when it is made: the one that
 * was checked is the one that is used. Redirects are not followed, and proxies of the environment are not used.
 * @throws only if the signal aborts.
 */
export async function sendWebhook(message: WebhookMessage, signal: AbortSignal): Promise<WebhookAnswer> {
  signal.throwIfAborted();
  // `AbortSignal.any` would leave a reference at the signal of the process for each message.
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, TIMEOUT_MS);
  signal.addEventListener("abort", end);
  try {
    const url = new URL(message.url);
    const refusal = destinationError(message.url, message.rules);
    if (refusal !== undefined) throw new DestinationRefused(`The URL ${refusal}`);
    const { status, response } = await post(url, message, ending.signal);
    return { status, response, error: errorOfStatus(status) };
  } catch (error) {
    signal.throwIfAborted();
    const hasTimedOut = ending.signal.aborted;
    const reason = hasTimedOut ? `There was no answer within ${TIMEOUT_MS / 1000} seconds.` : describe(error);
    return { status: null, response: null, error: reason };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}

function post(url: URL, { headers, body, rules }: WebhookMessage, signal: AbortSignal) {
  return new Promise<{ status: number; response: string }>((resolve, reject) => {
    const request = (url.protocol === "https:" ? https : http).request(url, {
      method: "POST",
      agent: false,
      lookup: guardedLookup(rules),
      maxHeaderSize: MAX_HEADER_BYTES,
      signal,
      headers: {
        ...headers,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        "user-agent": "Recoup-Webhooks/1",
      },
    });
    let interimAnswers = 0;
    const refuse = (sentence: string) => request.destroy(new AnswerRefused(sentence));
    request.on("error", reject);
    request.on("information", () => {
      if (++interimAnswers > MAX_INTERIM_ANSWERS) refuse("There was no final answer, only interim ones (1xx).");
    });
    request.on("upgrade", (_, socket) => {
      socket.destroy();
      reject(new AnswerRefused("The answer asks for another protocol."));
    });
    request.on("response", (answer) => {
      const status = answer.statusCode ?? 0;
      const chunks: Buffer[] = [];
      let length = 0;
      const finish = () => {
        request.destroy();
        resolve({ status, response: toText(Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES)) });
      };
      answer.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length >= MAX_RESPONSE_BYTES) finish();
      });
      answer.on("end", finish);
      answer.on("error", reject);
    });
    request.end(body);
  });
}

/** Resolves a name, and refuses the connection if the rules do not allow one of its addresses. */
const guardedLookup =
  (rules: DestinationRules): LookupFunction =>
  (hostname, options, callback) => {
    resolveHost(hostname, rules).then(
      (addresses) => {
        const [first] = addresses;
        if (!first || addresses.some(({ address }) => !isAddressAllowed(address, rules)))
          return callback(
            new DestinationRefused("The host has an address that is not allowed: it must be public."),
            [],
          );
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error as Error, []),
    );
  };

/** An answer's bytes as text that a database takes. */
const toText = (bytes: Buffer): string => bytes.toString("utf8").replaceAll("\0", "\uFFFD");

function errorOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `The answer has the status ${status}. Redirects are not followed: use the final URL for the endpoint.`;
  return `The answer has the status ${status}; a status of 200 to 299 confirms the event.`;
}

const ERRORS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The connection was refused.",
  ECONNRESET: "The connection was closed before there was an answer.",
  HPE_HEADER_OVERFLOW: "The headers of the answer are too long.",
};

function describe(error: unknown): string {
  const { message, code, errors } = error as NodeJS.ErrnoException & { errors?: unknown[] };
  if ([DestinationRefused, AnswerRefused, HostNotResolved].some((known) => error instanceof known)) return message;
  // Several addresses were tried: the first one's error stands for all.
  if (errors?.[0] !== undefined) return describe(errors[0]);
  return ERRORS[code ?? ""] ?? `The connection failed (${code ?? "no code"}).`;
}
