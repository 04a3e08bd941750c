import postgres, { type Sql } from "postgres";
import { afterAll, expect } from "vitest";
import { refusalCodes } from "../../src/kernel/refusal-codes.ts";
import type { RawData } from "../support/raw-data.ts";
import type { TestGateway } from "../support/test-gateway.ts";
import { queryRows } from "./query-rows.ts";

/** A request as it goes to the server. */
export interface HttpRequest {
  method: "GET" | "POST" | "PUT" | "PATCH";
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** The result of a request: whether it was refused, and why. */
interface ResponseOutcome {
  refused: boolean;
  code?: string;
}

/** Codes that mean a server error. */
const SERVER_ERROR_CODES = ["INTERNAL_ERROR", "UNAVAILABLE"];

const isTraceId = (value: unknown) => typeof value === "string" && /^[0-9a-f]{32}$/.test(value);
const isPublicErrorCode = (value: unknown) =>
  Object.hasOwn(refusalCodes, String(value)) && !SERVER_ERROR_CODES.includes(String(value));
const hasOnlyKeys = (value: object, names: readonly string[]) =>
  Object.keys(value).every((name) => names.includes(name));

/** What is wrong with an error in the body of a REST answer; nothing if it is as documented. */
function restErrorProblems(error: RawData): string[] {
  const problems: string[] = [];
  if (!hasOnlyKeys(error, ["errorCode", "traceId", "errorMessage", "details"])) problems.push("has other fields");
  if (!isPublicErrorCode(error.errorCode)) problems.push(`has the code ${error.errorCode}`);
  if (!isTraceId(error.traceId)) problems.push("has no traceId");
  if (typeof error.errorMessage !== "string" || error.errorMessage.trim() === "") problems.push("has no sentence");
  if (!error.details?.docUrl?.endsWith(error.errorCode)) problems.push("has no page");
  if (!error.details?.hint) problems.push("says not what to do");
  return problems;
}

function graphqlErrorProblems({ message, extensions = {} }: RawData): string[] {
  const problems: string[] = [];
  if (!hasOnlyKeys(extensions, ["code", "traceId", "docUrl", "details"])) problems.push("has other extensions");
  if (!isPublicErrorCode(extensions.code)) problems.push(`has the code ${extensions.code}`);
  if (!isTraceId(extensions.traceId)) problems.push("has no traceId");
  if (typeof message !== "string" || message === "") problems.push("has no sentence");
  if (!extensions.docUrl?.endsWith(extensions.code)) problems.push("has no page");
  if (!extensions.details?.hint) problems.push("says not what to do");
  return problems;
}

/**
 * Sends requests and checks the answers: each refusal has the documented format, no request causes a server error, and
 * nothing is half-written.
 */
export class ResponseChecker {
  private constructor(
    private readonly gateway: TestGateway,
    private readonly session: Sql,
    private readonly countQuery: string,
    private lastCounts: string,
  ) {}

  static async create(gateway: TestGateway): Promise<ResponseChecker> {
    const tables = await queryRows<{ name: string }>(
      gateway,
      `select table_name as name from information_schema.tables where table_schema = current_schema() order by 1`,
    );
    // An answer that is saved under an idempotency key is no part of the request's effect.
    const names = tables.map(({ name }) => name).filter((name) => name !== "idempotency_keys");
    expect(names).toContain("cover_orders");
    const session = postgres(gateway.databaseUrl, { max: 1 });
    afterAll(() => session.end());
    const judge = new ResponseChecker(
      gateway,
      session,
      `select ${names.map((name) => `(select count(*) from ${name})`).join(` || ' ' || `)} as counts`,
      "",
    );
    await judge.hasRowCountChanged();
    return judge;
  }

  /** Sends a request; any answer that is not as documented fails the test with its text. */
  async sendAndCheck({ method, url, headers, body }: HttpRequest): Promise<ResponseOutcome> {
    const response = await this.gateway.gateway.server.inject({
      method,
      url,
      headers: {
        "secret-token": this.gateway.vendor.token,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { payload: body }),
    });
    const summary = `${response.statusCode} ${response.body.slice(0, 300)}`;
    if (response.statusCode >= 500) throw new Error(`A failure of ours: ${summary}`);
    if (response.statusCode === 302) return this.checkRedirect(response.headers.location, response.body, summary);
    const type = String(response.headers["content-type"]);
    if (!/^application\/(?:graphql-response\+)?json; charset=utf-8$/.test(type))
      throw new Error(`An answer of the type ${type}: ${summary}`);
    const answer = JSON.parse(response.body);
    const outcome = url.startsWith("/graphql")
      ? checkGraphQLResponse(answer)
      : checkRestResponse(response.statusCode, answer);
    if (outcome.faults.length > 0) throw new Error(`The error ${outcome.faults.join(", ")}: ${summary}`);
    const changed = await this.hasRowCountChanged();
    if (outcome.refused && changed) throw new Error(`Rows were written, yet the answer was ${summary}`);
    return outcome;
  }

  /** A redirect leads to a page of the gateway, whatever was requested, and has changed nothing. */
  private async checkRedirect(location: string | undefined, body: string, told: string): Promise<ResponseOutcome> {
    if (!/^\/checkout\/[\w-]+[.][\w-]{43}$/.test(location ?? "") || body !== "")
      throw new Error(`A redirect to ${location ?? "nowhere"}: ${told}`);
    if (await this.hasRowCountChanged()) throw new Error(`Rows were written by a redirect: ${told}`);
    return { refused: false };
  }

  /** Whether the number of rows of any table has changed since the last call. */
  private async hasRowCountChanged(): Promise<boolean> {
    const { session, countQuery } = this;
    // A prepared statement, because planning the counts of 60 tables takes 10 ms and executing them 1 ms.
    const [row] = await session<{ counts: string }[]>`${session.unsafe(countQuery)}`;
    const changed = row!.counts !== this.lastCounts;
    this.lastCounts = row!.counts;
    return changed;
  }
}

type CheckedOutcome = ResponseOutcome & { faults: string[] };

function checkRestResponse(status: number, answer: RawData): CheckedOutcome {
  if (status < 400) return { refused: false, faults: [] };
  return { refused: true, code: answer.errorCode, faults: restErrorProblems(answer) };
}

/** A request of several mutations may be refused in part; one that has no data is refused as a whole. */
function checkGraphQLResponse({ data, errors }: RawData): CheckedOutcome {
  if (!errors) return { refused: false, faults: data === undefined ? ["is no answer"] : [] };
  return { refused: data == null, code: errors[0].extensions?.code, faults: errors.flatMap(graphqlErrorProblems) };
}
