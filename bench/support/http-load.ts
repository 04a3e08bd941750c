import autocannon from "autocannon";

/** The results of a period of load. */
export interface LoadResult {
  perSecond: number;
  p50: number;
  p99: number;
  failed: number;
}

/** Sends requests over some connections for some seconds; each body is made when it is sent, and headers that a function makes. */
export async function runLoad(
  url: string,
  method: "GET" | "POST",
  headers: Record<string, string> | (() => Record<string, string>),
  bodyOf: () => string,
  { seconds, connections }: { seconds: number; connections: number },
): Promise<LoadResult> {
  const headersOf = typeof headers === "function" ? headers : () => headers;
  const result = await autocannon({
    url,
    method,
    duration: seconds,
    connections,
    requests: [
      {
        setupRequest: (request) => ({
          ...request,
          headers: { "content-type": "application/json", ...headersOf() },
          body: bodyOf(),
        }),
      },
    ],
  });
  return {
    perSecond: result["2xx"] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors,
  };
}

/** The median of some figures. */
export const median = (figures: number[]): number => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]!;
