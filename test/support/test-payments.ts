import { sql } from "drizzle-orm";
import { queryRows } from "../hostile/query-rows.ts";
import type { Payload, Selected, SelectionOf } from "./answers.ts";
import type { GraphQLResponse, RequestOptions, TestGateway } from "./test-gateway.ts";
import { TestCatalogue } from "./test-catalogue.ts";
import { TestMutations } from "./test-mutations.ts";
import { uniqueName } from "./fixtures/cover-fixture.ts";

/** Test cards of the simulated gateway. */
export const testCards = {
  approved: "4242424242424242",
  insufficientFunds: "4000000000000515",
  lost: "4000000000000416",
  challenge: "4000000000030009",
  slow: "4000000000040016",
  silentAfterCharge: "4000000000040024",
  silent: "4000000000040032",
  fails: "4000000000050015",
  failsAfterCharge: "4000000000050023",
  garbage: "4000000000050031",
  down: "4000000000050049",
  callbackFirst: "4000000000060014",
  callbackTwice: "4000000000060022",
  callbackLate: "4000000000060030",
  callbackDisordered: "4000000000060048",
  notStored: "4000000000080004",
  recoversOnThirdRetry: "4000000000070039",
  neverAgain: "4000000000070518",
  lostLater: "4000000000070419",
};

/** A card as a payer types it. */
export const cardInput = (number: string) => ({ number, expiryMonth: 12, expiryYear: 2031 });

const NEW_ORDER = "order { databaseId idKey amount items { databaseId } }";

const PAYMENT_SELECTION = `order { databaseId paidAmount returnedAmount leftAmount paymentDate paymentMethod items { databaseId status paidAmount returnedAmount }
  payment { databaseId state errorCode } } payment { databaseId state errorCode adviceCode errorMessage cardNumber network
  challengeUrl vbank { bankName accountNumber accountName bankDate } amount paymentReturn gatewayReference storedMethod { databaseId paymentInfo paymentMethod } }`;

/** The result of a payment. */
type PaymentResult = Payload<"payOrder", typeof PAYMENT_SELECTION>;

/** A charge in the books of the simulated gateway. */
export interface RecordedCharge {
  idempotency_key: string;
  reference: string;
  status: string;
  amount: string;
  token: string | null;
}

/** A merchant with a simulated gateway, a customer, and orders to pay. */
export class TestPayments extends TestMutations {
  customerId = 0;

  /** The payments of a merchant that already exists, at another gateway. */
  static forVendor(gateway: TestGateway, options: RequestOptions): TestPayments {
    return new TestPayments(gateway, options);
  }

  static async start(gateway: TestGateway, options?: RequestOptions): Promise<TestPayments> {
    const payments = new TestPayments(gateway, options);
    await payments.runMutation("configurePaymentGateway", { paymentGateway: "HOUSE" }, "account { databaseId }");
    payments.customerId = await payments.createCustomer();
    return payments;
  }

  async createCustomer(): Promise<number> {
    const input = { name: "Kim Seo-yeon", email: "seoyeon@example.com", phone: "010-1234-5678" };
    return (await this.runMutation("createCustomer", input, "customer { databaseId }")).customer.databaseId;
  }

  /** An order of a new product at a price; `plan` and `product` add fields to the input. */
  async createOrder(
    price = "18900",
    overrides: { product?: object; plan?: object; order?: object } = {},
  ): Promise<Selected<"CreateOrderPayload", typeof NEW_ORDER>["order"]> {
    const catalogue = new TestCatalogue(this.gateway, this.options);
    const product = await catalogue.createProduct({
      type: "SOFTWARE",
      name: uniqueName("Journal"),
      ...overrides.product,
    });
    const plan = await catalogue.createPlan(product.databaseId, { price, ...overrides.plan });
    const items = [{ productCode: product.code, priceCode: plan.code }];
    const input = { customerId: String(this.customerId), items, ...overrides.order };
    return (await this.runMutation("createOrder", input, NEW_ORDER)).order;
  }

  /** Pays by a card, or by the given method. */
  sendPayOrder(
    orderId: number,
    payment: object | string = testCards.approved,
    headers?: Record<string, string>,
  ): Promise<GraphQLResponse<{ payOrder: PaymentResult }>> {
    const paymentInput = typeof payment === "string" ? { method: "CARD", card: cardInput(payment) } : payment;
    return this.sendMutation("payOrder", { orderId: String(orderId), ...paymentInput }, PAYMENT_SELECTION, headers);
  }

  /** The result of a payment that was not refused. */
  async payOrder(orderId: number, how?: object | string): Promise<PaymentResult> {
    const { data, errors } = await this.sendPayOrder(orderId, how);
    if (errors) throw new Error(`payOrder failed: ${JSON.stringify(errors)}`);
    return data!.payOrder;
  }

  async readOrder<S extends SelectionOf<"Order">>(orderId: number, selection: S): Promise<Selected<"Order", S>> {
    const query = `query ($id: ID!) { order(id: $id) { ${selection} } }`;
    return (await this.gateway.queryRawData(query, { id: String(orderId) }, this.options)).order;
  }

  /** The simulated gateway's books for an order. */
  simulatedCharges(idKey: string): Promise<RecordedCharge[]> {
    return queryRows<RecordedCharge>(
      this.gateway,
      sql`select idempotency_key, reference, status, trim_scale(amount)::text as amount, token from simulated_charges
        where order_reference = ${idKey} order by created_at, reference`,
    );
  }

  /** How often an order was really charged. */
  async countApprovedCharges(idKey: string): Promise<number> {
    return (await this.simulatedCharges(idKey)).filter(({ status }) => status === "APPROVED").length;
  }

  /** The accounts of the ledger of an order. */
  async ledgerOf(orderId: number): Promise<Record<string, number>> {
    const rows = await queryRows<{ account: string; sum: string }>(
      this.gateway,
      sql`select account, sum(amount)::text as sum from ledger_entries where order_id = ${orderId}::bigint group by account`,
    );
    return Object.fromEntries(rows.map(({ account, sum }) => [account, Number(sum)]));
  }
}
