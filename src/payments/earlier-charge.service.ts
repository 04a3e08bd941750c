import type { GatewayAdapter, PaymentGateway } from "../../schema/vocabulary.ts";
import type { GatewayAccountService, OpenedAccount } from "./gateway-account.service.ts";
import { GatewayFault, type FoundCharge, type GatewayPort } from "./payment.gateway.ts";
import type { PaymentRecord } from "./payment.repository.ts";
import type { PaymentService } from "./payment.service.ts";

interface Services {
  gatewayAccounts: GatewayAccountService;
  payments: PaymentService;
}

/** What was charged after the backup: nothing, a charge, or nobody but the operator can tell. */
export type EarlierCharge =
  | { kind: "NONE" }
  | { kind: "FOUND"; gateway: PaymentGateway; charge: FoundCharge }
  | { kind: "AWAITS_OPERATOR"; gateway: PaymentGateway };

/**
 * Finds charges that a restored backup does not know. All accounts of the vendor are searched, because the payer may have
 * chosen another one after the backup.
 */
export class EarlierChargeService {
  constructor(
    private readonly read: <T>(work: (services: Services) => Promise<T>) => Promise<T>,
    private readonly gateways: Readonly<Record<GatewayAdapter, GatewayPort>>,
  ) {}

  /** @throws a GatewayFault NOT_SENT where a gateway does not answer: then nothing may be charged. */
  async find(vendorId: number, payment: PaymentRecord, restoredAt: Date): Promise<EarlierCharge> {
    const accounts = await this.read(({ gatewayAccounts }) => gatewayAccounts.openedAll(vendorId));
    const unknown = accounts.find((one) => !this.canSearch(one) && !(one.releasedAt && one.releasedAt >= restoredAt));
    if (unknown) return { kind: "AWAITS_OPERATOR", gateway: unknown.account.gateway };
    try {
      for (const one of accounts.filter((account) => this.canSearch(account))) {
        const charge = await this.approved(vendorId, payment, one);
        if (charge) return { kind: "FOUND", gateway: one.account.gateway, charge };
      }
    } catch (error) {
      if (error instanceof GatewayFault) throw new GatewayFault("NOT_SENT", error.message);
      throw error;
    }
    return { kind: "NONE" };
  }

  /** The first approved charge that is no payment here. One that waits for its payer is closed: it would be paid besides. */
  private async approved(
    vendorId: number,
    { subject, idempotencyKey }: PaymentRecord,
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
