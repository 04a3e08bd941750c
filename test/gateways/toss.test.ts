import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import type { ReasonClass } from "../../schema/vocabulary.ts";
import { toAmount } from "../../src/kernel/amounts.ts";
import type {
  AdapterAccount,
  ChargeRequest,
  ClosableCharge,
  Instrument,
} from "../../src/payments/gateways/gateway-port.ts";
import { GuardedGateway } from "../../src/payments/gateways/guarded-gateway.ts";
import { TossGateway } from "../../src/payments/gateways/toss/toss-gateway.ts";
import {
  FakeToss,
  type BillingBehaviour,
  type FakeTossDecline,
  type WindowRequest,
} from "../support/fake-toss/fake-toss.ts";
import { TestClock } from "../support/test-clock.ts";
import { describeConformance } from "./conformance.ts";

/** Declines as Toss words them: https://docs.tosspayments.com/reference/error-codes. */
const declines: Partial<Record<ReasonClass, FakeTossDecline>> = {
  INSUFFICIENT_FUNDS: {
    code: "REJECT_CARD_PAYMENT",
    message: "한도초과 혹은 잔액부족으로 결제에 실패했습니다.",
    status: 403,
  },
  LIMIT_EXCEEDED: { code: "EXCEED_MAX_DAILY_PAYMENT_COUNT", message: "하루 결제 가능 횟수를 초과했습니다." },
  GENERIC_REFUSAL: { code: "REJECT_CARD_COMPANY", message: "결제 승인이 거절되었습니다.", status: 403 },
  TECHNICAL: { code: "NOT_AVAILABLE_PAYMENT", message: "결제가 불가능한 시간대입니다.", status: 403 },
  SUSPECTED_FRAUD: { code: "FDS_ERROR", message: "위험거래가 감지되어 결제가 제한됩니다.", status: 403 },
  RESTRICTED: { code: "NOT_SUPPORTED_CARD_TYPE", message: "지원되지 않는 카드 종류입니다." },
  FIX_DATA_FIRST: { code: "INVALID_CARD_EXPIRATION", message: "카드 정보를 다시 확인해주세요. (유효기간)" },
  CUSTOMER_MUST_ACT: {
    code: "EXCEED_MAX_AUTH_COUNT",
    message: "최대 인증 횟수를 초과했습니다. 카드사로 문의해주세요.",
    status: 403,
  },
  NEVER: { code: "INVALID_CARD_LOST_OR_STOLEN", message: "분실 혹은 도난 카드입니다." },
};

const clock = new TestClock(new Date("2026-03-01T09:30:00.000Z"));
const fake = await FakeToss.start();
afterAll(() => fake.close());
const account: AdapterAccount = {
  vendorId: 1,
  gateway: "PROVIDER_02",
  credentials: [...fake.keys][0]!,
  clientKey: [...fake.clientKeys][0]!,
  callbackSecret: "a secret",
};
const rules = { timeoutMs: 700, faultThreshold: 1_000, initialOpenMs: 1, maxOpenMs: 1 };
const port = new GuardedGateway(new TossGateway(fake.url, 600), rules, clock);

const order = { orderName: "order-1", returnUrl: "https://shop.example.com/return" };

const addInstrument = (behaviour: BillingBehaviour): Instrument => {
  const { customerKey, billingKey } = fake.addBillingKey(behaviour);
  return { kind: "TOKEN", token: `${customerKey}/${billingKey}` };
};
const keyInOrderId = (idempotencyKey: string) =>
  `_${Buffer.from(idempotencyKey.replaceAll("-", ""), "hex").toString("base64url")}`;

