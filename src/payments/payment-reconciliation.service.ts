import { limitConcurrency } from "../kernel/scheduling/concurrency-limit.ts";
import { GatewayCallService } from "./gateways/gateway-account.service.ts";
import type { ChargeOutcome } from "./gateways/gateway-port.ts";
import type { GatewayWindow, PayerReturn, WindowOrder } from "./gateways/gateway.window.ts";
import type { PaymentDependencies, PaymentServices } from "./payment-request.service.ts";
import { toChargeIdentity } from "./payment.charge.ts";
import type { PaymentRecord } from "./payment.repository.ts";
import { RefundProcessor } from "./refunds/refund-processor.service.ts";

/** Number of attempts that are looked up in one batch. */
const LOOK_UP_BATCH_SIZE = 50;
/** After an outage there are many: one after the other they would hold up the renewals that are due. */
const LOOK_UPS_AT_ONCE = 10;

/** Reconciles attempts whose outcome a crash or a silent gateway left open: they are looked up, and never charged again. */
export class PaymentReconciliation<Services extends PaymentServices = PaymentServices> {
  private readonly refunds: RefundProcessor<Services>;
  private readonly gatewayCalls: GatewayCallService;

  constructor(private readonly deps: PaymentDependencies<Services>) {
    this.refunds = new RefundProcessor(deps);
    this.gatewayCalls = new GatewayCallService(deps);
  }

  /**
   * Settles open attempts whose lease has ended, and unanswered refunds. @returns the number of both. @throws the first error, after
   * the others are settled.
   */
  async resolveOpenAttempts(vendorId: number): Promise<number> {
    const [open, refunds] = await this.deps.write(async (services) => [
      await services.payments.dueForLookUp(vendorId, LOOK_UP_BATCH_SIZE),
      await services.refunds.dueForLookUp(vendorId, LOOK_UP_BATCH_SIZE),
    ]);
    const faults: unknown[] = [];
    const onFault = (error: unknown) => void faults.push(error);
    const close = (payment: PaymentRecord) => this.closeAttempt(vendorId, payment).catch(onFault);
    // The breaker of a gateway that was down lets one call through as a trial, and refuses those that are made beside it.
    const [trial, ...others] = open;
    if (trial) await close(trial);
    const limited = limitConcurrency(LOOK_UPS_AT_ONCE);
    await Promise.all(others.map((payment) => limited(() => close(payment))));
    for (const refund of refunds) await this.refunds.sendRefund(vendorId, refund).catch(onFault);
    if (faults.length > 0) throw faults[0];
    return open.length + refunds.length;
  }

  /** Completes or looks up the attempt that an order waits for, if it waits for one: its payer came back. */
  async completeOpenPayment(vendorId: number, orderId: number, payerReturn: PayerReturn): Promise<void> {
    const open = await this.deps.write(({ payments }) => payments.openAttemptOf(vendorId, orderId));
    if (!open || open.paymentGateway === "EMPTY") return;
    const outcome = await this.gatewayCalls.query(vendorId, open.paymentGateway, (gateway, account) =>
      gateway.completeCharge(account, toChargeIdentity(open), payerReturn),
    );
    if (outcome) await this.deps.write(({ payments }) => payments.recordOutcome(vendorId, open.id, outcome));
  }

  /** The gateway's window in which the payer confirms the attempt that an order waits for; null without a window. */
  async findOpenWindow(vendorId: number, orderId: number, order: WindowOrder): Promise<GatewayWindow | null> {
    const [open, decryptedAccount] = await this.deps.write(async ({ payments, gatewayAccounts }) => {
      const attempt = await payments.openAttemptOf(vendorId, orderId);
      return [attempt, attempt && (await gatewayAccounts.findDecrypted(vendorId, attempt.paymentGateway))];
    });
    if (!open?.challengeUrl || !decryptedAccount) return null;
    const { adapter, account } = decryptedAccount;
    return this.deps.gateways[adapter].describeWindow(account, toChargeIdentity(open), order);
  }

  /** Ends an attempt: it was charged, or never will be. */
  async closeAttempt(vendorId: number, payment: PaymentRecord): Promise<void> {
    const { id, paymentGateway, methodId } = payment;
    const token =
      methodId === null
        ? undefined
        : await this.deps.write(({ storedMethods }) => storedMethods.decryptToken(vendorId, methodId));
    const outcome: ChargeOutcome | undefined =
      paymentGateway === "EMPTY"
        ? { kind: "CLOSED" }
        : await this.gatewayCalls.query(vendorId, paymentGateway, (gateway, account) =>
            gateway.closeCharge(account, { ...toChargeIdentity(payment), token: token ?? null }),
          );
    await this.deps.write(({ payments }) =>
      outcome ? payments.recordOutcome(vendorId, id, outcome) : payments.markOutcomeUnknown(vendorId, id),
    );
  }
}
