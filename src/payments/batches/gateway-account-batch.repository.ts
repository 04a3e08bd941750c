import { shareRead } from "../../database/batched-calls.ts";
import type { Handle } from "../../database/client.ts";
import type { PaymentGateway } from "../../../schema/vocabulary.ts";
import { GatewayAccountRepository, type GatewayAccountRecord } from "../gateways/gateway-account.repository.ts";

/** Gateway accounts of work that runs many times at once in one transaction: one read for all. */
export class GatewayAccountBatchRepository extends GatewayAccountRepository {
  private readonly accounts;

  constructor(handle: Handle) {
    super(handle);
    this.accounts = shareRead((vendorId) => super.all(vendorId));
  }

  override all(vendorId: number): Promise<GatewayAccountRecord[]> {
    return this.accounts(vendorId);
  }

  override async byGateway(vendorId: number, gateway: PaymentGateway): Promise<GatewayAccountRecord | undefined> {
    return (await this.accounts(vendorId)).find((account) => account.gateway === gateway);
  }
}
