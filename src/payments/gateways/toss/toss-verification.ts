import { randomUUID } from "node:crypto";
import { toAmount } from "../../../kernel/amounts.ts";
import { GatewayChecks, type GatewayCheck } from "../gateway-checks.ts";
import type { AdapterAccount, ChargeRequest, ClosableCharge, GatewayPort, Instrument } from "../gateway-port.ts";

const AMOUNT = "1000";
const RETURN_URL = "https://example.com/return";

/** The gateways of a verification: one as it is, and one whose charges Toss declines on request. */
export interface TossGateways {
  gateway: GatewayPort;
  /** Sends the header with which Toss gives a chosen error in test mode. */
  declining: GatewayPort;
  /** The code that it asks for. */
  declineCode: string;
}

/**
 * Tries what the adapter relies on against Toss Payments in test mode: without a token look-ups and windows only, with the token of a
 * test card charges too. The stand-in of the tests shows what the documentation says; this shows what Toss does.
 */
export async function verifyToss(
  { gateway, declining, declineCode }: TossGateways,
  account: AdapterAccount,
  token: string | undefined,
  now: Date,
): Promise<GatewayCheck[]> {
  const toRequest = (instrument: Instrument, overrides: Partial<ChargeRequest> = {}): ChargeRequest => ({
    idempotencyKey: randomUUID(),
    orderReference: "gateway:verify",
    subject: `gateway:verify ${randomUUID()}`,
    attempt: 1,
    amount: toAmount(AMOUNT),
    currency: "KRW",
    method: "CARD_BILL",
    instrument,
    storeInstrument: false,
    isOffSession: instrument.kind === "TOKEN",
    returnUrl: RETURN_URL,
    requestedAt: now,
    ...overrides,
  });
  const identify = ({ instrument, ...request }: ChargeRequest, reference: string | null = null): ClosableCharge => ({
    idempotencyKey: request.idempotencyKey,
    subject: request.subject,
    amount: request.amount,
    currency: request.currency,
    reference,
    usesStoredMethod: instrument.kind === "TOKEN",
    token: instrument.kind === "TOKEN" ? instrument.token : null,
    pageUrl: RETURN_URL,
  });
  const checks = new GatewayChecks();
  const unknown = toRequest({ kind: "TOKEN", token: "customer/billing-key" });
  await checks.check("an order that was never charged is not found", /"kind":"UNKNOWN"/, () =>
    gateway.lookUpCharge(account, identify(unknown)),
  );
  for (const storeInstrument of [false, true]) {
    const purpose = storeInstrument ? "registers a card" : "takes a payment";
    const request = toRequest({ kind: "NONE" }, { storeInstrument });
    let reference = "";
    await checks.check(`a window that ${purpose} opens`, /"kind":"CHALLENGE"/, async () => {
      const outcome = await gateway.charge(account, request);
      if (outcome.kind === "CHALLENGE") reference = outcome.reference;
      return outcome;
    });
    for (const time of ["is closed", "stays closed"])
      await checks.check(`a window that ${purpose} ${time}`, /"kind":"CLOSED"/, () =>
        gateway.closeCharge(account, identify(request, reference)),
      );
  }
  if (token === undefined) return checks.results;

  const card: Instrument = { kind: "TOKEN", token };
  const approved = toRequest(card);
  let reference = "";
  await checks.check("a billing key is charged", /"kind":"APPROVED"/, async () => {
    const outcome = await gateway.charge(account, approved);
    if (outcome.kind === "APPROVED") reference = outcome.reference;
    return outcome;
  });
  await checks.check("the same key charges once and is answered again", /"kind":"APPROVED"/, async () => {
    const outcome = await gateway.charge(account, approved);
    return outcome.kind === "APPROVED" && outcome.reference !== reference ? { twice: outcome.reference } : outcome;
  });
  await checks.check("a charge is found by its order id", /"kind":"APPROVED"/, () =>
    gateway.lookUpCharge(account, identify(approved)),
  );
  const refund = {
    idempotencyKey: randomUUID(),
    chargeReference: reference,
    amount: toAmount("600"),
    currency: "KRW",
    requestedAt: now,
  };
  await checks.check("a part is refunded", /"kind":"REFUNDED"/, () => gateway.refund(account, refund));
  await checks.check("the refund is found by its key", /"kind":"REFUNDED"/, () =>
    gateway.lookUpRefund(account, refund),
  );
  await checks.check("more than the rest is not refunded", /"kind":"REFUSED"/, () =>
    gateway.refund(account, { ...refund, idempotencyKey: randomUUID() }),
  );
  const declined = toRequest(card);
  await checks.check("a decline has Toss's code", new RegExp(`"kind":"DECLINED".*"code":"${declineCode}"`), () =>
    declining.charge(account, declined),
  );
  await checks.check("a decline is found again", new RegExp(`"kind":"DECLINED".*"code":"${declineCode}"`), () =>
    gateway.closeCharge(account, identify(declined)),
  );
  const closed = toRequest(card);
  await checks.check("a key that was not charged is closed", /"kind":"CLOSED"/, () =>
    gateway.closeCharge(account, identify(closed)),
  );
  await checks.check("a closed key charges nothing later", /"kind":"DECLINED"|"fault":/, () =>
    gateway.charge(account, closed),
  );
  return checks.results;
}
