import { createHmac, randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import type { ReasonClass } from "../../schema/vocabulary.ts";
import { toAmount } from "../../src/kernel/amounts.ts";
import { GuardedGateway } from "../../src/payments/gateways/guarded-gateway.ts";
import type { AdapterAccount, Instrument } from "../../src/payments/gateways/gateway-port.ts";
import { SimulatedGatewayRepository } from "../../src/payments/gateways/simulated/simulated-gateway.repository.ts";
import { SimulatedGateway } from "../../src/payments/gateways/simulated/simulated-gateway.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { startGateway } from "../support/test-gateway.ts";
import { cardInput, testCards } from "../support/test-payments.ts";
import { describeConformance, type GatewayBehaviour } from "./conformance.ts";

const gateway = await startGateway();

const cardsOfDeclines: Partial<Record<ReasonClass, string>> = {
  INSUFFICIENT_FUNDS: "4000000000000515",
  LIMIT_EXCEEDED: "4000000000000614",
  GENERIC_REFUSAL: "4000000000000051",
  TECHNICAL: "4000000000000911",
  SUSPECTED_FRAUD: "4000000000000598",
  RESTRICTED: "4000000000000622",
  FIX_DATA_FIRST: "4000000000000549",
  CUSTOMER_MUST_ACT: "4000000000000556",
  NEVER: "4000000000000416",
  ALREADY_PAID: "4000000000000945",
};
const cardsOfBehaviours = {
  APPROVES: testCards.approved,
  SILENT_AFTER_CHARGE: testCards.silentAfterCharge,
  SILENT: testCards.silent,
  FAILS_AFTER_CHARGE: testCards.failsAfterCharge,
  GARBAGE: testCards.garbage,
};

describeConformance("simulated", async () => {
  const account: AdapterAccount = {
    vendorId: gateway.vendor.id,
    gateway: "HOUSE",
    credentials: null,
    clientKey: null,
    callbackSecret: "a secret",
  };
  const clock = gateway.clock;
  const simulated = new SimulatedGateway(
    new SimulatedGatewayRepository(gateway.database.handle),
    () => Promise.resolve(),
    () => Promise.resolve(account.callbackSecret),
    () => clock.now(),
  );
  const rules = { timeoutMs: 600, faultThreshold: 1_000, initialOpenMs: 1, maxOpenMs: 1 };
  const port = new GuardedGateway(simulated, rules, clock);
  const cardOf = (number: string): Instrument => ({ kind: "CARD", card: cardInput(number) });

  /** A card that the bank confirmed once, so that it is stored; away from its payer it asks again. */
  async function storeConfirmedCard(): Promise<Instrument> {
    const stored = await port.storeMethod(account, {
      ...{ idempotencyKey: randomUUID(), orderReference: "order-0", subject: "order 0", attempt: 1 },
      ...{ amount: toAmount(0), currency: "KRW", method: "CARD", instrument: cardOf(testCards.challenge) },
      ...{ storeInstrument: true, isOffSession: false, returnUrl: null, requestedAt: clock.now() },
    });
    if (stored.kind !== "CHALLENGE") throw new Error("The card does not ask for its payer.");
    await simulated.completePending(stored.reference, true);
    const [charge] = await queryRows<{ token: string }>(
      gateway,
      sql`select token from simulated_charges where reference = ${stored.reference}`,
    );
    return { kind: "TOKEN", token: charge!.token };
  }

  return {
    port,
    account,
    declines: Object.keys(cardsOfDeclines) as ReasonClass[],
    storedInstrument: (behaviour: GatewayBehaviour) =>
      behaviour === "NEEDS_PAYER"
        ? storeConfirmedCard()
        : Promise.resolve(
            cardOf(typeof behaviour === "string" ? cardsOfBehaviours[behaviour] : cardsOfDeclines[behaviour.declines]!),
          ),
    countApproved: async (idempotencyKey) => {
      const rows = await queryRows<{ count: string }>(
        gateway,
        sql`select count(*)::text as count from simulated_charges where idempotency_key = ${idempotencyKey} and status = 'APPROVED'`,
      );
      return Number(rows[0]!.count);
    },
    page: {
      instrument: cardOf(testCards.challenge),
      complete: async (reference) => {
        await simulated.completePending(reference, true);
        return {};
      },
    },
    callbackOf: (idempotencyKey, { secret = account.callbackSecret, ageSeconds = 0 } = {}) => {
      const body = JSON.stringify({ idempotencyKey, status: "APPROVED" });
      const seconds = Math.floor(clock.now().getTime() / 1000) - ageSeconds;
      const signature = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
      const headers = { "x-simulated-signature": `t=${seconds},v1=${signature}` };
      return { headers, body, receivedAt: clock.now() };
    },
  };
});
