import { randomUUID } from "node:crypto";
import { customerBody, createFaultFixture, orderBody, type FaultFixture } from "./fault-client.ts";
import { TOKEN } from "./gateway-process.ts";

/** One kind of request; `turn` varies it. */
type RequestFactory = (shop: FaultFixture, turn: number) => { path: string; init?: RequestInit; isAborted?: boolean };

const postInit = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  headers,
  body: typeof body === "string" ? body : JSON.stringify(body),
});
const graphqlRequest = (query: string, variables: object = {}) => ({
  path: "/graphql",
  init: postInit({ query, variables }),
});

/** A document that is sent again and again, in a few wordings. */
const aliasedField = (turn: number): string => `wording${turn % 20}: name`;

const requestFactories: readonly RequestFactory[] = [
  () => ({ path: "/api/v1/customers?size=20&sort=name" }),
  () => ({ path: "/api/v1/orders?size=10" }),
  () => ({ path: "/api/v1/orders?size=200" }),
  (_shop, turn) => ({ path: `/api/v1/orders/${1 + (turn % 50)}` }),
  (_shop, turn) => graphqlRequest(`{ customers(first: 5) { nodes { ${aliasedField(turn)} email } } }`),
  () =>
    graphqlRequest(
      "query ($first: Int!) { covers(first: $first) { nodes { databaseId state attempts { number } } } }",
      {
        first: 10,
      },
    ),
  () => graphqlRequest("{ __schema { types { name } } }"),
  () =>
    graphqlRequest(
      "mutation ($input: RegisterCoverCustomerInput!) { registerCoverCustomer(input: $input) { customer { databaseId } } }",
      { input: customerBody() },
    ),
  () => ({ path: "/api/v1/cover/customer", init: postInit(customerBody()) }),
  (shop) => ({
    path: "/api/v1/cover/order",
    init: postInit({ ...orderBody(shop), paymentFailed: true, errorCode: "51" }, { "idempotency-key": randomUUID() }),
  }),
  // Wrong requests, and requests whose caller hangs up.
  () => ({ path: "/api/v1/cover/customer", init: postInit("{") }),
  () => ({ path: "/api/v1/cover/customer", init: postInit({ name: "" }) }),
  () => graphqlRequest("{ customers(first: 5000) { nodes { nothing } } }"),
  () => ({ path: "/api/v1/nothing/here" }),
  () => ({ path: "/api/v1/customers", init: { headers: { "secret-token": randomUUID() } } }),
  () => ({ path: "/api/v1/orders?size=100", isAborted: true }),
  () => ({ path: "/api/v1/customers?size=5", init: { headers: { connection: "close" } } }),
  () => ({ path: "/openapi.json" }),
];

/** Concurrent callers. */
const CALLERS = 4;

/** Callers who send every kind of request in turn: reads, writes, wrong ones, and some that hang up. */
export class MixedLoad {
  sentCount = 0;
  /** How often each status was answered; 0 stands for no answer. */
  readonly statuses = new Map<number, number>();

  private constructor(
    private readonly address: string,
    private readonly shop: FaultFixture,
  ) {}

  static async start(address: string): Promise<MixedLoad> {
    return new MixedLoad(address, await createFaultFixture(address));
  }

  /** Sends requests for as long as `goesOn` returns true. */
  async run(shouldContinue: () => boolean): Promise<void> {
    const call = async () => {
      while (shouldContinue()) await this.sendNext(this.sentCount++);
    };
    await Promise.all(Array.from({ length: CALLERS }, call));
  }

  private async sendNext(turn: number): Promise<void> {
    const { path, init = {}, isAborted = false } = requestFactories[turn % requestFactories.length]!(this.shop, turn);
    const headers = { "secret-token": TOKEN, "content-type": "application/json", ...(init.headers as object) };
    const signal = isAborted ? AbortSignal.timeout(5) : AbortSignal.timeout(60_000);
    const status = await fetch(this.address + path, { ...init, headers, signal })
      .then(
        async (answer) => {
          await answer.arrayBuffer();
          return answer.status;
        },
        () => 0,
      )
      .catch(() => 0);
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }
}
