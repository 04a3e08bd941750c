import type { ChargingRequest } from "../../idempotency/idempotency.service.ts";
import { invariant } from "../../kernel/refusals.ts";
import { required } from "../../kernel/required-values.ts";
import { GatewayCallService } from "../gateways/gateway-account.service.ts";
import { PaymentRequestService, type PaymentDependencies, type PaymentServices } from "../payment-request.service.ts";
import { isLookUpDue } from "../payment.states.ts";
import type { RefundRecord } from "./refund.repository.ts";
import type { RefundIntent } from "./refund.service.ts";

/** Refunds orders: claims the refunds in one transaction, sends each while none is open, records its outcome in another. */
export class RefundProcessor<Services extends PaymentServices = PaymentServices> {
  private readonly requests: PaymentRequestService<Services>;
  private readonly gatewayCalls: GatewayCallService;

  constructor(private readonly deps: PaymentDependencies<Services>) {
    this.requests = new PaymentRequestService(deps);
    this.gatewayCalls = new GatewayCallService(deps);
  }

  /**
   * Refunds an order. A repeat of the request sends a refund again if it has been unanswered for longer than the
   * gateway's time limit.
   */
  async refundOrder(vendorId: number, intent: RefundIntent, request?: ChargingRequest): Promise<void> {
    const { refundIds, isNew } = await this.requests.runOncePerKey(vendorId, request, async ({ refunds }) => {
      const claimed = await refunds.claim(vendorId, intent);
      return { refundIds: claimed.map(({ id }) => id) };
    });
    const refunds = await this.deps.write((services) => services.refunds.byIds(vendorId, refundIds));
    const pending = refunds.filter(({ state }) => state === "PENDING");
    if (!isNew && pending.some((refund) => !isLookUpDue(refund, this.deps.now())))
      throw this.requests.refuseRunningRequest();
    for (const refund of pending) await this.sendRefund(vendorId, refund);
    this.deps.watch.onEffect();
  }

  /** Sends a refund, or sends it again: the gateway refunds once per idempotency key. */
  async sendRefund(vendorId: number, refund: RefundRecord): Promise<void> {
    const payment = await this.deps.write(({ payments }) => payments.byId(vendorId, refund.paymentId));
    invariant(payment, "a refunded amount was paid");
    const { paymentGateway, gatewayReference, currency } = payment;
    const outcome =
      paymentGateway === "EMPTY"
        ? { kind: "REFUNDED" as const, reference: refund.idempotencyKey }
        : await this.gatewayCalls.query(vendorId, paymentGateway, async (gateway, account) => {
            const { idempotencyKey, amount } = refund;
            const request = {
              idempotencyKey,
              chargeReference: required(gatewayReference, "gatewayReference"),
              amount,
              currency,
              requestedAt: this.deps.now(),
            };
            const knownOutcome = refund.state === "UNKNOWN" ? await gateway.lookUpRefund(account, request) : undefined;
            if (knownOutcome && knownOutcome.kind !== "UNKNOWN") return knownOutcome;
            return gateway.refund(account, request);
          });
    await this.deps.write(({ refunds }) =>
      outcome ? refunds.recordOutcome(vendorId, refund.id, outcome) : refunds.markOutcomeUnknown(vendorId, refund.id),
    );
  }
}
