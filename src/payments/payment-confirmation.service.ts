import type { PaymentGateway } from "../../schema/vocabulary.ts";
import type { ChargingRequest } from "../idempotency/idempotency.service.ts";
import { invalid, Refusal, unknownReference } from "../kernel/refusals.ts";
import { approvedWithoutGateway } from "./gateways/charge.outcomes.ts";
import { GatewayCallService, undefinedOnGatewayFault } from "./gateways/gateway-account.service.ts";
import type { RawCallback } from "./gateways/gateway-port.ts";
import { toChargeIdentity } from "./payment.charge.ts";
import { PaymentRequestService, type PaymentDependencies, type PaymentServices } from "./payment-request.service.ts";

/** Takes reports that an attempt was paid: the merchant's of a deposit, and the callbacks of gateways. */
export class PaymentConfirmation<Services extends PaymentServices = PaymentServices> {
  private readonly requests: PaymentRequestService<Services>;
  private readonly gatewayCalls: GatewayCallService;

  constructor(private readonly deps: PaymentDependencies<Services>) {
    this.requests = new PaymentRequestService(deps);
    this.gatewayCalls = new GatewayCallService(deps);
  }

  /**
   * Confirms that the deposit of an order arrived: by the merchant's report for its own account, else by the gateway's.
   * @throws a Refusal ORDER_NOT_FOUND, NO_DEPOSIT_AWAITED, DEPOSIT_NOT_ARRIVED.
   */
  async confirmDeposit(vendorId: number, orderId: number, request?: ChargingRequest): Promise<number> {
    const [recordedEffect, open] = await this.deps.write(async ({ payments, idempotency }) => {
      if (!(await payments.orderExists(vendorId, orderId)))
        throw unknownReference("ORDER_NOT_FOUND", "orderId", "order");
      const effect = request && (await this.requests.findRecordedEffect(vendorId, request, idempotency));
      return [effect, await payments.openAttemptOf(vendorId, orderId)];
    });
    if (recordedEffect && "paymentId" in recordedEffect) {
      this.deps.watch.onEffect();
      return recordedEffect.paymentId;
    }
    if (!open?.vbank) throw invalid("NO_DEPOSIT_AWAITED", "The order does not wait for a deposit.");
    const isOwnAccount = open.paymentGateway === "EMPTY";
    const outcome = isOwnAccount
      ? approvedWithoutGateway(open)
      : await this.gatewayCalls.query(vendorId, open.paymentGateway, (gateway, account) =>
          gateway.lookUpCharge(account, toChargeIdentity(open)),
        );
    if (outcome?.kind === "DEPOSIT")
      throw invalid("DEPOSIT_NOT_ARRIVED", "The gateway reports that the deposit has not arrived yet.");
    await this.requests.runOncePerKey(vendorId, request, async ({ payments }) => {
      if (!outcome) await payments.markOutcomeUnknown(vendorId, open.id);
      else await payments.recordOutcome(vendorId, open.id, outcome, isOwnAccount ? "MANAGER" : "SYSTEM");
      return { paymentId: open.id };
    });
    this.deps.watch.onEffect();
    return open.id;
  }

  /**
   * Handles a callback. Its contents are looked up at the gateway, so that it may come twice, late, or in any order. Without an
   * answer about a dispute it fails, so that the gateway sends it again.
   * @throws a Refusal CALLBACK_REFUSED if its signature is wrong, or the vendor has no account at the gateway.
   */
  async handleCallback(vendorId: number, gateway: PaymentGateway, message: RawCallback): Promise<void> {
    const decryptedAccount = await this.deps.write(({ gatewayAccounts }) =>
      gatewayAccounts.findDecrypted(vendorId, gateway),
    );
    if (!decryptedAccount) throw new Refusal("denied", "CALLBACK_REFUSED", "No payment waits for this callback.");
    const { adapter, account } = decryptedAccount;
    const port = this.deps.gateways[adapter];
    const callback = port.readCallback(account, message);
    if (callback.kind === "IGNORED") return;
    if (callback.kind === "DISPUTE") {
      const dispute = await port.lookUpDispute(account, callback.reference);
      if (dispute) await this.deps.write(({ disputes }) => disputes.recordDispute(vendorId, gateway, dispute));
      return;
    }
    const payment = await this.deps.write(({ payments }) => payments.byKey(vendorId, callback.idempotencyKey));
    if (payment?.paymentGateway !== gateway || payment.state === "SUCCEEDED") return;
    const outcome = await undefinedOnGatewayFault(() => port.lookUpCharge(account, toChargeIdentity(payment)));
    if (outcome) await this.deps.write(({ payments }) => payments.recordOutcome(vendorId, payment.id, outcome));
  }
}
