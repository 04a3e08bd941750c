import type { Database } from "./database/client.ts";
import { contextsOn, type Contexts, type ContextTools } from "./graphql/context.ts";
import { repositoriesOn } from "./graphql/repositories.ts";
import { servicesOn } from "./graphql/services.ts";
import type { Clock } from "./kernel/clock.ts";
import { denied } from "./kernel/refusals.ts";
import type { Vault } from "./kernel/secret-vault.ts";
import { GuardedGateway, usualGuard, type GuardRules } from "./payments/gateways/guarded-gateway.ts";
import type { CallbackMessage } from "./payments/gateways/gateway-port.ts";
import { SimulatedGatewayRepository } from "./payments/gateways/simulated/simulated-gateway.repository.ts";
import { SimulatedGateway } from "./payments/gateways/simulated/simulated-gateway.ts";
import { UnpaidSearchService, type SearchedOrders } from "./payments/restores/unpaid-search.service.ts";
import type { VendorRecord } from "./vendors/vendor.repository.ts";

/** What the gateway and the worker move money with. */
export interface CashDesk {
  contexts: Contexts;
  simulated: SimulatedGateway;
  /** Searches the gateways for payments of a vendor's orders that are unpaid since a restore, and records them. */
  searchUnpaid(vendor: VendorRecord): Promise<SearchedOrders>;
  /** Takes a callback for a vendor's account. @throws a Refusal CALLBACK_REFUSED. */
  takeCallback(vendorUuid: string, gateway: string, message: Omit<CallbackMessage, "at">): Promise<void>;
}

interface CashDeskParts {
  database: Database;
  clock: Clock;
  vault: Vault;
  address: ContextTools["address"];
  guard?: GuardRules | undefined;
}

/** Puts the gateways together with what asks them. */
export function openCashDesk({ database, clock, vault, address, guard = usualGuard }: CashDeskParts): CashDesk {
  const { vendors } = repositoriesOn(database.handle);
  const cashierOf = (vendor: VendorRecord) => contexts.of(vendor, "callback").cashier!;
  const simulated = new SimulatedGateway(
    new SimulatedGatewayRepository(database.handle),
    async ({ vendorId, gateway }, headers, body) => {
      const vendor = await vendors.byId(vendorId);
      if (vendor) await cashierOf(vendor).callback(vendorId, gateway, { headers, body, at: clock.now() });
    },
    async (vendorId, gateway) =>
      (await servicesOn(database.handle, clock.now(), vault).gatewayAccounts.opened(vendorId, gateway))?.account
        .callbackSecret,
    () => clock.now(),
  );
  const gateways = { SIMULATED: new GuardedGateway(simulated, guard, clock) };
  const contexts = contextsOn(database, { clock, vault, address, gateways });
  return {
    contexts,
    simulated,
    searchUnpaid: (vendor) => new UnpaidSearchService(contexts.of(vendor, "search").write, gateways).search(vendor.id),
    takeCallback: async (vendorUuid, gateway, message) => {
      const vendor = await vendors.byUuid(vendorUuid);
      if (!vendor) throw denied("CALLBACK_REFUSED", "Nothing awaits this callback.");
      await cashierOf(vendor).callback(vendor.id, gateway as never, { ...message, at: clock.now() });
    },
  };
}
