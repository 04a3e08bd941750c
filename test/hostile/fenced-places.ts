import type { NodeType } from "../../src/graphql/ids.ts";

/** Whose id stands at a place: that of one type of record, or a global id of any. */
export type Whose =
  | Exclude<NodeType, "Vendor">
  | "Node"
  | "CustomerUuid"
  | "ProductCode"
  | "StoredMethod"
  | "Category"
  | "OptionGroup"
  | "ProductOption"
  | "PriceOption"
  | "VendorUuid"
  | "ChildUuid";

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

  "Query.payment id": "Payment",
  "Query.payments filter.orderId": "Order",
  "Query.storedPaymentMethods customerId": "Customer",
  "Query.ledgerEntries filter.orderId": "Order",
  "Mutation.payOrder input.orderId": "Order",
  "Mutation.payOrder input.storedMethodId": "StoredMethod",
  "Mutation.confirmDeposit input.orderId": "Order",
  "Mutation.refundOrder input.orderId": "Order",
  "Mutation.refundOrder input.items.itemId": "OrderItem",
  "Query.node id": "Node",
  "Query.nodes ids": "Node",
  "Query.customer id": "Customer",
  "Query.cover id": "Cover",
  "Query.covers filter.orderId": "CoverOrder",
  "Query.covers filter.subscriptionId": "CoverSubscription",
  "Query.covers filter.renewalOrderId": "Order",
  "Query.covers filter.renewalSubscriptionId": "Subscription",
  "Query.replayDecision id": "RetryDecision",
  "Query.previewRecoverySchedule input.policyId": "RecoveryPolicy",
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

  "Mutation.activateRecoveryPolicy input.policyId": "RecoveryPolicy",
  "Mutation.retireRecoveryPolicy input.policyId": "RecoveryPolicy",
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
  "Mutation.createProduct input.combinedProductIds": "Product",
  "Mutation.updateProduct input.id": "Product",
  "Mutation.updateProduct input.combinedProductIds": "Product",
  "Mutation.updateProduct input.optionGroups.id": "OptionGroup",
  "Mutation.updateProduct input.optionGroups.options.id": "ProductOption",
  "Mutation.createPricePlan input.productId": "Product",
  "Mutation.createPricePlan input.options.optionPriceId": "PricePlan",
  "Mutation.createPricePlan input.bundlePrices.productId": "Product",
  "Mutation.createPricePlan input.bundlePrices.priceId": "PricePlan",
  "Mutation.updatePricePlan input.id": "PricePlan",
  "Mutation.updatePricePlan input.options.id": "PriceOption",
  "Mutation.updatePricePlan input.options.optionPriceId": "PricePlan",
  "Mutation.updatePricePlan input.bundlePrices.productId": "Product",
  "Mutation.updatePricePlan input.bundlePrices.priceId": "PricePlan",
  "Mutation.submitProduct input.productId": "Product",
  "Mutation.approveProduct input.productId": "Product",
  "Mutation.rejectProduct input.productId": "Product",
  "Mutation.startRecovery input.orderId": "CoverOrder",
  "Mutation.startRecovery input.subscriptionId": "CoverSubscription",

  "POST /vendors/{vendorUuid}/children vendorUuid": "VendorUuid",
  "GET /vendors/{vendorUuid}/children vendorUuid": "VendorUuid",
  "Query.childVendorPage vendorUuid": "VendorUuid",
  "Mutation.createChildVendor input.vendorUuid": "VendorUuid",
  "Mutation.setChildVendorEnabled input.vendorUuid": "ChildUuid",

  "POST /invoices customerId": "Customer",
  "POST /orders customerId": "Customer",
  "POST /orders customerUuid": "CustomerUuid",
  "GET /orders/{idOrCode}/pay idOrCode": "Order",
  "GET /customers/{id} id": "Customer",
  "GET /products/{code} code": "ProductCode",
  "GET /products/{id}/prices id": "Product",
  "GET /products/{id}/prices/{priceId} id": "Product",
  "GET /products/{id}/prices/{priceId} priceId": "PricePlan",

  "Query.invoice id": "Invoice",
  "Query.invoices filter.customerId": "Customer",
  "Query.order id": "Order",
  "Query.orders filter.customerId": "Customer",
  "Query.orderPage filter.customerId": "Customer",
  "Query.pricePlan productId": "Product",
  "Query.pricePlan id": "PricePlan",
  "Query.pricePlans filter.productId": "Product",
  "Query.product id": "Product",
  "Query.products filter.categoryId": "Category",
  "Query.subscription id": "Subscription",
  "Query.subscriptions filter.customerId": "Customer",
  "Query.previewSubscriptionCharge subscriptionId": "Subscription",
  "Mutation.pauseSubscription input.subscriptionId": "Subscription",
  "Mutation.activateSubscription input.subscriptionId": "Subscription",
  "Mutation.cancelSubscription input.subscriptionId": "Subscription",
  "Mutation.changeSubscriptionInterval input.subscriptionId": "Subscription",
  "Mutation.changeSubscriptionItems input.subscriptionId": "Subscription",
  "Mutation.changeSubscriptionQuota input.subscriptionId": "Subscription",
  "Mutation.recordUsage input.subscriptionId": "Subscription",
  "Mutation.setUnits input.subscriptionId": "Subscription",
  "Mutation.requestPaymentMethod input.subscriptionId": "Subscription",
  "Mutation.createInvoice input.customerId": "Customer",
  "Mutation.updateInvoice input.invoiceId": "Invoice",
  "Mutation.updateInvoice input.customerId": "Customer",
  "Mutation.sendInvoice input.invoiceId": "Invoice",
  "Mutation.deleteInvoice input.invoiceId": "Invoice",
  "Mutation.createOrder input.customerId": "Customer",
  "Mutation.createOrder input.customerUuid": "CustomerUuid",
  "Mutation.cancelOrder input.orderId": "Order",
  "Mutation.moveOrderItems input.itemIds": "OrderItem",
};
