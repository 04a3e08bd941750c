import { z } from "zod";
import { Network } from "../../../schema/vocabulary.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { CircuitBreaker, type BreakerRules } from "./circuit-breaker.ts";
import {
  GatewayFault,
  type Callback,
  type CallbackMessage,
  type ChargeOutcome,
  type ChargeRequest,
  type FoundCharge,
  type GatewayAccount,
  type GatewayPort,
  type RefundOutcome,
  type RefundRequest,
} from "./gateway-port.ts";

/** How long a gateway may take, and when it is no longer asked. */
export interface GuardRules extends BreakerRules {
  timeoutMs: number;
}

/** A payer waits for a charge, and a bank seldom takes longer. */
export const usualGuard: GuardRules = { timeoutMs: 15_000, faults: 5, openMs: 10_000, mostOpenMs: 300_000 };

const text = z.string().min(1).max(500);
const instrument = {
  cardNumber: z
    .string()
    .regex(/^\**\d{4}$/)
    .nullable(),
  network: z.enum(Network).nullable(),
  token: text.nullable(),
  fingerprint: text.nullable(),
};

const chargeOutcome = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("APPROVED"), reference: text, receiptUrl: z.string().max(2_000), ...instrument }),
  z.object({
    kind: z.literal("DECLINED"),
    reference: text.nullable(),
    code: text,
    adviceCode: text.nullable(),
    message: z.string().max(2_000),
    ...instrument,
  }),
  z.object({ kind: z.literal("CHALLENGE"), reference: text, url: z.string().min(1).max(2_000) }),
  z.object({ kind: z.literal("DEPOSIT"), reference: text, account: z.record(z.string(), z.string()) }),
  z.object({ kind: z.literal("CLOSED") }),
  z.object({ kind: z.literal("UNHEARD") }),
]);

const foundCharges = z.array(
  z.object({ idempotencyKey: text, amount: z.custom<Amount>(), currency: z.string(), outcome: chargeOutcome }),
);

const refundOutcome = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("REFUNDED"), reference: text }),
  z.object({ kind: z.literal("REFUSED"), code: text, message: z.string().max(2_000) }),
  z.object({ kind: z.literal("UNHEARD") }),
]);

/**
 * A gateway that answers in time, in a form that can be read, or not at all: calls are cut off, answers are checked, and
 * an account whose gateway fails again and again is left alone for a while. Each account has a breaker of its own.
 */
export class GuardedGateway implements GatewayPort {
  private readonly breakers = new Map<string, CircuitBreaker>();

  constructor(
    private readonly gateway: GatewayPort,
    private readonly rules: GuardRules,
    private readonly clock: Clock,
  ) {}

  charge(account: GatewayAccount, request: ChargeRequest): Promise<ChargeOutcome> {
    return this.guard(account, chargeOutcome, () => this.gateway.charge(account, request));
  }

  store(account: GatewayAccount, request: ChargeRequest): Promise<ChargeOutcome> {
    return this.guard(account, chargeOutcome, () => this.gateway.store(account, request));
  }

  lookUp(account: GatewayAccount, idempotencyKey: string): Promise<ChargeOutcome> {
    return this.guard(account, chargeOutcome, () => this.gateway.lookUp(account, idempotencyKey));
  }

  close(account: GatewayAccount, idempotencyKey: string): Promise<ChargeOutcome> {
    return this.guard(account, chargeOutcome, () => this.gateway.close(account, idempotencyKey));
  }

  canSearch(account: GatewayAccount): boolean {
    return this.gateway.canSearch(account);
  }

  search(account: GatewayAccount, subject: string): Promise<FoundCharge[]> {
    return this.guard(account, foundCharges, () => this.gateway.search(account, subject));
  }

  refund(account: GatewayAccount, request: RefundRequest): Promise<RefundOutcome> {
    return this.guard(account, refundOutcome, () => this.gateway.refund(account, request));
  }

  lookUpRefund(account: GatewayAccount, idempotencyKey: string): Promise<RefundOutcome> {
    return this.guard(account, refundOutcome, () => this.gateway.lookUpRefund(account, idempotencyKey));
  }

  readCallback(account: GatewayAccount, message: CallbackMessage): Callback {
    return this.gateway.readCallback(account, message);
  }

  private async guard<T>(account: GatewayAccount, form: z.ZodType<T>, call: () => Promise<unknown>): Promise<T> {
    const breaker = this.breakerOf(account);
    if (!breaker.admits())
      throw new GatewayFault("NOT_SENT", "The gateway has not answered for a while and is left alone.");
    let timer: NodeJS.Timeout | undefined;
    try {
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => reject(new GatewayFault("UNKNOWN", `The gateway did not answer within ${this.rules.timeoutMs} ms.`)),
          this.rules.timeoutMs,
        );
      });
      const read = form.safeParse(await Promise.race([call(), late]));
      if (!read.success) throw new GatewayFault("UNKNOWN", "The gateway's answer cannot be read.");
      breaker.succeeded();
      return read.data;
    } catch (error) {
      breaker.failed();
      if (error instanceof GatewayFault) throw error;
      throw new GatewayFault("UNKNOWN", `The gateway failed: ${(error as Error).message}`);
    } finally {
      clearTimeout(timer);
    }
  }

  private breakerOf({ vendorId, gateway }: GatewayAccount): CircuitBreaker {
    const key = `${vendorId} ${gateway}`;
    const known = this.breakers.get(key) ?? new CircuitBreaker(this.rules, () => this.clock.now().getTime());
    this.breakers.set(key, known);
    return known;
  }
}
