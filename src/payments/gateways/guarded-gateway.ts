import { z } from "zod";
import { DisputeState, Network } from "../../../schema/vocabulary.ts";
import type { Clock } from "../../kernel/clock.ts";
import { traceStep } from "../../kernel/tracing.ts";
import type { Amount } from "../../kernel/amounts.ts";
import {
  GatewayFault,
  type GatewayCallback,
  type RawCallback,
  type ChargeIdentity,
  type ChargeOutcome,
  type ChargeRequest,
  type ClosableCharge,
  type FoundCharge,
  type AdapterAccount,
  type GatewayFaultKind,
  type GatewayPort,
  type RawGateway,
  type ReportedDispute,
  type RefundOutcome,
  type RefundRequest,
} from "./gateway-port.ts";
import { CircuitBreaker, type BreakerRules } from "./circuit-breaker.ts";
import type { GatewayWindow, PayerReturn, WindowOrder } from "./gateway.window.ts";

/** The time limit for gateway calls, and when the circuit breaker opens. */
export interface GatewayGuardRules extends BreakerRules {
  timeoutMs: number;
}

/** A payer waits for a charge, and a bank seldom takes longer. */
export const defaultGuardRules: GatewayGuardRules = {
  timeoutMs: 15_000,
  faultThreshold: 5,
  initialOpenMs: 10_000,
  maxOpenMs: 300_000,
};

/** One call of an account's gateway, as metrics and the log have it. */
export interface ObservedGatewayCall {
  gateway: string;
  vendorId: number;
  call: string;
  /** `suspended`: it was not made, because the gateway failed repeatedly before. A decline is an answer. */
  outcome: "answered" | "failed" | "suspended";
  seconds: number;
  /** Whether the gateway may have done what was asked; undefined if it answered. */
  fault?: GatewayFaultKind;
}

const nonEmptyText = z.string().min(1).max(500);
const instrumentFields = {
  cardNumber: z
    .string()
    .regex(/^\**\d{3}[\d*]$/)
    .nullable(),
  network: z.enum(Network).nullable(),
  token: nonEmptyText.nullable(),
  fingerprint: nonEmptyText.nullable(),
  expiresAt: z.date().nullable(),
};

const chargeOutcomeSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("APPROVED"),
    reference: nonEmptyText,
    receiptUrl: z.string().max(2_000),
    ...instrumentFields,
  }),
  z.object({
    kind: z.literal("DECLINED"),
    reference: nonEmptyText.nullable(),
    code: nonEmptyText,
    adviceCode: nonEmptyText.nullable(),
    message: z.string().max(2_000),
    ...instrumentFields,
  }),
  z.object({ kind: z.literal("CHALLENGE"), reference: nonEmptyText, url: z.string().min(1).max(2_000) }),
  z.object({ kind: z.literal("DEPOSIT"), reference: nonEmptyText, account: z.record(z.string(), z.string()) }),
  z.object({ kind: z.literal("CLOSED") }),
  z.object({ kind: z.literal("UNKNOWN") }),
]);

const foundChargesSchema = z.array(
  z.object({
    idempotencyKey: nonEmptyText,
    amount: z.custom<Amount>(),
    currency: z.string(),
    outcome: chargeOutcomeSchema,
  }),
);

const refundOutcomeSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("REFUNDED"), reference: nonEmptyText }),
  z.object({ kind: z.literal("REFUSED"), code: nonEmptyText, message: z.string().max(2_000) }),
  z.object({ kind: z.literal("UNKNOWN") }),
]);

const disputeSchema = z
  .object({
    reference: nonEmptyText,
    chargeReference: nonEmptyText,
    state: z.enum(DisputeState).nullable(),
    reason: nonEmptyText,
    amount: z.custom<Amount>(),
    currency: z.string(),
    respondBy: z.date().nullable(),
  })
  .nullable();

/**
 * Guards a gateway: calls have a time limit, answers are validated, and calls to an account whose gateway fails
 * repeatedly are suspended for a while. Each account has its own breaker.
 */
export class GuardedGateway implements GatewayPort {
  private readonly breakers = new Map<string, CircuitBreaker>();

  constructor(
    private readonly inner: RawGateway,
    private readonly rules: GatewayGuardRules,
    private readonly clock: Clock,
    /** Gets each call when it has ended. Defaults to nobody. */
    private readonly onCall?: (call: ObservedGatewayCall) => void,
  ) {}

  charge(account: AdapterAccount, request: ChargeRequest): Promise<ChargeOutcome> {
    return this.callGuarded("charge", account, chargeOutcomeSchema, () => this.inner.charge(account, request));
  }

  storeMethod(account: AdapterAccount, request: ChargeRequest): Promise<ChargeOutcome> {
    return this.callGuarded("storeMethod", account, chargeOutcomeSchema, () =>
      this.inner.storeMethod(account, request),
    );
  }

  completeCharge(account: AdapterAccount, charge: ChargeIdentity, payerReturn: PayerReturn): Promise<ChargeOutcome> {
    return this.callGuarded("completeCharge", account, chargeOutcomeSchema, () =>
      this.inner.completeCharge(account, charge, payerReturn),
    );
  }

