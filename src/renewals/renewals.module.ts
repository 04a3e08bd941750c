import { UnchargedOrderRepository } from "./uncharged-order.repository.ts";
import { UnchargedOrderService } from "./uncharged-order.service.ts";

/** The renewals services of a transaction, by the names under which services depend on each other. */
export const renewalsModule = {
  repositories: {
    unchargedOrderRepository: UnchargedOrderRepository,
  },
  services: {
    unchargedOrders: UnchargedOrderService,
  },
};
