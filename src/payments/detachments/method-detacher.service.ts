import { GatewayCallService, type GatewayAccountService } from "../gateways/gateway-account.service.ts";
import type { Gateways } from "../gateways/gateway-port.ts";
import type { RunTransaction } from "../payment-request.service.ts";
import type { ClaimedDetachment, MethodDetachmentService } from "./method-detachment.service.ts";

/** The services of one transaction that a detachment needs. */
interface DetachmentServices {
  gatewayAccounts: GatewayAccountService;
  methodDetachments: MethodDetachmentService;
}

/** Detaches stored methods of erased customers at their gateways, outside of a transaction. */
export class MethodDetacher<Services extends DetachmentServices = DetachmentServices> {
  private readonly gatewayCalls: GatewayCallService;

  constructor(private readonly deps: { write: RunTransaction<Services>; gateways: Gateways }) {
    this.gatewayCalls = new GatewayCallService(deps);
  }

  /**
   * Makes the next attempt. A gateway that does not answer is called again after an hour.
   * @returns how many were made. @throws an Error for the log after the last attempt.
   */
  async detachNext(vendorId: number): Promise<number> {
    const { write } = this.deps;
    const claimed = await write(({ methodDetachments }) => methodDetachments.claimDue(vendorId));
    if (!claimed) return 0;
    const isAnswered = await this.isAnswered(vendorId, claimed);
    if (!isAnswered && !claimed.isLast) return 1;
    await write(({ methodDetachments }) => methodDetachments.forgetToken(vendorId, claimed.id));
    if (isAnswered) return 1;
    throw new Error(`${claimed.gateway} did not detach a stored method of an erased customer within 14 days.`);
  }

  /** Whether the gateway has detached the method, or never will: it has no call for it, or the vendor left the gateway. */
  private async isAnswered(vendorId: number, { gateway, token }: ClaimedDetachment): Promise<boolean> {
    const account = await this.deps.write(({ gatewayAccounts }) => gatewayAccounts.findDecrypted(vendorId, gateway));
    if (token === undefined || !account) return true;
    const answer = await this.gatewayCalls.query(vendorId, gateway, (port, opened) => port.detachMethod(opened, token));
    return answer !== undefined;
  }
}