describeConformance("Toss", () =>
  Promise.resolve({
    port,
    account,
    declines: Object.keys(declines) as ReasonClass[],
    storedInstrument: (behaviour) =>
      Promise.resolve(
        addInstrument(
          behaviour === "NEEDS_PAYER"
            ? { decline: declines.CUSTOMER_MUST_ACT! }
            : typeof behaviour === "string"
              ? behaviour
              : { decline: declines[behaviour.declines]! },
        ),
      ),
    repair: (instrument) => {
      if (instrument.kind === "TOKEN") fake.setBehaviour(instrument.token.split(/\/(.*)/)[1]!, "APPROVES");
      return Promise.resolve(instrument);
    },
    detachesMethods: false,
    countApproved: (idempotencyKey) => Promise.resolve(fake.approvedOf(keyInOrderId(idempotencyKey)).length),
    page: {
      instrument: { kind: "NONE" },
      complete: (_, charge) => {
        const window = port.describeWindow(account, charge, order);
        if (!window) throw new Error("There is no window.");
        return Promise.resolve(fake.visitWindow(window.request as WindowRequest));
      },
    },
    signsCallbacks: false,
    callbackOf: (idempotencyKey) => {
      const orderId = `${"s".repeat(20)}${keyInOrderId(idempotencyKey)}`;
      const body = fake.toWebhook({ paymentKey: "tpk_1", orderId, status: "DONE" });
      return { headers: {}, body, receivedAt: clock.now() };
    },
  }),
);

const requestOf = (instrument: Instrument, overrides: Partial<ChargeRequest> = {}): ChargeRequest => ({
  idempotencyKey: randomUUID(),
  orderReference: "order-1",
  subject: "order 1",
  attempt: 1,
  amount: toAmount("18900"),
  currency: "KRW",
  method: "CARD_BILL",
  instrument,
  storeInstrument: false,
  isOffSession: true,
  returnUrl: null,
  requestedAt: clock.now(),
  ...overrides,
});
const closableOf = ({ instrument, idempotencyKey, subject, amount, currency }: ChargeRequest) => ({
  ...{ idempotencyKey, subject, amount, currency, reference: null, usesStoredMethod: true },
  token: instrument.kind === "TOKEN" ? instrument.token : null,
  pageUrl: null,
});

test("a decline that Toss does not list is found by closing its key, with its code", async () => {
  const request = requestOf(
    addInstrument({ decline: { code: "PROVIDER_ERROR", message: "일시적인 오류가 발생했습니다." } }),
  );
  fake.listsDeclines = false;
  await expect(port.charge(account, request)).rejects.toMatchObject({ kind: "UNKNOWN" });
  expect(await port.lookUpCharge(account, closableOf(request))).toEqual({ kind: "UNKNOWN" });
  expect(await port.closeCharge(account, closableOf(request))).toMatchObject({
    kind: "DECLINED",
    code: "PROVIDER_ERROR",
  });
  fake.listsDeclines = true;
});

test("a charge with another key of the account is not sent when Toss refuses the account's key", async () => {
  const revoked = { ...account, credentials: "test_sk_revoked0123456789" };
  await expect(port.charge(revoked, requestOf(addInstrument("APPROVES")))).rejects.toMatchObject({
    kind: "NOT_SENT",
    message: expect.stringContaining("UNAUTHORIZED_KEY"),
  });
});

test.each([
  ["USD", "10"],
  ["KRW", "10.5"],
])("an amount that Toss cannot charge is declined without a call: %s %s", async (currency, amount) => {
  const payments = fake.payments.size;
  const request = requestOf(addInstrument("APPROVES"), { currency, amount: toAmount(amount) });
  expect(await port.charge(account, request)).toMatchObject({ kind: "DECLINED", code: "INVALID_AMOUNT" });
  expect(fake.payments.size).toBe(payments);
});

test("a payment of another amount under a charge's order id is not taken for the charge", async () => {
  const request = requestOf(addInstrument("APPROVES"));
  await port.charge(account, request);
  const other = { ...closableOf(request), amount: toAmount("1") };
  expect(await port.lookUpCharge(account, other)).toEqual({ kind: "UNKNOWN" });
});

