import type { DisputeState, PaymentGateway } from "../../../schema/vocabulary.ts";
import type { EventService } from "../../events/event.service.ts";
import { invariant } from "../../kernel/refusals.ts";
import type { OrderRecord, OrderRecordService } from "../../orders/order-record.service.ts";
import type { ReportedDispute } from "../gateways/gateway-port.ts";
import { toDisputeEntries, type LedgerRepository } from "../ledger/ledger.repository.ts";
import type { PaymentRecord, PaymentRepository } from "../payment.repository.ts";
import { disputeStates, type DisputeTrigger } from "../payment.states.ts";
import type { DisputeRecord, DisputeRepository } from "./dispute.repository.ts";

/** The trigger by which a dispute gets its reported state. */
const triggerOfState: Readonly<Record<DisputeState, DisputeTrigger>> = {
  OPEN: "openDispute",
  WON: "winDispute",
  LOST: "loseDispute",
};

/** Records disputes of payments: their states, their events, and the money that the bank holds meanwhile. */
export class DisputeService {
  constructor(
    private readonly deps: {
      disputeRepository: DisputeRepository;
      paymentRepository: PaymentRepository;
      ledgerRepository: LedgerRepository;
      orderRecords: OrderRecordService;
      events: EventService;
      now: Date;
    },
  ) {}

  /**
   * Records a dispute as its gateway reports it now. Repeated reports change nothing, and a report of its end records its
   * beginning too where that was missed.
   */
  async recordDispute(vendorId: number, gateway: PaymentGateway, reported: ReportedDispute): Promise<void> {
    const { chargeReference, state } = reported;
    const unlocked = await this.deps.paymentRepository.byReference(vendorId, gateway, chargeReference);
    if (!unlocked || state === null) return;
    const order = await this.deps.orderRecords.lockOrder(vendorId, unlocked.orderId);
    const payment = await this.deps.paymentRepository.lock(vendorId, unlocked.id);
    invariant(order && payment, "a payment and its order stay");
    const known = await this.deps.disputeRepository.byReference(vendorId, payment.id, reported.reference);
    const dispute = known ?? (await this.openDispute(vendorId, order, payment, reported));
    const trigger = triggerOfState[state];
    if (!disputeStates.legalTriggersFrom(dispute.state).includes(trigger)) return;
    await this.closeDispute(vendorId, order, dispute, trigger);
  }

  private async openDispute(
    vendorId: number,
    order: OrderRecord,
    payment: PaymentRecord,
    { reference, reason, amount, currency, respondBy }: ReportedDispute,
  ): Promise<DisputeRecord> {
    const dispute = await this.deps.disputeRepository.add(vendorId, {
      orderId: payment.orderId,
      paymentId: payment.id,
      gatewayReference: reference,
      state: "OPEN",
      reason,
      amount,
      currency,
      respondBy,
      createdAt: this.deps.now,
    });
    await this.recordMovement(vendorId, order, dispute, "openDispute", null);
    return dispute;
  }

  private async closeDispute(
    vendorId: number,
    order: OrderRecord,
    { id, state: before }: DisputeRecord,
    trigger: DisputeTrigger,
  ): Promise<void> {
    const state = disputeStates.transition(before, trigger);
    const closed = await this.deps.disputeRepository.change(vendorId, id, { state, closedAt: this.deps.now });
    await this.recordMovement(vendorId, order, closed, trigger, before);
  }

  private async recordMovement(
    vendorId: number,
    { customerId }: OrderRecord,
    { id: disputeId, orderId, paymentId, amount, currency, state, reason, gatewayReference, respondBy }: DisputeRecord,
    trigger: DisputeTrigger,
    before: DisputeState | null,
  ): Promise<void> {
    const movement = { orderId, paymentId, disputeId, amount, currency, createdAt: this.deps.now };
    await this.deps.ledgerRepository.add(vendorId, toDisputeEntries(movement, before, state));
    await this.deps.events.recordEvents(vendorId, {
      subject: "PAYMENT",
      subjectId: paymentId,
      trigger,
      statusBefore: before,
      statusAfter: state,
      orderId,
      customerId,
      reason,
      facts: {
        amount: amount.toFixed(),
        currency,
        gatewayReference,
        ...(respondBy && { respondBy: respondBy.toISOString() }),
      },
    });
  }
}
