import { randomUUID } from "node:crypto";
import type Stripe from "stripe";
import { toAmount } from "../../../kernel/amounts.ts";
import { GatewayChecks, type GatewayCheck } from "../gateway-checks.ts";
import type { AdapterAccount, ChargeRequest, GatewayPort } from "../gateway-port.ts";

const AMOUNT = "12.34";
const CURRENCY = "USD";

/** Stripe's own test cards: https://docs.stripe.com/testing. */
const testCards = {
  approved: "pm_card_visa",
  declined: "pm_card_chargeCustomerFail",
  needsPayer: "pm_card_authenticationRequired",
};

/**
 * Tries what the adapter relies on against Stripe in test mode. The stand-in of the tests shows what the documentation
 * says; this shows what Stripe does.
 */
export async function verifyStripe(
  gateway: GatewayPort,
  stripe: Stripe,
  account: AdapterAccount,
  now: Date,
): Promise<GatewayCheck[]> {
  const store = async (card: string) => {
    const { id: customer } = await stripe.customers.create({ description: "Recoup gateway:verify" });
    return `${customer}/${(await stripe.paymentMethods.attach(card, { customer })).id}`;
  };
  const toRequest = (token: string | null, overrides: Partial<ChargeRequest> = {}): ChargeRequest => ({
    idempotencyKey: randomUUID(),
    orderReference: "gateway:verify",
    subject: `gateway:verify ${randomUUID()}`,
    attempt: 1,
    amount: toAmount(AMOUNT),
    currency: CURRENCY,
    method: "CARD",
    instrument: token === null ? { kind: "NONE" } : { kind: "TOKEN", token },
    storeInstrument: token === null,
    isOffSession: token !== null,
    returnUrl: "https://example.com/return",
    requestedAt: now,
    ...overrides,
  });
  const identify = (request: ChargeRequest, reference: string | null = null) => ({
    idempotencyKey: request.idempotencyKey,
    reference,
    subject: request.subject,
    token: request.instrument.kind === "TOKEN" ? request.instrument.token : null,
    amount: request.amount,
    currency: request.currency,
    usesStoredMethod: request.instrument.kind === "TOKEN",
    pageUrl: null,
  });
  const checks = new GatewayChecks();
  const check = checks.check.bind(checks);

  const approved = toRequest(await store(testCards.approved));
  await check("a stored card is charged off-session", /"kind":"APPROVED","reference":"pi_/, () =>
    gateway.charge(account, approved),
  );
  await check("the same key charges once and is answered again", /"kind":"APPROVED"/, () =>
    gateway.charge(account, approved),
  );
  let reference = "";
  await check("a new charge is found by its key alone", /"kind":"APPROVED","reference":"pi_/, async () => {
    const outcome = await gateway.lookUpCharge(account, identify(approved));
    if (outcome.kind === "APPROVED") reference = outcome.reference;
    return outcome;
  });
  const refund = {
    idempotencyKey: randomUUID(),
    chargeReference: reference,
    amount: toAmount("10.00"),
    currency: CURRENCY,
    requestedAt: now,
  };
  await check("a part is refunded", /"kind":"REFUNDED"/, () => gateway.refund(account, refund));
  await check("the refund is found by its key", /"kind":"REFUNDED"/, () => gateway.lookUpRefund(account, refund));
  await check("more than the rest is not refunded", /"kind":"REFUSED"/, () =>
    gateway.refund(account, { ...refund, idempotencyKey: randomUUID() }),
  );
  const declined = toRequest(await store(testCards.declined));
  await check("a decline has a code", /"kind":"DECLINED".*"code":"\w/, () => gateway.charge(account, declined));
  const needsPayer = toRequest(await store(testCards.needsPayer));
  await check("a bank that asks for the absent payer declines", /"code":"authentication_required"/, () =>
    gateway.charge(account, needsPayer),
  );
  const closed = toRequest(await store(testCards.approved));
  await check("a key that was not charged is closed", /"kind":"CLOSED"/, () =>
    gateway.closeCharge(account, identify(closed)),
  );
  await check("a closed key charges nothing later", /"fault":/, () => gateway.charge(account, closed));
  const page = toRequest(null);
  await check("the card page opens", /"kind":"CHALLENGE".*"url":"https:/, async () => {
    const outcome = await gateway.charge(account, page);
    if (outcome.kind === "CHALLENGE") reference = outcome.reference;
    return outcome;
  });
  await check("the card page is closed", /"kind":"CLOSED"/, () =>
    gateway.closeCharge(account, identify(page, reference)),
  );
  const setup = toRequest(null, { amount: toAmount(0) });
  await check("the page that stores a card opens", /"kind":"CHALLENGE"/, () => gateway.storeMethod(account, setup));
  await check("the page that stores a card is found by its key and closed", /"kind":"CLOSED"/, () =>
    gateway.closeCharge(account, identify(setup)),
  );
  return checks.results;
}
