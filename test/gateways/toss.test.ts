import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import type { ReasonClass } from "../../schema/vocabulary.ts";
import { toAmount } from "../../src/kernel/amounts.ts";
import type { AdapterAccount, ChargeRequest, Instrument } from "../../src/payments/gateways/gateway-port.ts";
import { GuardedGateway } from "../../src/payments/gateways/guarded-gateway.ts";
import { TossGateway } from "../../src/payments/gateways/toss/toss-gateway.ts";
import { FakeToss, type BillingBehaviour, type FakeTossDecline } from "../support/fake-toss/fake-toss.ts";
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
  callbackSecret: "a secret",
};
const rules = { timeoutMs: 700, faultThreshold: 1_000, initialOpenMs: 1, maxOpenMs: 1 };
const port = new GuardedGateway(new TossGateway(fake.url, 600), rules, clock);

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
    countApproved: (idempotencyKey) => Promise.resolve(fake.approvedOf(keyInOrderId(idempotencyKey)).length),
    signsCallbacks: false,
    callbackOf: (idempotencyKey) => {
      const data = { orderId: `${"s".repeat(20)}${keyInOrderId(idempotencyKey)}`, status: "DONE" };
      const body = JSON.stringify({
        eventType: "PAYMENT_STATUS_CHANGED",
        createdAt: "2026-03-01T18:30:00.000000",
        data,
      });
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