describe("a window", () => {
  const none: Instrument = { kind: "NONE" };
  const open = async (overrides: Partial<ChargeRequest>) => {
    const request = requestOf(none, { isOffSession: false, returnUrl: order.returnUrl, ...overrides });
    const outcome = await port.charge(account, request);
    if (outcome.kind !== "CHALLENGE") throw new Error(`There is no window: ${JSON.stringify(outcome)}`);
    const { reference, url: pageUrl } = outcome;
    const charge = { ...closableOf(request), reference, pageUrl, usesStoredMethod: false };
    const { request: windowRequest } = port.describeWindow(account, charge, order)!;
    return { charge, outcome, windowRequest: windowRequest as WindowRequest };
  };
  const complete = (charge: ClosableCharge, parameters: Record<string, string>) =>
    port.completeCharge(account, charge, { parameters, orderName: "order-1" });

  test("confirms nothing when the payer brings back another amount, order or customer", async () => {
    const { charge, outcome, windowRequest } = await open({});
    const paid = fake.visitWindow(windowRequest);
    for (const forged of [{ amount: "1" }, { orderId: `${String(paid["orderId"])}0` }, { paymentKey: undefined }]) {
      const parameters = Object.fromEntries(
        Object.entries({ ...paid, ...forged }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      );
      expect(await complete(charge, parameters)).toEqual(outcome);
    }
    expect(await complete(charge, paid)).toMatchObject({ kind: "APPROVED" });
    const stored = await open({ storeInstrument: true });
    const registered = fake.visitWindow(stored.windowRequest);
    expect(await complete(stored.charge, { ...registered, customerKey: "another" })).toEqual(stored.outcome);
  });

  test("charges nothing when the payer pays another amount under the order's id with the public key", async () => {
    const { charge, windowRequest } = await open({});
    const cheap = { ...windowRequest.parameters, amount: { currency: "KRW", value: 100 } };
    const { paymentKey, orderId } = fake.visitWindow({ ...windowRequest, parameters: cheap });
    const forged = { paymentKey: paymentKey!, orderId: orderId!, amount: charge.amount.toFixed() };
    expect(await complete(charge, forged)).toMatchObject({ kind: "DECLINED", code: "INVALID_REQUEST" });
    expect(fake.approvedOf(keyInOrderId(charge.idempotencyKey))).toEqual([]);
  });

  test.each([false, true])("is completed once when the payer reloads the page, stored %s", async (storeInstrument) => {
    const { charge, windowRequest } = await open({ storeInstrument });
    const parameters = fake.visitWindow(windowRequest);
    const first = await complete(charge, parameters);
    expect(first).toMatchObject({ kind: "APPROVED" });
    expect(await complete(charge, parameters)).toEqual(first);
    expect(fake.approvedOf(keyInOrderId(charge.idempotencyKey))).toHaveLength(1);
  });

  test.each([false, true])("declines with the bank's code, stored %s", async (storeInstrument) => {
    const { charge, windowRequest } = await open({ storeInstrument });
    fake.nextCard = { decline: declines.GENERIC_REFUSAL! };
    const parameters = fake.visitWindow(windowRequest);
    expect(await complete(charge, parameters)).toMatchObject({ kind: "DECLINED", code: "REJECT_CARD_COMPANY" });
    fake.nextCard = "APPROVES";
    expect(await port.closeCharge(account, charge)).toMatchObject({ kind: "DECLINED", code: "REJECT_CARD_COMPANY" });
  });

  test("gives the billing key when the charge of a new card was not answered, and the payer never came back", async () => {
    const { charge, windowRequest } = await open({ storeInstrument: true });
    fake.nextCard = "SILENT_AFTER_CHARGE";
    const parameters = fake.visitWindow(windowRequest);
    await expect(complete(charge, parameters)).rejects.toMatchObject({ kind: "UNKNOWN" });
    fake.nextCard = "APPROVES";
    const token = `${parameters["customerKey"]!}/${[...fake.billingKeys.keys()].at(-1)!}`;
    expect(await port.lookUpCharge(account, charge)).toMatchObject({ kind: "APPROVED", token });
    expect(await port.closeCharge(account, charge)).toMatchObject({ kind: "APPROVED", token });
  });

  test("is not opened without a client key", async () => {
    const request = requestOf(none, { returnUrl: order.returnUrl });
    await expect(port.charge({ ...account, clientKey: null }, request)).rejects.toMatchObject({ kind: "NOT_SENT" });
  });
});
