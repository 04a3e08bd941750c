import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { ReasonClass } from "../../schema/vocabulary.ts";
import { toAmount } from "../../src/kernel/amounts.ts";
import {
  GatewayFault,
  type AdapterAccount,
  type ClosableCharge,
  type ChargeOutcome,
  type ChargeRequest,
  type GatewayPort,
  type Instrument,
  type RawCallback,
  type RefundRequest,
} from "../../src/payments/gateways/gateway-port.ts";
import { classifyDecline } from "../../src/recovery/engine/decline.ts";

/** The behaviours that a gateway under test has to show. */
export type GatewayBehaviour =
  | "APPROVES"
  /** Charges, and does not answer. */
  | "SILENT_AFTER_CHARGE"
  /** Neither charges nor answers. */
  | "SILENT"
  /** Charges, and answers with an error of its own. */
  | "FAILS_AFTER_CHARGE"
  | "GARBAGE"
  /** The bank asks the payer to confirm. */
  | "NEEDS_PAYER"
  | { declines: ReasonClass };

/** A gateway under test: its port, and the outside world around it. */
export interface GatewayUnderTest {
  port: GatewayPort;
  account: AdapterAccount;
  /** The declines that its adapter can report. */
  declines: readonly ReasonClass[];
  /** An instrument with which the gateway behaves so, charged while the payer is away. */
  storedInstrument(behaviour: GatewayBehaviour): Promise<Instrument>;
  /**
   * The instrument when the gateway answers again; defaults to another one, where a key is used up whatever it charges.
   */
  repair?: (instrument: Instrument) => Promise<Instrument>;
  /** The number of approved charges with the key in the gateway's own books. */
  countApproved(idempotencyKey: string): Promise<number>;
  /** Lets searches know all charges that were made so far; defaults to nothing, where they know them at once. */
  awaitSearchable?: () => void;
  /** The payer's page of the gateway or the bank; absent where there is none. */
  page?: {
    /** The instrument of a charge for which the payer visits it. */
    instrument: Instrument;
    /** The payer does on the page what it asks for. @returns what the gateway adds to the return address. */
    complete(reference: string, charge: ClosableCharge): Promise<Record<string, string>>;
  };
  /** False if the gateway has no call that detaches a stored method. Defaults to true. */
  detachesMethods?: boolean;
  /** False if the gateway signs no callbacks. Defaults to true. */
  signsCallbacks?: boolean;
  /** A callback about the charge, signed with the account's secret or another, at its time or some seconds earlier. */
  callbackOf(idempotencyKey: string, options?: { secret?: string; ageSeconds?: number }): RawCallback;
}

const PRICE = "18900";
const CURRENCY = "KRW";

