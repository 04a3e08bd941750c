import type { KeyScope, PermissionArea, PersonRole } from "../../../schema/vocabulary.ts";

/** What a caller may do. */
export interface Permissions {
  /** Whether queries and streams are permitted. */
  canRead: boolean;
  /** The areas whose mutations are permitted. */
  areas: readonly PermissionArea[];
}

/** What people of each role may do. Everyone reads everything. */
export const rolePermissions: Readonly<Record<PersonRole, Permissions>> = {
  OWNER: { canRead: true, areas: ["SUPPORT", "MONEY", "CATALOGUE", "RECOVERY", "ADMIN", "SESSIONS"] },
  FINANCE: { canRead: true, areas: ["SUPPORT", "MONEY", "CATALOGUE", "RECOVERY"] },
  SUPPORT: { canRead: true, areas: ["SUPPORT"] },
  READ_ONLY: { canRead: true, areas: [] },
};

/** What each scope of a key permits. */
const scopePermissions: Readonly<Record<KeyScope, Permissions>> = {
  READ: { canRead: true, areas: [] },
  WRITE: { canRead: false, areas: ["SUPPORT", "MONEY", "CATALOGUE"] },
  RECOVERY: { canRead: false, areas: ["RECOVERY"] },
  // Who may create keys may create the weaker tokens of sessions; keys from before this scope keep everything.
  ADMIN: { canRead: false, areas: ["ADMIN", "SESSIONS"] },
  SESSIONS: { canRead: false, areas: ["SESSIONS"] },
};

/** What a key with these scopes may do. */
export const permissionsOfScopes = (scopes: readonly KeyScope[]): Permissions => ({
  canRead: scopes.some((scope) => scopePermissions[scope].canRead),
  areas: scopes.flatMap((scope) => scopePermissions[scope].areas),
});

/** Whether permissions are within others: nobody hands out more than they have. */
export const isWithin = (granted: Permissions, limit: Permissions): boolean =>
  (limit.canRead || !granted.canRead) && granted.areas.every((area) => limit.areas.includes(area));

/** What the payment link of an order may do, which needs no token: it reads that order. */
export const paymentLinkPermissions: Permissions = { canRead: true, areas: [] };

/** The area of each mutation. A mutation that is not here stops the process at its start. */
export const mutationAreas: Readonly<Record<string, PermissionArea>> = {
  createCustomer: "SUPPORT",
  updateCustomer: "SUPPORT",
  createOrder: "SUPPORT",
  cancelOrder: "SUPPORT",
  moveOrderItems: "SUPPORT",
  activateSubscription: "SUPPORT",
  cancelSubscription: "SUPPORT",
  pauseSubscription: "SUPPORT",
  changeSubscriptionInterval: "SUPPORT",
  changeSubscriptionItems: "SUPPORT",
  changeSubscriptionPlan: "SUPPORT",
  changeSubscriptionQuota: "SUPPORT",
  setSubscriptionUnits: "SUPPORT",
  recordUsage: "SUPPORT",
  createPaymentMethodLink: "SUPPORT",
  requestPaymentMethod: "SUPPORT",

  payOrder: "MONEY",
  refundOrder: "MONEY",
  confirmDeposit: "MONEY",
  createInvoice: "MONEY",
  updateInvoice: "MONEY",
  sendInvoice: "MONEY",
  deleteInvoice: "MONEY",
  reportInvoiceUndelivered: "MONEY",

  createProduct: "CATALOGUE",
  updateProduct: "CATALOGUE",
  submitProduct: "CATALOGUE",
  approveProduct: "CATALOGUE",
  rejectProduct: "CATALOGUE",
  createPricePlan: "CATALOGUE",
  updatePricePlan: "CATALOGUE",

  registerCoverCustomer: "RECOVERY",
  registerCoverOrder: "RECOVERY",
  registerCoverPrice: "RECOVERY",
  registerCoverProduct: "RECOVERY",
  registerCoverSubscription: "RECOVERY",
  activateCoverSubscription: "RECOVERY",
  cancelCoverSubscription: "RECOVERY",
  cancelCoverOrder: "RECOVERY",
  setCoverOrderStatus: "RECOVERY",
  reportCoverOrderPaid: "RECOVERY",
  reportPaymentMethodChanged: "RECOVERY",
  startRecovery: "RECOVERY",
  mapDeclineCode: "RECOVERY",
  proposeRecoveryPolicy: "RECOVERY",
  activateRecoveryPolicy: "RECOVERY",
  retireRecoveryPolicy: "RECOVERY",
  backtestRecoveryPolicy: "RECOVERY",
  startRecoveryExperiment: "RECOVERY",
  stopRecoveryExperiment: "RECOVERY",
  promoteRecoveryExperimentArm: "RECOVERY",
  trainRecoveryModel: "RECOVERY",

  updateVendor: "ADMIN",
  updateVendorSettings: "ADMIN",
  updateMessageSettings: "ADMIN",
  setExchangeRate: "ADMIN",
  removeExchangeRate: "ADMIN",
  advanceTestClock: "ADMIN",
  createChildVendor: "ADMIN",
  setChildVendorEnabled: "ADMIN",
  configurePaymentGateway: "ADMIN",
  invitePerson: "ADMIN",
  resendInvitation: "ADMIN",
  changePersonRole: "ADMIN",
  removePerson: "ADMIN",
  resetSecondFactor: "ADMIN",
  createApiKey: "ADMIN",
  rotateApiKey: "ADMIN",
  revokeApiKey: "ADMIN",
  createWebhookEndpoint: "ADMIN",
  updateWebhookEndpoint: "ADMIN",
  deleteWebhookEndpoint: "ADMIN",
  enableWebhookEndpoint: "ADMIN",
  disableWebhookEndpoint: "ADMIN",
  rotateWebhookSecret: "ADMIN",
  redeliverWebhook: "ADMIN",
  replayWebhooks: "ADMIN",
  sendTestWebhook: "ADMIN",
  eraseCustomer: "ADMIN",

  createSessionToken: "SESSIONS",
};
