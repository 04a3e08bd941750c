import type { NodeType } from "../../src/graphql/ids.ts";

/** Whose id stands at a place: that of one type of record, or a global id of any. */
export type Whose = Exclude<NodeType, "Vendor"> | "Node" | "VendorUuid" | "ChildUuid";

/** Places of ids that are nothing of any vendor's. */
export const outside: readonly string[] = ["Mutation.updateVendorSettings input.realmIdentityProviderId"];

/**
 * Every place where an id can stand, in REST and in GraphQL, and whose id it is. A new operation adds its lines here;
 * test/hostile/fence.test.ts asks each for the ids of other vendors.
 */
export const fenced: Readonly<Record<string, Whose>> = {
  "POST /cover/recovery subscriptionId": "CoverSubscription",
  "POST /cover/recovery orderId": "CoverOrder",
  "POST /cover/order customerId": "CoverCustomer",
  "POST /cover/order items.priceId": "CoverPrice",
  "POST /cover/order subscriptionId": "CoverSubscription",
  "POST /cover/price productId": "CoverProduct",
  "PUT /cover/subscription/{subscriptionId}/cancel subscriptionId": "CoverSubscription",
  "POST /cover/subscription customerId": "CoverCustomer",
  "POST /cover/subscription initialOrderId": "CoverOrder",
  "PUT /cover/subscription/{subscriptionId}/active subscriptionId": "CoverSubscription",
  "PATCH /cover/order/success/{orderId} orderId": "CoverOrder",
  "PATCH /cover/order/cancel/{orderId} orderId": "CoverOrder",

  "POST /vendors/{vendorUuid}/children vendorUuid": "VendorUuid",
  "GET /vendors/{vendorUuid}/children vendorUuid": "VendorUuid",

  "Query.node id": "Node",
  "Query.nodes ids": "Node",
  "Query.customer id": "Customer",
  "Query.cover id": "Cover",
  "Query.covers filter.orderId": "CoverOrder",
  "Query.covers filter.subscriptionId": "CoverSubscription",
  "Query.coverCustomer id": "CoverCustomer",
  "Query.coverCustomer partnerCustomerId": "CoverCustomer",
  "Query.coverOrder id": "CoverOrder",
  "Query.coverOrder partnerOrderId": "CoverOrder",
  "Query.coverOrders filter.customerId": "CoverCustomer",
  "Query.coverOrders filter.subscriptionId": "CoverSubscription",
  "Query.coverPrice id": "CoverPrice",
  "Query.coverPrice partnerPriceId": "CoverPrice",
  "Query.coverPrices filter.productId": "CoverProduct",
  "Query.coverProduct id": "CoverProduct",
  "Query.coverProduct partnerProductId": "CoverProduct",
  "Query.coverSubscription id": "CoverSubscription",
  "Query.coverSubscription partnerSubscriptionId": "CoverSubscription",
  "Query.coverSubscriptions filter.customerId": "CoverCustomer",

  "Query.childVendorPage vendorUuid": "VendorUuid",

  "Mutation.createChildVendor input.vendorUuid": "VendorUuid",
  "Mutation.setChildVendorEnabled input.vendorUuid": "ChildUuid",
  "Mutation.activateCoverSubscription input.subscriptionId": "CoverSubscription",
  "Mutation.cancelCoverOrder input.orderId": "CoverOrder",
  "Mutation.cancelCoverSubscription input.subscriptionId": "CoverSubscription",
  "Mutation.registerCoverOrder input.customerId": "CoverCustomer",
  "Mutation.registerCoverOrder input.items.priceId": "CoverPrice",
  "Mutation.registerCoverOrder input.subscriptionId": "CoverSubscription",
  "Mutation.registerCoverPrice input.productId": "CoverProduct",
  "Mutation.registerCoverSubscription input.customerId": "CoverCustomer",
  "Mutation.registerCoverSubscription input.initialOrderId": "CoverOrder",
  "Mutation.reportCoverOrderPaid input.orderId": "CoverOrder",
  "Mutation.reportPaymentMethodChanged input.orderId": "CoverOrder",
  "Mutation.setCoverOrderStatus input.orderId": "CoverOrder",
  "Mutation.updateCustomer input.id": "Customer",
  "Mutation.startRecovery input.orderId": "CoverOrder",
  "Mutation.startRecovery input.subscriptionId": "CoverSubscription",
};
