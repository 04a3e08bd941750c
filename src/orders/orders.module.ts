import { OrderBatchRepository } from "./batches/order-batch.repository.ts";
import { ChildOfferRepository } from "./child-offer.repository.ts";
import { ChildOrderService } from "./child-order.service.ts";
import { OrderItemService } from "./order-item.service.ts";
import { OrderPaymentService } from "./order-payment.service.ts";
import { OrderRecordService } from "./order-record.service.ts";
import { OrderEligibilityRepository } from "./order-eligibility.repository.ts";
import { OrderEligibilityService } from "./order-eligibility.service.ts";
import { OrderRepository } from "./order.repository.ts";
import { OrderService } from "./order.service.ts";
import { OrderTotalsRepository } from "./order-totals.repository.ts";
import { OrderTotalsService } from "./order-totals.service.ts";
import { OrderPricingService } from "./pricing/order-pricing.service.ts";

/** The orders services of a transaction, by the names under which services depend on each other. */
export const ordersModule = {
  repositories: {
    childOfferRepository: ChildOfferRepository,
    orderEligibilityRepository: OrderEligibilityRepository,
    orderRepository: OrderRepository,
    orderTotalsRepository: OrderTotalsRepository,
  },
  /** Those of work that runs many times at once in one transaction. */
  batchRepositories: {
    orderRepository: OrderBatchRepository,
  },
  services: {
    orderItems: OrderItemService,
    orderRecords: OrderRecordService,
    childOrders: ChildOrderService,
    orderEligibility: OrderEligibilityService,
    orders: OrderService,
    orderPricing: OrderPricingService,
    paidOrders: OrderPaymentService,
    orderTotals: OrderTotalsService,
  },
};
