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
  type GatewayPort,
  type RawGateway,
  type ReportedDispute,
  type RefundOutcome,
  type RefundRequest,
} from "./gateway-port.ts";
import type { GatewayWindow, PayerReturn, WindowOrder } from "./gateway.window.ts";

/** The thresholds of a breaker. */
interface BreakerRules {
  /** Number of consecutive faults that open it. */
  faultThreshold: number;
  /** Duration of the first open phase; each failed trial doubles it. */
  initialOpenMs: number;
  maxOpenMs: number;
}

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
      () => this.callInTime(account, schema, call),
    );
  }

  private async callInTime<T>(account: AdapterAccount, schema: z.ZodType<T>, call: () => Promise<unknown>): Promise<T> {
    const breaker = this.breakerOf(account);
    if (!breaker.allowsCall())
      throw new GatewayFault(
        "NOT_SENT",
        "The gateway has not answered for a while, so no requests are sent to it for now.",
      );
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

/**
 * Stops calls to a service that does not answer. After a number of consecutive faults it opens, and calls are refused
 * at once; after a while it lets one through as a trial, which closes it or opens it for longer. It needs no manual
 * reset.
 */
export class CircuitBreaker {
  private consecutiveFaults = 0;
  private openUntil = 0;
  private openMs: number;
  private isTrialRunning = false;

  constructor(
    private readonly rules: BreakerRules,
    private readonly now: () => number,
  ) {
    this.openMs = rules.initialOpenMs;
  }

  /** Whether a call may be made; the one that is let through an open breaker is its trial. */
  allowsCall(): boolean {
    if (this.consecutiveFaults < this.rules.faultThreshold) return true;
    if (this.isTrialRunning || this.now() < this.openUntil) return false;
    this.isTrialRunning = true;
    return true;
  }

  recordSuccess(): void {
    this.consecutiveFaults = 0;
    this.isTrialRunning = false;
    this.openMs = this.rules.initialOpenMs;
  }

  recordFailure(): void {
    const wasTrial = this.isTrialRunning;
    this.isTrialRunning = false;
    this.consecutiveFaults++;
    if (this.consecutiveFaults < this.rules.faultThreshold) return;
    if (wasTrial) this.openMs = Math.min(this.openMs * 2, this.rules.maxOpenMs);
    this.openUntil = this.now() + this.openMs;
  }
}