  describeWindow(account: AdapterAccount, charge: ChargeIdentity, order: WindowOrder): GatewayWindow | null {
    return this.inner.describeWindow(account, charge, order);
  }

  lookUpCharge(account: AdapterAccount, charge: ChargeIdentity): Promise<ChargeOutcome> {
    return this.callGuarded("lookUpCharge", account, chargeOutcomeSchema, () =>
      this.inner.lookUpCharge(account, charge),
    );
  }

  closeCharge(account: AdapterAccount, charge: ClosableCharge): Promise<ChargeOutcome> {
    return this.callGuarded("closeCharge", account, chargeOutcomeSchema, () => this.inner.closeCharge(account, charge));
  }

  canSearch(account: AdapterAccount): boolean {
    return this.inner.canSearch(account);
  }

  searchCharges(account: AdapterAccount, subject: string): Promise<FoundCharge[]> {
    return this.callGuarded("searchCharges", account, foundChargesSchema, () =>
      this.inner.searchCharges(account, subject),
    );
  }

  detachMethod(account: AdapterAccount, token: string): Promise<boolean> {
    return this.callGuarded("detachMethod", account, z.boolean(), () => this.inner.detachMethod(account, token));
  }

  refund(account: AdapterAccount, request: RefundRequest): Promise<RefundOutcome> {
    return this.callGuarded("refund", account, refundOutcomeSchema, () => this.inner.refund(account, request));
  }

  lookUpRefund(account: AdapterAccount, request: RefundRequest): Promise<RefundOutcome> {
    return this.callGuarded("lookUpRefund", account, refundOutcomeSchema, () =>
      this.inner.lookUpRefund(account, request),
    );
  }

  lookUpDispute(account: AdapterAccount, reference: string): Promise<ReportedDispute | null> {
    return this.callGuarded("lookUpDispute", account, disputeSchema, () =>
      this.inner.lookUpDispute(account, reference),
    );
  }

  readCallback(account: AdapterAccount, message: RawCallback): GatewayCallback {
    return this.inner.readCallback(account, message);
  }

  private async callGuarded<T>(
    operation: keyof RawGateway,
    account: AdapterAccount,
    schema: z.ZodType<T>,
    call: () => Promise<unknown>,
  ): Promise<T> {
    const attributes = { "recoup.gateway": account.gateway, "recoup.vendor_id": account.vendorId };
    return traceStep(
      () => ({ name: `gateway ${operation}`, kind: "CLIENT", attributes }),
      () => this.callObserved(operation, account, () => this.callIfAllowed(account, schema, call)),
    );
  }

  /** Reports how a call ended to whoever counts calls. */
  private async callObserved<T>(operation: string, account: AdapterAccount, call: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const report = (outcome: ObservedGatewayCall["outcome"], fault?: GatewayFaultKind) =>
      this.onCall?.({
        gateway: account.gateway,
        vendorId: account.vendorId,
        call: operation,
        outcome,
        seconds: (performance.now() - startedAt) / 1_000,
        ...(fault && { fault }),
      });
    try {
      const answer = await call();
      report("answered");
      return answer;
    } catch (error) {
      const { kind } = error as GatewayFault;
      report(error instanceof SuspendedGateway ? "suspended" : "failed", kind);
      throw error;
    }
  }

  private async callIfAllowed<T>(
    account: AdapterAccount,
    schema: z.ZodType<T>,
    call: () => Promise<unknown>,
  ): Promise<T> {
    const breaker = this.breakerOf(account);
    if (!breaker.allowsCall()) throw new SuspendedGateway();
    return this.callInTime(breaker, schema, call);
  }

  /** @throws a GatewayFault and nothing else. */
  private async callInTime<T>(breaker: CircuitBreaker, schema: z.ZodType<T>, call: () => Promise<unknown>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    try {
      const timeout = new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => reject(new GatewayFault("UNKNOWN", `The gateway did not answer within ${this.rules.timeoutMs} ms.`)),
          this.rules.timeoutMs,
        );
      });
      const parsed = schema.safeParse(await Promise.race([call(), timeout]));
      if (!parsed.success) throw new GatewayFault("UNKNOWN", "The gateway's answer cannot be parsed.");
      breaker.recordSuccess();
      return parsed.data;
    } catch (error) {
      breaker.recordFailure();
      if (error instanceof GatewayFault) throw error;
      throw new GatewayFault("UNKNOWN", `The gateway failed: ${(error as Error).message}`);
    } finally {
      clearTimeout(timer);
    }
  }

  private breakerOf({ vendorId, gateway }: AdapterAccount): CircuitBreaker {
    const key = `${vendorId} ${gateway}`;
    const breaker = this.breakers.get(key) ?? new CircuitBreaker(this.rules, () => this.clock.now().getTime());
    this.breakers.set(key, breaker);
    return breaker;
  }
}

/** A call that was not made: the breaker of its account is open. */
class SuspendedGateway extends GatewayFault {
  constructor() {
    super("NOT_SENT", "The gateway has not answered for a while, so no requests are sent to it for now.");
  }
}
