import { MicroBatches } from "../../kernel/scheduling/micro-batches.ts";
import { required } from "../../kernel/required-values.ts";
import { runTogether } from "../../kernel/scheduling/run-together.ts";
import { isFree } from "../../orders/order.payability.ts";
import type { DecryptedGatewayAccount } from "../gateways/gateway-account.service.ts";
import type { ChargeOutcome, Gateways } from "../gateways/gateway-port.ts";
import type { PaymentClaim } from "../payment-claim.service.ts";
import type { PaymentProcessor, PaymentSubmission } from "../payment-processor.service.ts";
import type { PaymentServices, RunTransaction } from "../payment-request.service.ts";
import { toChargeTerms } from "../payment.charge.ts";
import type { PaymentRecord, PaymentService } from "../payment.service.ts";

/** A charge to a stored method that is claimed and can be sent without a further transaction. */
export interface PreparedCharge {
  claim: PaymentClaim;
  token: string;
  account: DecryptedGatewayAccount;
}

/** The outcome of an attempt, to be recorded. */
interface AttemptOutcome {
  paymentId: number;
  outcome: ChargeOutcome;
}

/** The most outcomes that are recorded in one transaction. */
const MAX_OUTCOMES = 50;
/** Gateways that answer at once give some answers within this time. */
const GATHER_OUTCOMES_MS = 5;

/**
 * Charges stored methods with few transactions: prepares charges in the transaction that claims many of them, and records together
 * the outcomes that arrive together. It calls the services that charge a single order, so that both do the same.
 */
export class ChargeBatchService<Services extends PaymentServices = PaymentServices> {
  private readonly outcomes: MicroBatches<AttemptOutcome, PaymentRecord>;

  constructor(
    private readonly deps: {
      write: RunTransaction<Services>;
      /** Runs work that is done many times at once in one transaction. */
      writeBatch: RunTransaction<Services>;
      processor: PaymentProcessor<Services>;
      gateways: Gateways;
      vendorId: number;
      /** Gets the error of outcomes that could not be recorded together. */
      onFault: (error: unknown) => void;
    },
  ) {
    const { write, writeBatch } = deps;
    this.outcomes = new MicroBatches({
      runBatch: (all) => writeBatch(({ payments }) => runTogether(all, (outcome) => this.record(payments, outcome))),
      runOne: (outcome) => write(({ payments }) => this.record(payments, outcome)),
      maxSize: MAX_OUTCOMES,
      gatherMs: GATHER_OUTCOMES_MS,
      onFault: deps.onFault,
    });
  }

  /**
   * Claims a charge. @returns undefined for one that is to be claimed by itself, because an earlier attempt is resumed, gateways
   * are searched after a restore, or there is nothing to charge; its claim must be undone. @throws a Refusal of the claim.
   */
  async prepare(
    { paymentClaims, storedMethods, gatewayAccounts }: PaymentServices,
    submission: PaymentSubmission & { storedMethodId: number },
  ): Promise<PreparedCharge | undefined> {
    const { vendorId } = this.deps;
    const claim = await paymentClaims.claim(vendorId, submission);
    if (!claim?.isNew || claim.restoredAt || isFree(claim.payment)) return undefined;
    const token = await storedMethods.decryptToken(vendorId, submission.storedMethodId);
    const account = await gatewayAccounts.findDecrypted(vendorId, claim.payment.paymentGateway);
    return token === undefined || !account ? undefined : { claim, token, account };
  }

  /** Sends a charge and records its outcome. `onAnswer` is called when the gateway has answered. @returns the recorded payment. */
  async send(
    { claim: { payment, order }, token, account: { adapter, account } }: PreparedCharge,
    onAnswer: () => void,
  ): Promise<PaymentRecord> {
    const { vendorId, write, processor, gateways } = this.deps;
    const request = {
      ...toChargeTerms(payment, order),
      instrument: { kind: "TOKEN" as const, token },
      storeInstrument: false,
      returnUrl: null,
    };
    let recorded: PaymentRecord | undefined;
    await processor.settleAttempt(
      vendorId,
      payment,
      () => gateways[adapter].charge(account, request).finally(onAnswer),
      async (outcome) => {
        recorded = await this.outcomes.add({ paymentId: payment.id, outcome });
      },
    );
    return recorded ?? required(await write(({ payments }) => payments.byId(vendorId, payment.id)), "the payment");
  }

  private async record(payments: PaymentService, { paymentId, outcome }: AttemptOutcome): Promise<PaymentRecord> {
    await payments.recordOutcome(this.deps.vendorId, paymentId, outcome);
    return required(await payments.byId(this.deps.vendorId, paymentId), "the payment");
  }
}
