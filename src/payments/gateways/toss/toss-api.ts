import { z } from "zod";
import { GatewayFault, type AdapterAccount } from "../gateway-port.ts";
import { toFault, TossError } from "./toss-errors.ts";

/** A request of Toss's interface. */
interface TossRequest {
  path: string;
  /** The body of a POST; a request without a body is a GET. */
  body?: object;
  idempotencyKey?: string;
}

const errorSchema = z.object({ code: z.string().min(1), message: z.string().catch("") });

/**
 * Sends requests to Toss's interface, each once. The secret key is the user name of the Basic authentication, without a
 * password (https://docs.tosspayments.com/reference/using-api/authorization).
 */
export class TossApi {
  constructor(
    private readonly apiUrl: string,
    private readonly timeoutMs: number,
  ) {}

  /** @throws a TossError for an error that Toss answered, a GatewayFault without a readable answer. */
  async send<T>(
    { credentials }: AdapterAccount,
    schema: z.ZodType<T>,
    { path, body, idempotencyKey }: TossRequest,
  ): Promise<T> {
    if (credentials === null) throw new GatewayFault("NOT_SENT", "The account has no credentials; configure them.");
    const response = await fetch(`${this.apiUrl}${path}`, {
      method: body ? "POST" : "GET",
      headers: {
        authorization: `Basic ${Buffer.from(`${credentials}:`).toString("base64")}`,
        ...(body && { "content-type": "application/json" }),
        ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: "error",
      signal: AbortSignal.timeout(this.timeoutMs),
    }).catch((error: unknown) => Promise.reject(toFault(error)));
    const answer: unknown = await response.json().catch(() => undefined);
    if (response.ok) {
      const parsed = schema.safeParse(answer);
      if (parsed.success) return parsed.data;
      throw new GatewayFault("UNKNOWN", "The gateway's answer cannot be parsed.");
    }
    const error = errorSchema.safeParse(answer);
    if (!error.success) throw new GatewayFault("UNKNOWN", `The gateway answered with status ${response.status}.`);
    throw new TossError(response.status, error.data.code, error.data.message);
  }
}
