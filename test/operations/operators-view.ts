import { expect } from "vitest";
import { TOKEN, type GatewayProcess } from "../faults/harness/gateway-process.ts";

/** The lines that a process logged, in order. */
export const logLinesOf = (process: GatewayProcess): Record<string, unknown>[] =>
  process.output
    .split("\n")
    .filter((line) => line.startsWith("{") && line.endsWith("}"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const operationsUrl = (process: GatewayProcess, path: string): string =>
  `http://127.0.0.1:${String(logLinesOf(process).find(({ msg }) => msg === "metrics can be read")!["port"])}${path}`;

/** The status of a path on the port of the metrics. */
export const statusOf = async (process: GatewayProcess, path: string) =>
  (await fetch(operationsUrl(process, path))).status;

/** The series of a scrape by name and labels. */
export async function scrape(process: GatewayProcess): Promise<Map<string, number>> {
  const answer = await fetch(operationsUrl(process, "/metrics"));
  expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0[.]0[.]4/);
  const lines = (await answer.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

/** Sends an operation with the demo's token. */
export const postGraphql = (gateway: GatewayProcess, query: string, variables: object = {}) =>
  fetch(`${gateway.address}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", "secret-token": TOKEN },
    body: JSON.stringify({ query, variables }),
  });
