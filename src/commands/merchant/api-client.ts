import type { ArgsDef } from "citty";
import { parseUrl } from "../../kernel/parsed-url.ts";
import type { ArgumentErrors } from "../argument-errors.ts";
import { UnreachableError } from "../command.ts";

/** The options of every command that calls the API. */
export const apiOptions = {
  url: {
    type: "string",
    valueHint: "address",
    description: "Address of the gateway. Defaults to RECOUP_URL, then http://127.0.0.1:4000",
  },
  token: {
    type: "string",
    valueHint: "token",
    description: "Secret-Token. Defaults to RECOUP_TOKEN; on this machine then to the token of the demo vendor",
  },
} as const satisfies ArgsDef;

const DEFAULT_URL = "http://127.0.0.1:4000";
const DEMO_TOKEN = "demo-secret-token";

/** What the API refused. */
export class ApiRefusal extends Error {}

/** A caller of a gateway's public API, as a merchant's own program is one. */
export class ApiClient {
  constructor(
    readonly url: string,
    readonly token: string,
  ) {}

  /** Runs an operation. @throws an ApiRefusal with the sentences and codes of what was refused. */
  async run<Data>(query: string, variables: object = {}): Promise<Data> {
    const answer = await this.post(query, variables);
    const body = (await answer.json().catch(() => ({}))) as {
      data?: Data | null;
      errors?: { message: string; extensions?: { code?: string } }[];
    };
    const { data, errors } = body;
    if (errors)
      throw new ApiRefusal(
        errors.map(({ message, extensions }) => `${message} (${extensions?.code ?? "no code"})`).join("\n"),
      );
    if (data == null) throw new ApiRefusal(`${this.url} answered ${answer.status} and no result: is it Recoup?`);
    return data;
  }

  private async post(query: string, variables: object): Promise<Response> {
    try {
      return await fetch(`${this.url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json", "secret-token": this.token },
        body: JSON.stringify({ query, variables }),
      });
    } catch (cause) {
      throw new UnreachableError(`No gateway answers at ${this.url}. Start one with recoup start, or set --url.`, {
        cause,
      });
    }
  }
}

/** The client that the options or the environment name. */
export function readApiClient(
  { url, token }: { url?: string | undefined; token?: string | undefined },
  errors: ArgumentErrors,
): ApiClient {
  const address = parseUrl(url ?? process.env["RECOUP_URL"] ?? DEFAULT_URL);
  const isAddress = address !== undefined && /^https?:$/.test(address.protocol);
  errors.check(isAddress, "--url must be an http or https address.");
  const isLocal = isAddress && /^(?:localhost|127(?:[.]\d+){3}|\[::1\])$/.test(address.hostname);
  const secret =
    token ?? process.env["RECOUP_TOKEN"] ?? (isLocal ? (process.env["DEMO_SECRET_TOKEN"] ?? DEMO_TOKEN) : "");
  errors.check(/^[\x21-\x7e]+$/.test(secret), "--token is missing: the Secret-Token of the vendor.");
  return new ApiClient(address?.href.replace(/\/+$/, "") ?? "", secret);
}
