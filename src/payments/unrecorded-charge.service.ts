import type { GatewayAdapter, PaymentGateway } from "../../schema/vocabulary.ts";
import { invalid } from "../kernel/refusals.ts";
import type { GatewayAccountService, DecryptedGatewayAccount } from "./gateways/gateway-account.service.ts";
import { GatewayFault, type ClosableCharge, type FoundCharge, type GatewayPort } from "./gateways/gateway-port.ts";
import type { PaymentRecord } from "./payment.repository.ts";
import type { PaymentService } from "./payment.service.ts";

interface ChargeSearchServices {
  gatewayAccounts: GatewayAccountService;
  payments: PaymentService;
}

/**
 * The subject to search for, and the idempotency key of the attempt that is about to be made; null if there is none.
 */
export type ChargeSearch = Pick<PaymentRecord, "subject"> & { idempotencyKey: string | null };

/** A charge that was made after the backup, and where. */
export interface UnrecordedCharge {
  gateway: PaymentGateway;
  charge: FoundCharge;
}

/**
 * Finds charges that a restored backup does not know. All accounts of the vendor are searched, because the payer may have
 * chosen another one after the backup.
 */
export class UnrecordedChargeService {
  constructor(
    private readonly read: <T>(work: (services: ChargeSearchServices) => Promise<T>) => Promise<T>,
    private readonly gateways: Readonly<Record<GatewayAdapter, GatewayPort>>,
  ) {}

  /**
   * @throws a Refusal CHARGES_AWAIT_OPERATOR if an account cannot be searched and the operator has not compared its
   * books.
   */
  async requireSearchable(accounts: GatewayAccountService, vendorId: number, restoredAt: Date): Promise<void> {
    const unsearchable = (await accounts.listDecrypted(vendorId)).find(
      (one) => !this.canSearch(one) && !(one.releasedAt && one.releasedAt >= restoredAt),
    );
    if (unsearchable)
      throw invalid(
        "CHARGES_AWAIT_OPERATOR",
        `The gateway was restored from a backup, and ${unsearchable.account.gateway} cannot be searched for charges made since then. Its operator compares the books and runs "npm run charges -- release".`,
      );
  }

  /** @throws a GatewayFault NOT_SENT if a gateway does not answer: then no charge may be made. */
  async findCharge(vendorId: number, payment: ChargeSearch): Promise<UnrecordedCharge | undefined> {
    const accounts = await this.read(({ gatewayAccounts }) => gatewayAccounts.listDecrypted(vendorId));
    try {
      for (const decryptedAccount of accounts.filter((account) => this.canSearch(account))) {
        const charge = await this.findApprovedCharge(vendorId, payment, decryptedAccount);
        if (charge) return { gateway: decryptedAccount.account.gateway, charge };
      }
    } catch (error) {
      if (error instanceof GatewayFault) throw new GatewayFault("NOT_SENT", error.message);
      throw error;
    }
    return undefined;
  }

  /**
   * The first approved charge that is not recorded here. One that waits for its payer is closed, so that it is not paid
   * in addition.
   */
  private async findApprovedCharge(
    vendorId: number,
    { subject, idempotencyKey }: ChargeSearch,
    { adapter, account }: DecryptedGatewayAccount,
  ): Promise<FoundCharge | undefined> {
    const port = this.gateways[adapter];
    for (const found of subject === null ? [] : await port.searchCharges(account, subject)) {
      const isAwaitingPayer = found.outcome.kind === "CHALLENGE" || found.outcome.kind === "DEPOSIT";
      const isOtherAttempt = isAwaitingPayer && found.idempotencyKey !== idempotencyKey;
      const outcome = isOtherAttempt ? await port.closeCharge(account, toFoundIdentity(found, subject)) : found.outcome;
      if (outcome.kind !== "APPROVED") continue;
      const { reference } = outcome;
      const knownPayment = await this.read(({ payments }) =>
        payments.byReference(vendorId, account.gateway, reference),
      );
      if (!knownPayment) return { ...found, outcome };
    }
    return undefined;
  }

  private canSearch({ adapter, account }: DecryptedGatewayAccount): boolean {
    return this.gateways[adapter].canSearch(account);
  }
}

/** A charge that waits for its payer is known to its gateway by the name that it was found with. */
const toFoundIdentity = (
  { idempotencyKey, amount, currency, outcome }: FoundCharge,
  subject: string | null,
): ClosableCharge => ({
  idempotencyKey,
  subject,
  reference: "reference" in outcome ? outcome.reference : null,
  amount,
  currency,
  usesStoredMethod: false,
  pageUrl: "url" in outcome ? outcome.url : null,
  token: null,
});
