import postgres, { type Sql } from "postgres";
import { afterAll, expect } from "vitest";
import { refusalCodes } from "../../src/kernel/refusal-codes.ts";
import type { TestGateway } from "../support/test-gateway.ts";
import { rowsOf } from "./query-rows.ts";

/** A request as it goes to the server. */
export interface Sent {
  method: "GET" | "POST" | "PUT" | "PATCH";
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** What came of a request: whether it was refused, and why. */
interface Outcome {
  refused: boolean;
  code?: string;
}

/** Codes that say that the fault was ours. */
const OURS = ["INTERNAL_ERROR", "UNAVAILABLE"];

const isTrace = (value: unknown) => typeof value === "string" && /^[0-9a-f]{32}$/.test(value);
const isCode = (value: unknown) => Object.hasOwn(refusalCodes, String(value)) && !OURS.includes(String(value));
const onlyHas = (value: object, names: readonly string[]) => Object.keys(value).every((name) => names.includes(name));

/** What is wrong with an error in the body of a REST answer; nothing, if it is as promised. */
function faultsOfError(error: any): string[] {
  const faults: string[] = [];
  if (!onlyHas(error, ["errorCode", "traceId", "errorMessage", "details"])) faults.push("has other fields");
  if (!isCode(error.errorCode)) faults.push(`has the code ${error.errorCode}`);
  if (!isTrace(error.traceId)) faults.push("has no traceId");
  if (typeof error.errorMessage !== "string" || error.errorMessage.trim() === "") faults.push("has no sentence");
  if (!error.details?.docUrl?.endsWith(error.errorCode)) faults.push("has no page");
  if (!error.details?.hint) faults.push("says not what to do");
  return faults;
}

function faultsOfGraphQLError({ message, extensions = {} }: any): string[] {
  const faults: string[] = [];
  if (!onlyHas(extensions, ["code", "traceId", "docUrl", "details"])) faults.push("has other extensions");
  if (!isCode(extensions.code)) faults.push(`has the code ${extensions.code}`);
  if (!isTrace(extensions.traceId)) faults.push("has no traceId");
  if (typeof message !== "string" || message === "") faults.push("has no sentence");
  if (!extensions.docUrl?.endsWith(extensions.code)) faults.push("has no page");
  if (!extensions.details?.hint) faults.push("says not what to do");
  return faults;
}

/** Sends requests and judges the answers: a refusal in the promised shape, never a failure of ours, and nothing half-written. */
export class Judge {
  private constructor(
    private readonly gateway: TestGateway,
    private readonly session: Sql,
    private readonly counts: string,
    private counted: string,
  ) {}

  static async of(gateway: TestGateway): Promise<Judge> {
    const tables = await rowsOf<{ name: string }>(
      gateway,
      `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
    );
    // An answer that is kept under an idempotency key is no part of what was to be done.
    const names = tables.map(({ name }) => name).filter((name) => name !== "idempotency_keys");
    expect(names).toContain("cover_orders");
    const session = postgres(gateway.databaseUrl, { max: 1 });
    afterAll(() => session.end());
    const judge = new Judge(
      gateway,
      session,
      `select ${names.map((name) => `(select count(*) from ${name})`).join(` || ' ' || `)} as counts`,
      "",
    );
    await judge.changes();
    return judge;
  }

  /** Sends a request; any answer that is not as promised fails the test with its words. */
  async send({ method, url, headers, body }: Sent): Promise<Outcome> {
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
    const told = `${response.statusCode} ${response.body.slice(0, 300)}`;
    if (response.statusCode >= 500) throw new Error(`A failure of ours: ${told}`);
    if (response.statusCode === 302) return this.judgeRedirect(response.headers.location, response.body, told);
    const type = String(response.headers["content-type"]);
    if (!/^application\/(?:graphql-response\+)?json; charset=utf-8$/.test(type))
      throw new Error(`An answer of the type ${type}: ${told}`);
    const answer = JSON.parse(response.body);
    const outcome = url.startsWith("/graphql") ? judgeGraphQL(answer) : judgeRest(response.statusCode, answer);
    if (outcome.faults.length > 0) throw new Error(`The error ${outcome.faults.join(", ")}: ${told}`);
    const changed = await this.changes();
    if (outcome.refused && changed) throw new Error(`Rows were written, yet the answer was ${told}`);
    return outcome;
  }

  /** A redirect leads to a page of ours, whatever was asked, and has changed nothing. */
  private async judgeRedirect(location: string | undefined, body: string, told: string): Promise<Outcome> {
    if (!/^\/checkout\/[\w-]+[.][\w-]{43}$/.test(location ?? "") || body !== "")
      throw new Error(`A redirect to ${location ?? "nowhere"}: ${told}`);
    if (await this.changes()) throw new Error(`Rows were written by a redirect: ${told}`);
    return { refused: false };
  }

  /** Whether the number of rows of any table has changed since it was last asked. */
  private async changes(): Promise<boolean> {
    const { session, counts } = this;
    // A prepared statement, because planning the counts of 60 tables takes 10 ms and executing them 1 ms.
    const [row] = await session<{ counts: string }[]>`${session.unsafe(counts)}`;
    const changed = row!.counts !== this.counted;
    this.counted = row!.counts;
    return changed;
  }
}

type Judgement = Outcome & { faults: string[] };

function judgeRest(status: number, answer: any): Judgement {
  if (status < 400) return { refused: false, faults: [] };
  return { refused: true, code: answer.errorCode, faults: faultsOfError(answer) };
}

/** A request of several mutations may be refused in part; one that has no data is refused as a whole. */
function judgeGraphQL({ data, errors }: any): Judgement {
  if (!errors) return { refused: false, faults: data === undefined ? ["is no answer"] : [] };
  return { refused: data == null, code: errors[0].extensions?.code, faults: errors.flatMap(faultsOfGraphQLError) };
}
