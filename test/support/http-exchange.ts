import { request, type IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

/** An answer as it came: no client has added headers to the request, or decompressed the body. */
export interface HttpExchange {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Sends a request with these headers and no others. */
export async function exchange(
  url: string,
  { method = "GET", headers, body }: { method?: string; headers: Record<string, string>; body?: string | undefined },
): Promise<HttpExchange> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (answer) => {
      const { statusCode, headers: received } = answer;
      buffer(answer).then((bytes) => resolve({ status: statusCode!, headers: received, bytes }), reject);
    });
    sent.on("error", reject).end(body);
  });
}

/** The body before it was compressed. */
export function decompress({ headers, bytes }: HttpExchange): string {
  const coding = headers["content-encoding"];
  if (coding === "br") return brotliDecompressSync(bytes).toString();
  return (coding === "gzip" ? gunzipSync(bytes) : bytes).toString();
}
