import type { GatewayAdapter, PaymentGateway } from "../../schema/vocabulary.ts";
import { invalid } from "../kernel/refusals.ts";
import type { GatewayAccountService, OpenedAccount } from "./gateways/gateway-account.service.ts";
import { GatewayFault, type FoundCharge, type GatewayPort } from "./gateways/gateway-port.ts";
import type { PaymentRecord } from "./payment.repository.ts";
import type { PaymentService } from "./payment.service.ts";

interface Services {
  gatewayAccounts: GatewayAccountService;
  payments: PaymentService;
}

/** What is searched: what was charged, and the key of the attempt that is about to be made; null where none is. */
export type SearchedCharge = Pick<PaymentRecord, "subject"> & { idempotencyKey: string | null };

/** A charge that was made after the backup, and where. */
export interface EarlierCharge {
  gateway: PaymentGateway;
  charge: FoundCharge;
}

/**
 * Finds charges that a restored backup does not know. All accounts of the vendor are searched, because the payer may have
 * chosen another one after the backup.
 */
export class EarlierChargeService {
  constructor(
    private readonly read: <T>(work: (services: Services) => Promise<T>) => Promise<T>,
    private readonly gateways: Readonly<Record<GatewayAdapter, GatewayPort>>,
  ) {}

  /** @throws a Refusal CHARGES_AWAIT_OPERATOR where an account cannot be searched and nobody has compared its books. */
  async requireSearchable(accounts: GatewayAccountService, vendorId: number, restoredAt: Date): Promise<void> {
    const unknown = (await accounts.openedAll(vendorId)).find(
      (one) => !this.canSearch(one) && !(one.releasedAt && one.releasedAt >= restoredAt),
    );
    if (unknown)
      throw invalid(
        "CHARGES_AWAIT_OPERATOR",
        `The gateway was restored from a backup, and ${unknown.account.gateway} cannot be searched for what was charged since. Its operator compares the books and runs "npm run charges -- release".`,
      );
  }

  /** @throws a GatewayFault NOT_SENT where a gateway does not answer: then nothing may be charged. */
  async find(vendorId: number, payment: SearchedCharge): Promise<EarlierCharge | undefined> {
    const accounts = await this.read(({ gatewayAccounts }) => gatewayAccounts.openedAll(vendorId));
    try {
      for (const one of accounts.filter((account) => this.canSearch(account))) {
        const charge = await this.approved(vendorId, payment, one);
        if (charge) return { gateway: one.account.gateway, charge };
      }
    } catch (error) {
      if (error instanceof GatewayFault) throw new GatewayFault("NOT_SENT", error.message);
      throw error;
    }
    return undefined;
  }

  /** The first approved charge that is no payment here. One that waits for its payer is closed: it would be paid besides. */
  private async approved(
    vendorId: number,
    { subject, idempotencyKey }: SearchedCharge,
    { adapter, account }: OpenedAccount,
  ): Promise<FoundCharge | undefined> {
    const port = this.gateways[adapter];
    for (const found of subject === null ? [] : await port.search(account, subject)) {
      const waits = found.outcome.kind === "CHALLENGE" || found.outcome.kind === "DEPOSIT";
      const isOther = waits && found.idempotencyKey !== idempotencyKey;
      const outcome = isOther ? await port.close(account, found.idempotencyKey) : found.outcome;
      if (outcome.kind !== "APPROVED") continue;
      const { reference } = outcome;
      const known = await this.read(({ payments }) => payments.byReference(vendorId, account.gateway, reference));
      if (!known) return { ...found, outcome };
    }
    return undefined;
  }

  private canSearch({ adapter, account }: OpenedAccount): boolean {
    return this.gateways[adapter].canSearch(account);
  }
}