/** The cases that every gateway adapter has to pass. */
export function describeConformance(name: string, open: () => Promise<GatewayUnderTest>): void {
  describe(`the ${name} gateway`, async () => {
    const subject = await open();
    const { port, account } = subject;

    const requestOf = (instrument: Instrument, overrides: Partial<ChargeRequest> = {}): ChargeRequest => ({
      idempotencyKey: randomUUID(),
      orderReference: "order-1",
      subject: `order ${randomUUID()}`,
      attempt: 1,
      amount: toAmount(PRICE),
      currency: CURRENCY,
      method: "CARD",
      instrument,
      storeInstrument: false,
      isOffSession: instrument.kind === "TOKEN",
      returnUrl: "https://shop.example.com/return",
      requestedAt: new Date("2026-03-01T09:30:00.000Z"),
      ...overrides,
    });
    const stored = async (behaviour: GatewayBehaviour, overrides?: Partial<ChargeRequest>) =>
      requestOf(await subject.storedInstrument(behaviour), overrides);
    const identityOf = (request: ChargeRequest, outcome?: ChargeOutcome): ClosableCharge => ({
      idempotencyKey: request.idempotencyKey,
      subject: request.subject,
      reference: outcome && "reference" in outcome ? outcome.reference : null,
      amount: request.amount,
      currency: request.currency,
      usesStoredMethod: request.instrument.kind === "TOKEN",
      token: request.instrument.kind === "TOKEN" ? request.instrument.token : null,
      pageUrl: outcome?.kind === "CHALLENGE" ? outcome.url : null,
    });
    const approve = async (overrides?: Partial<ChargeRequest>) => {
      const request = await stored("APPROVES", overrides);
      const outcome = await port.charge(account, request);
      if (outcome.kind !== "APPROVED") throw new Error(`The charge was not approved: ${JSON.stringify(outcome)}`);
      return { request, outcome };
    };
    const faultOf = (call: Promise<unknown>) =>
      call.then(
        (outcome) => Promise.reject(new Error(`The call was answered: ${JSON.stringify(outcome)}`)),
        (error: unknown) => {
          expect(error).toBeInstanceOf(GatewayFault);
          return (error as GatewayFault).kind;
        },
      );
    const refundOf = (chargeReference: string, amount = PRICE): RefundRequest => ({
      idempotencyKey: randomUUID(),
      chargeReference,
      amount: toAmount(amount),
      currency: CURRENCY,
      requestedAt: new Date("2026-03-02T09:30:00.000Z"),
    });

    describe("charges", () => {
      test("are approved, with the gateway's reference", async () => {
        const { request, outcome } = await approve();
        expect(outcome.reference).not.toBe("");
        expect(outcome.cardNumber).toMatch(/^\*+\d{3}[\d*]$/);
        expect(await subject.countApproved(request.idempotencyKey)).toBe(1);
      });

      test.each(subject.declines)("are declined with a code that the engine reads as %s", async (declines) => {
        const request = await stored({ declines });
        const outcome = await port.charge(account, request);
        if (outcome.kind !== "DECLINED") throw new Error(`The charge was not declined: ${JSON.stringify(outcome)}`);
        const { code, message, adviceCode, network } = outcome;
        expect(classifyDecline({ code, message, adviceCode, network }, { gateway: account.gateway })).toBe(declines);
        expect(await port.lookUpCharge(account, identityOf(request))).toMatchObject({ kind: "DECLINED", code });
        expect(await subject.countApproved(request.idempotencyKey)).toBe(0);
      });

      test("are made once when the same key is sent twice", async () => {
        const { request, outcome } = await approve();
        expect(await port.charge(account, request)).toEqual(outcome);
        expect(await subject.countApproved(request.idempotencyKey)).toBe(1);
      });

      test("are made once when the same key is sent twice at the same time", async () => {
        const request = await stored("APPROVES");
        await Promise.allSettled([port.charge(account, request), port.charge(account, request)]);
        expect(await port.lookUpCharge(account, identityOf(request))).toMatchObject({ kind: "APPROVED" });
        expect(await subject.countApproved(request.idempotencyKey)).toBe(1);
      });
    });

    describe("a charge without a readable answer", () => {
      test.each(["SILENT_AFTER_CHARGE", "FAILS_AFTER_CHARGE", "GARBAGE"] as const)(
        "is a fault when the gateway is %s, and is found by its key",
        async (behaviour) => {
          const request = await stored(behaviour);
          expect(await faultOf(port.charge(account, request))).toBe("UNKNOWN");
          expect(await port.lookUpCharge(account, identityOf(request))).toMatchObject({ kind: "APPROVED" });
          expect(await port.closeCharge(account, identityOf(request))).toMatchObject({ kind: "APPROVED" });
          expect(await subject.countApproved(request.idempotencyKey)).toBe(1);
        },
      );

      test("is closed when the gateway did not charge, and cannot be made later under its key", async () => {
        const request = await stored("SILENT");
        expect(await faultOf(port.charge(account, request))).toBe("UNKNOWN");
        expect(await port.closeCharge(account, identityOf(request))).toEqual({ kind: "CLOSED" });
        const instrument = await (subject.repair?.(request.instrument) ?? subject.storedInstrument("APPROVES"));
        const late = await port.charge(account, { ...request, instrument }).catch((error: unknown) => error);
        expect(late).not.toMatchObject({ kind: "APPROVED" });
        expect(await subject.countApproved(request.idempotencyKey)).toBe(0);
      });
    });

    describe("a look-up", () => {
      test("of an unknown key reports UNKNOWN, and leaves the key usable", async () => {
        const request = await stored("APPROVES");
        expect(await port.lookUpCharge(account, identityOf(request))).toEqual({ kind: "UNKNOWN" });
        expect(await port.charge(account, request)).toMatchObject({ kind: "APPROVED" });
      });

      test("finds a charge by its reference", async () => {
        const { request, outcome } = await approve();
        const { reference } = outcome;
        expect(await port.lookUpCharge(account, identityOf(request, outcome))).toMatchObject({
          kind: "APPROVED",
          reference,
        });
      });
    });

    describe("closing a key", () => {
      test("reports CLOSED each time when nothing was charged", async () => {
        const request = await stored("APPROVES");
        expect(await port.closeCharge(account, identityOf(request))).toEqual({ kind: "CLOSED" });
        expect(await port.closeCharge(account, identityOf(request))).toEqual({ kind: "CLOSED" });
        const late = await port.charge(account, request).catch((error: unknown) => error);
        expect(late).not.toMatchObject({ kind: "APPROVED" });
      });

      test("changes nothing after an approved charge", async () => {
        const { request, outcome } = await approve();
        const closed = await port.closeCharge(account, identityOf(request, outcome));
        expect(closed).toMatchObject({ kind: "APPROVED", reference: outcome.reference });
      });
    });

    test("a charge is declined when the bank asks for a payer who is away", async () => {
      const outcome = await port.charge(account, await stored("NEEDS_PAYER"));
      if (outcome.kind !== "DECLINED") throw new Error(`The charge was not declined: ${JSON.stringify(outcome)}`);
      expect(classifyDecline(outcome, { gateway: account.gateway })).toBe("CUSTOMER_MUST_ACT");
    });

    const { page } = subject;
    if (page)
      describe("a payer's page", () => {
        const { instrument } = page;
        const openPage = async (overrides?: Partial<ChargeRequest>) => {
          const request = requestOf(instrument, overrides);
          const outcome = await (request.amount.eq(0)
            ? port.storeMethod(account, request)
            : port.charge(account, request));
          if (outcome.kind !== "CHALLENGE") throw new Error(`There is no page: ${JSON.stringify(outcome)}`);
          return { request, outcome, identity: identityOf(request, outcome) };
        };
        /** The payer does what the page asks for, and comes back. */
        const complete = async ({ outcome, identity }: Awaited<ReturnType<typeof openPage>>) => {
          const parameters = await page.complete(outcome.reference, identity);
          return port.completeCharge(account, identity, { parameters, orderName: "order-1" });
        };

        test("has an address, and the charge is approved after the payer completed it", async () => {
          const opened = await openPage();
          const { request, outcome, identity } = opened;
          expect(outcome.url).toMatch(/^(https:\/)?\//);
          expect(await port.lookUpCharge(account, identity)).toEqual(outcome);
          expect(await complete(opened)).toMatchObject({ kind: "APPROVED" });
          expect(await port.lookUpCharge(account, identity)).toMatchObject({ kind: "APPROVED" });
          expect(await port.closeCharge(account, identity)).toMatchObject({ kind: "APPROVED" });
          expect(await subject.countApproved(request.idempotencyKey)).toBe(1);
        });

        test("leaves the charge open when the payer comes back without having completed it", async () => {
          const { outcome, identity } = await openPage();
          const payerReturn = { parameters: { code: "PAY_PROCESS_CANCELED" }, orderName: "order-1" };
          expect(await port.completeCharge(account, identity, payerReturn)).toEqual(outcome);
        });

        test("stores the method when that is requested, and the method is charged later", async () => {
          const opened = await openPage({ storeInstrument: true });
          const paid = await complete(opened);
          const token = paid.kind === "APPROVED" ? paid.token : null;
          if (token === null) throw new Error(`The method was not stored: ${JSON.stringify(paid)}`);
          expect(paid).toMatchObject({ fingerprint: expect.any(String) });
          // The service may stop before it records the outcome.
          expect(await port.lookUpCharge(account, opened.identity)).toMatchObject({ kind: "APPROVED", token });
          // The bank may ask again for the payer, who is away.
          const later = await port.charge(account, requestOf({ kind: "TOKEN", token }));
          expect(["APPROVED", "DECLINED"]).toContain(later.kind);
        });

        test.each([false, true])(
          "is closed when the payer leaves, and cannot be completed afterwards: stored %s",
          async (storeInstrument) => {
            const opened = await openPage({ storeInstrument });
            expect(await port.closeCharge(account, opened.identity)).toEqual({ kind: "CLOSED" });
            const late = await complete(opened).catch((error: unknown) => error);
            expect(late).not.toMatchObject({ kind: "APPROVED" });
            expect(await subject.countApproved(opened.request.idempotencyKey)).toBe(0);
          },
        );

        test("stores a method without a charge", async () => {
          const opened = await openPage({ amount: toAmount(0), storeInstrument: true });
          const outcome = await complete(opened);
          expect(outcome).toMatchObject({ kind: "APPROVED", token: expect.any(String) });
          expect(await port.closeCharge(account, opened.identity)).toMatchObject({ kind: "APPROVED" });
        });
      });

    test("a stored method that was detached is charged no more, and detaching it again changes nothing", async () => {
      const detaches = subject.detachesMethods ?? true;
      const { request: first, outcome } = await approve({ storeInstrument: true });
      const token = first.instrument.kind === "TOKEN" ? first.instrument.token : outcome.token!;
      expect(await port.detachMethod(account, token)).toBe(detaches);
      expect(await port.detachMethod(account, token)).toBe(detaches);
      const request = requestOf({ kind: "TOKEN", token });
      await port.charge(account, request).catch(() => undefined);
      expect(await subject.countApproved(request.idempotencyKey)).toBe(detaches ? 0 : 1);
    });

    describe("refunds", () => {
      test("return the whole amount", async () => {
        const { outcome } = await approve();
        expect(await port.refund(account, refundOf(outcome.reference))).toMatchObject({ kind: "REFUNDED" });
      });

      test("return parts, and not more than was charged", async () => {
        const { outcome } = await approve();
        const parts = [refundOf(outcome.reference, "10000"), refundOf(outcome.reference, "8000")];
        for (const part of parts) expect(await port.refund(account, part)).toMatchObject({ kind: "REFUNDED" });
        expect(await port.refund(account, refundOf(outcome.reference, "1000"))).toMatchObject({ kind: "REFUSED" });
        expect(await port.refund(account, refundOf(outcome.reference, "900"))).toMatchObject({ kind: "REFUNDED" });
      });

      test("are made once when the same key is sent twice, and are found by the key", async () => {
        const { outcome } = await approve();
        const request = refundOf(outcome.reference, "10000");
        expect(await port.lookUpRefund(account, request)).toEqual({ kind: "UNKNOWN" });
        const refund = await port.refund(account, request);
        expect(await port.refund(account, request)).toEqual(refund);
        expect(await port.lookUpRefund(account, request)).toEqual(refund);
        expect(await port.refund(account, refundOf(outcome.reference, "8900"))).toMatchObject({ kind: "REFUNDED" });
      });
    });

    const canSearch = port.canSearch(account);
    test.runIf(!canSearch)("a search by subject is not possible, and finds nothing", async () => {
      const { request } = await approve();
      expect(await port.searchCharges(account, request.subject)).toEqual([]);
    });

    test.runIf(canSearch)("a search by subject finds all its charges, and no others", async () => {
      const charged = `order "${randomUUID()}"`;
      const { request } = await approve({ subject: charged });
      const declined = await stored({ declines: "INSUFFICIENT_FUNDS" }, { subject: charged, attempt: 2 });
      await port.charge(account, declined);
      await approve({ subject: `${charged} and more` });
      subject.awaitSearchable?.();
      const found = await port.searchCharges(account, charged);
      expect(Object.fromEntries(found.map((one) => [one.idempotencyKey, one.outcome.kind]))).toEqual({
        [request.idempotencyKey]: "APPROVED",
        [declined.idempotencyKey]: "DECLINED",
      });
      expect(found.map(({ amount, currency }) => [amount.toFixed(), currency])).toEqual([
        [PRICE, CURRENCY],
        [PRICE, CURRENCY],
      ]);
    });

    describe("callbacks", () => {
      test("name their charge, however often they come", async () => {
        const { request } = await approve();
        const { idempotencyKey } = request;
        const callback = subject.callbackOf(idempotencyKey);
        expect(port.readCallback(account, callback)).toEqual({ kind: "CHARGE", idempotencyKey });
        expect(port.readCallback(account, callback)).toEqual({ kind: "CHARGE", idempotencyKey });
      });

      test.runIf(subject.signsCallbacks === false)(
        "that are not signed only name a charge, whose state is looked up",
        async () => {
          const request = await stored("APPROVES");
          const { idempotencyKey } = request;
          expect(port.readCallback(account, subject.callbackOf(idempotencyKey))).toEqual({
            kind: "CHARGE",
            idempotencyKey,
          });
          expect(await port.lookUpCharge(account, identityOf(request))).toEqual({ kind: "UNKNOWN" });
        },
      );

      const isSigned = subject.signsCallbacks !== false;
      test.runIf(isSigned).each([
        ["another secret signed them", { secret: "whsec_another" }],
        ["they are a day old", { ageSeconds: 86_400 }],
      ])("are refused when %s", (_, options) => {
        const callback = subject.callbackOf(randomUUID(), options);
        expect(() => port.readCallback(account, callback)).toThrow(
          expect.objectContaining({ code: "CALLBACK_REFUSED" }),
        );
      });

      test.runIf(isSigned)("are refused when their body was changed or they are not signed", () => {
        const callback = subject.callbackOf("key-1");
        for (const forged of [
          { ...callback, body: callback.body.replace("key-1", "key-2") },
          { ...callback, headers: {} },
        ])
          expect(() => port.readCallback(account, forged)).toThrow(
            expect.objectContaining({ code: "CALLBACK_REFUSED" }),
          );
      });
    });
  });
}
