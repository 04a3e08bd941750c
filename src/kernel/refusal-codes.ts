/** The meaning of a refusal code for the caller. */
export interface RefusalMeaning {
  /** The cause: one sentence. */
  cause: string;
  /** The remedy: one sentence. */
  cure: string;
  /**
   * The part of the request that the refusal concerns, if it has no field of its own: a header or a part of the
   * request, or the arguments that could name the record, of which the first sent one counts.
   */
  subject?: string | readonly string[];
}

/** Every code that a refusal can carry. The codes are stable: callers branch on them. */
export const refusalCodes = {
  INVALID_ARGUMENT: {
    cause: "A value of the request is missing, of the wrong type or outside its range.",
    cure: "Correct the values whose paths `details.fields` lists.",
  },
  MALFORMED_JSON: {
    cause: "The body is not JSON.",
    cure: "Send one JSON object in UTF-8; the message names the character at which parsing stopped.",
    subject: "body",
  },
  TOKEN_MISSING: {
    cause: "The request has no Secret-Token header.",
    cure: "Send the vendor's key in the header Secret-Token.",
    subject: "Secret-Token",
  },
  TOKEN_INVALID: {
    cause: "The Secret-Token is unknown, or it was revoked.",
    cure: "Send a valid key of the vendor; an operator creates one with `npm run keys -- create --vendor <uuid>`.",
    subject: "Secret-Token",
  },
  SESSION_TOKEN_INVALID: {
    cause: "The Session-Token is no token of this gateway, has expired, or the key that created it has ended.",
    cure: "Have the back end of the page create another token with `createSessionToken`.",
    subject: "Session-Token",
  },
  SESSION_ORIGIN_REFUSED: {
    cause: "The request has a Session-Token, and no `Origin` header or that of another origin than the token's.",
    cure: "Send it from a page of the origin that the token was created for; other programs send a Secret-Token.",
    subject: "Origin",
  },
  SIGN_IN_REFUSED: {
    cause: "No account has this e-mail address and this password, or it is disabled.",
    cure: "Check both. After some attempts, wait, or request a new password.",
  },
  SIGN_IN_CODE_REFUSED: {
    cause: "The code of the second factor is wrong, older than a minute, or was used already.",
    cure: "Send the code that the app shows now, or a recovery code. An owner can reset the second factor.",
  },
  SECOND_FACTOR_ON: {
    cause: "The second factor of this person is on already.",
    cure: "Switch it off with a code first.",
  },
  PERMISSION_DENIED: {
    cause: "The scopes of the key, or the role of the person, do not permit the operation.",
    cure: "Use a key with the scope, or ask an owner of the vendor for the role; docs/people-and-keys.md lists both.",
  },
  API_KEY_NOT_FOUND: {
    cause: "The vendor has no API key with this id, or it expired or was revoked.",
    cure: "Use the id of a valid key of the list `apiKeys`.",
    subject: ["keyId"],
  },
  API_KEY_ROTATED: {
    cause: "Another key replaced this API key already.",
    cure: "Rotate the key that replaced it, or create a new one with `createApiKey`.",
    subject: ["keyId"],
  },
  PERSON_EXISTS: {
    cause: "The vendor has a person with this e-mail address.",
    cure: "Change the person's role instead.",
  },
  INVITATION_ACCEPTED: {
    cause: "The person has accepted the invitation already.",
    cure: "Send no other one. A forgotten password is set again from the sign-in page.",
    subject: ["personId"],
  },
  TOO_MANY_PEOPLE: {
    cause: "The vendor has 200 people.",
    cure: "Remove a person who is not needed, with `removePerson`.",
  },
  PERSON_NOT_FOUND: {
    cause: "The vendor has no person with this id or e-mail address, or the person was removed.",
    cure: "Take the person from the list `people`.",
    subject: ["personId"],
  },
  LAST_OWNER: {
    cause: "The person is the only owner of the vendor who has accepted the invitation.",
    cure: "Give another person the role OWNER first.",
  },
  PASSWORD_LINK_INVALID: {
    cause: "The link to set a password was used, has expired, or was replaced by a newer one.",
    cure: "Use the link of the last mail, or get a new one: on the sign-in page for a password, from an owner for an invitation.",
  },
  SESSION_ENDED: {
    cause: "The console's session expired, was not used for an hour, or was ended.",
    cure: "Sign in again.",
  },
  CROSS_SITE_REQUEST: {
    cause:
      "A request with the cookie of a session, or a sign-in, was sent by a page of another origin, or by a program.",
    cure: "Use the console at the gateway's own address. A program sends the header Secret-Token instead of a cookie.",
  },
  VENDOR_DISABLED: {
    cause: "The vendor that the Secret-Token belongs to is disabled.",
    cure: "Ask the operator of the gateway to enable the vendor.",
    subject: "Secret-Token",
  },
  NOT_FOUND: {
    cause: "The path does not exist, or no record of the vendor has this id.",
    cure: "Compare the path with the API document, and the id with the list that returned it.",
    subject: ["id", "uuid", "vendorUuid", "keyId", "idOrCode", "code"],
  },
  METHOD_NOT_ALLOWED: {
    cause: "The path exists, but not with this method.",
    cure: "Use one of the methods that the Allow header lists.",
    subject: "method",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    cause: "The body is not sent as application/json in UTF-8.",
    cure: "Send the header `Content-Type: application/json`.",
    subject: "Content-Type",
  },
  PAYLOAD_TOO_LARGE: {
    cause: "The body is larger than 1 MB.",
    cure: "Send a smaller body: fewer entries in one request.",
    subject: "body",
  },
  CUSTOMER_NOT_FOUND: {
    cause: "The vendor has no customer with this id.",
    cure: "Take the id from `customers`. Calls under /cover and covers use ids of `coverCustomers`, which are separate.",
    subject: ["customerId", "customerCode", "customerUuid", "id"],
  },
  CUSTOMER_ERASED: {
    cause: "The customer's personal data was erased, which cannot be undone.",
    cure: "Create a new customer.",
    subject: ["customerId", "customerCode", "customerUuid", "id"],
  },
  CUSTOMER_HAS_OPEN_RECORDS: {
    cause: "Something of the customer is live, owed or being processed: the message names the kind and the records.",
    cure: "End subscriptions (`cancelSubscriptions: true` does it), cancel or finish orders and recoveries of registered orders, and wait for payments and refunds; then erase.",
    subject: ["customerId", "cancelSubscriptions"],
  },
  CUSTOMER_OF_PARENT: {
    cause: "The customer was taken over from the parent vendor, which sells to it.",
    cure: "Erase the customer at the parent vendor. That erases it at the children too.",
    subject: "customerId",
  },
  PRODUCT_NOT_FOUND: {
    cause: "The vendor has no product with this id or code.",
    cure: "Take the id or code from `products`. Calls under /cover and covers use ids of `coverProducts`, which are separate.",
    subject: ["productId", "productCode", "id", "code"],
  },
  PRICE_NOT_FOUND: {
    cause: "The vendor has no price plan with this id or code.",
    cure: "Take the id or code from the product's `prices`. Calls under /cover and covers use ids of `coverPrices`, which are separate.",
    subject: ["priceId", "priceCode", "id"],
  },
  ORDER_NOT_FOUND: {
    cause: "The vendor has no order with this id or code.",
    cure: "Take the id or code from `orders`. Calls under /cover and covers use ids of `coverOrders`, which are separate.",
    subject: ["orderId", "idOrCode", "id", "code"],
  },
  ORDER_ITEM_NOT_FOUND: {
    cause: "The vendor has no order item with this id.",
    cure: "Take the id from the `items` of the order.",
    subject: ["itemIds", "itemId", "id"],
  },
  PAYMENT_NOT_FOUND: {
    cause: "The vendor has no payment with this id.",
    cure: "Take the id from `payments` or the `payment` of the order.",
    subject: ["paymentId", "id"],
  },
  PAYMENT_METHOD_NOT_FOUND: {
    cause: "The order's customer has no stored payment method with this id, or it was removed.",
    cure: "Take the id from the customer's `paymentMethods`.",
    subject: ["storedMethodId", "paymentMethodId"],
  },
  CHARGES_AWAIT_OPERATOR: {
    cause: "The gateway was restored from a backup, and a payment gateway cannot be searched for later charges.",
    cure: "Ask the operator to compare the books and to run `npm run charges -- release`. Nothing was charged.",
    subject: ["orderId"],
  },
  NO_PAYMENT_GATEWAY: {
    cause: "The vendor has no payment gateway that supports this method and currency.",
    cure: "Set one up with `configurePaymentGateway`.",
    subject: ["paymentMethod", "method", "orderId"],
  },
  PAYMENT_METHOD_NOT_ALLOWED: {
    cause: "The order cannot be paid by this method.",
    cure: "Use one of the order's `allowedPaymentMethods`.",
    subject: ["paymentMethod", "method", "orderId"],
  },
  PAYMENT_IN_PROGRESS: {
    cause: "A payment of the order, or of a change of the subscription, is in progress.",
    cure: "Wait for the outcome in the `payment` of the order, then decide.",
    subject: ["orderId", "subscriptionId", "id"],
  },
  TOO_MANY_DECLINES: {
    cause: "Ten payments of the order with newly entered cards failed within a day.",
    cure: "Pay by another method, or wait for the number of seconds in `details.retryAfter`.",
    subject: ["orderId"],
  },
  PRICE_CHANGED: {
    cause:
      "The price of the order differs from the price that the payer agreed to. For example, another order used its trial or first-purchase discount.",
    cure: "Show the payer `details.newAmount` instead of `details.oldAmount`. The next attempt charges the new amount.",
    subject: ["amount", "orderId"],
  },
  ORDER_NOT_PAYABLE: {
    cause: "The order is cancelled, refunded or past its deadline, so it cannot be paid.",
    cure: "Create a new order.",
    subject: ["orderId"],
  },
  NO_DEPOSIT_AWAITED: {
    cause: "The order does not wait for a deposit.",
    cure: "Confirm only orders whose items are DEPOSIT_WAITING.",
    subject: ["orderId"],
  },
  DEPOSIT_NOT_ARRIVED: {
    cause: "The gateway reports that the deposit has not arrived yet.",
    cure: "Confirm it again after the payer has made the deposit.",
    subject: ["orderId"],
  },
  REFUND_TOO_HIGH: {
    cause: "The refund is zero, or more than the amount that was paid and not yet refunded.",
    cure: "Refund more than 0 and at most the amount in the message.",
    subject: ["amount", "items", "itemIds", "orderId"],
  },
  REFUND_IN_PROGRESS: {
    cause: "A refund of the order is in progress.",
    cure: "Wait until its outcome is known.",
    subject: ["orderId"],
  },
  CALLBACK_REFUSED: {
    cause: "A callback of a payment gateway is unsigned, wrongly signed or too old.",
    cure: "Sign the callback with the account's secret, and send it within 5 minutes of the time in its signature.",
  },
  INVOICE_NOT_FOUND: {
    cause: "The vendor has no invoice with this id.",
    cure: "Take the id from `invoices`.",
    subject: ["invoiceId", "id"],
  },
  VENDOR_NOT_FOUND: {
    cause: "The uuid belongs neither to the vendor nor to one of its child vendors.",
    cure: "Take the uuid from `vendor` or `childVendors`.",
    subject: ["vendorUuid", "uuid"],
  },
  SUBSCRIPTION_NOT_FOUND: {
    cause: "The vendor has no subscription with this id.",
    cure: "Take the id from `subscriptions`. Calls under /cover and covers use ids of `coverSubscriptions`, which are separate.",
    subject: ["subscriptionId", "id"],
  },
  POLICY_NOT_FOUND: {
    cause: "The vendor has no recovery policy of its own with this id.",
    cure: "Take the id from `recoveryPolicies`.",
    subject: ["policyId", "id"],
  },
  MODEL_OF_PARENT: {
    cause:
      "A child vendor has no model of its own: it uses the model of its parent, who also decides whether retries are shared.",
    cure: "Call with a token of the parent vendor.",
    subject: [],
  },
  MODEL_NOT_FOUND: {
    cause:
      "The vendor's family has no recovery model with this version and it is not the published one, or it is a country's, which policies cannot name.",
    cure: "Take the version from `recoveryModels`, or send AUTO, which uses the best model that there is.",
    subject: ["model", "version"],
  },
  BACKTEST_TOO_LARGE: {
    cause: "The period has more cases than one backtest computes, or the backtest took longer than two minutes.",
    cure: "Choose a shorter period; `npm run recovery:backtest` computes larger ones.",
    subject: ["from", "until"],
  },
  BACKTEST_BUSY: {
    cause: "Backtests and other estimates of this and of other vendors are being computed, and the wait was too long.",
    cure: "Repeat the request after `details.retryAfter` seconds.",
    subject: ["policyId", "terms"],
  },
  SHADOW_REPORT_TOO_LARGE: {
    cause: "The period has more covers in shadow mode than one report computes, or it took longer than two minutes.",
    cure: "Choose a shorter period.",
    subject: ["from", "until"],
  },
  ESTIMATES_BUSY: {
    cause:
      "Estimates from the recorded cases of this and of other vendors are being computed, and the wait was too long.",
    cure: "Repeat the request after `details.retryAfter` seconds.",
    subject: ["from", "until", "first"],
  },
  EXPERIMENT_NOT_FOUND: {
    cause: "The vendor has no experiment of its own with this id.",
    cure: "Take the id from `recoveryExperiments`.",
    subject: ["experimentId", "id"],
  },
  EXPERIMENT_RUNNING: {
    cause: "The vendor has an experiment that is running, and a payer can be in one arm only.",
    cure: "Stop it with `stopRecoveryExperiment`, or promote one of its arms, and start the new one then.",
    subject: [],
  },
  EXPERIMENT_STOPPED: {
    cause: "The experiment has ended, so that none of its arms can be promoted.",
    cure: "Activate the policy of the arm with `activateRecoveryPolicy`.",
    subject: ["experimentId"],
  },
  DECISION_NOT_REPLAYABLE: {
    cause: "The decision needs a rulebook, a decline table, a model or an engine that this version does not have.",
    cure: "Replay it with the version of the gateway that made it.",
    subject: ["decisionId", "id"],
  },
  DECLINE_CODE_KNOWN: {
    cause: "The gateway or the card networks define the meaning of this code, so it cannot be mapped.",
    cure: "Map only codes that `unmappedDeclines` lists.",
    subject: ["errorCode"],
  },
  SUBSCRIPTION_ITEM_NOT_FOUND: {
    cause: "The subscription has no item with this code.",
    cure: "Take the code from the `items` of the subscription.",
    subject: ["itemCode"],
  },
  SUBSCRIPTION_NOT_RUNNING: {
    cause:
      "The subscription is paused, unpaid, ended or has a charge in progress. Its contents can be changed only while it is running.",
    cure: "Resume or recover the subscription first, or create a new one.",
    subject: ["subscriptionId", "id"],
  },
  SUBSCRIPTION_NOT_SWITCHED_OVER: {
    cause:
      "The subscription was imported, and its switch-over has not come: until then the previous system charges it.",
    cure: "Change it after the time in the message, or in the previous system before it is exported.",
    subject: ["subscriptionId", "id"],
  },
  DUPLICATE_PARTNER_ID: {
    cause: "The partner id is registered already.",
    cure: "Send `replaceIfExists` true to update the record with the id `details.id`, or use another partner id.",
    subject: ["partnerOrderId", "partnerPriceId", "partnerProductId", "partnerSubscriptionId", "partnerCustomerId"],
  },
  ALREADY_TAKEN: {
    cause: "Another record of the vendor has this value, which must be unique.",
    cure: "Choose another value for the field that `details.fields` lists.",
  },
  ORDER_NOT_RECOVERABLE: {
    cause: "The order is paid, cancelled or refunded, so there is nothing to recover.",
    cure: "Start a recovery only for an order whose payment failed.",
    subject: ["orderId"],
  },
  ORDER_ALREADY_PAID: {
    cause: "The order is paid.",
    cure: "Refund it instead of paying or cancelling it.",
    subject: ["orderId"],
  },
  SUBSCRIPTION_CANCELED: {
    cause: "The subscription is cancelled.",
    cure: "Activate it before starting a recovery.",
    subject: ["subscriptionId"],
  },
  SUBSCRIPTION_MISMATCH: {
    cause: "The order does not belong to the subscription, or they have different customers.",
    cure: "Send ids that belong together.",
    subject: ["subscriptionId", "initialOrderId", "orderId"],
  },
  PRODUCT_NOT_ORDERABLE: {
    cause: "The product is not on sale, or has no price plan, so it cannot be ordered.",
    cure: "Put the product on sale, or order another one.",
    subject: ["productCode", "productId"],
  },
  REGION_NOT_SOLD: {
    cause: "The product is not sold in the region of the order.",
    cure: "Order it for one of its `availableRegions`.",
    subject: ["region"],
  },
  OUT_OF_STOCK: {
    cause: "The remaining stock is smaller than the ordered quantity.",
    cure: "Order at most the remaining stock.",
  },
  WAITING_APPROVAL: {
    cause: "The product waits for the parent vendor's decision. It cannot be changed until then.",
    cure: "Change it after it is approved or rejected.",
    subject: ["productId", "id"],
  },
  CURRENCY_MISMATCH: {
    cause: "The child's base currency differs from its parent's, so the product's prices would be other amounts there.",
    cure: "Use the same base currency for both vendors.",
    subject: ["productId", "id"],
  },
  NO_PARENT_VENDOR: {
    cause: "The vendor has no parent that could approve a product.",
    cure: "Put the product on sale directly.",
    subject: ["productId", "id"],
  },
  QUANTITY_LIMIT: {
    cause:
      "The quantity is above the plan's maximumPurchaseQuantity, or outside the range that is offered to the payer.",
    cure: "Order a smaller quantity.",
    subject: ["quantity"],
  },
  ALREADY_SUBSCRIBED: {
    cause: "The customer has, or is paying for, a subscription of a product that allows only one.",
    cure: "Change the existing subscription instead.",
    subject: ["customerId", "orderId"],
  },
  INVOICE_NOT_A_DRAFT: {
    cause: "The invoice is not a draft any more. Only a draft can be changed or deleted.",
    cure: "Create another invoice.",
    subject: ["invoiceId", "id"],
  },
  QUANTITY_NOT_PRICED: {
    cause: "The plan has no price for this quantity: no range of its volumes contains it.",
    cure: "Choose a quantity within one of the plan's `volumes`.",
    subject: ["quantity"],
  },
  NO_EXCHANGE_RATE: {
    cause: "A plan has no price in this currency, and the vendor has no exchange rate to it.",
    cure: "Set one with `setExchangeRate`, or give the plan a `currencyPrice`.",
    subject: ["currency"],
  },
  QUOTA_EXCEEDED: {
    cause: "The usage would exceed the quota.",
    cure: "Raise the quota first.",
    subject: ["units"],
  },
  UNITS_BELOW_ZERO: {
    cause: "The number of used or allowed units would fall below zero.",
    cure: "Subtract at most the current number of units.",
    subject: ["units"],
  },
  AMOUNT_TOO_HIGH: {
    cause: "The total has more than 15 digits.",
    cure: "Order a smaller quantity.",
    subject: ["items"],
  },
  DISCOUNT_TOO_HIGH: {
    cause: "The discount is larger than the amount that it reduces.",
    cure: "Lower the discount.",
    subject: ["discount"],
  },
  COVER_IN_PROGRESS: {
    cause: "A cover is in progress, so the record cannot be moved to another customer or subscription.",
    cure: "Wait until the cover has ended, or cancel its order or subscription.",
    subject: ["subscriptionId", "customerId"],
  },
  ILLEGAL_TRANSITION: {
    cause: "The state machine has no such transition from the current state.",
    cure: "Use one of the transitions that `details.legal` lists.",
    subject: ["itemIds", "orderId", "subscriptionId", "invoiceId", "productId", "status", "id"],
  },
  SECRETS_KEY_MISSING: {
    cause: "A secret would be stored or a link signed, but the gateway has no key for it.",
    cure: "Ask the gateway's operator to set SECRETS_KEY.",
  },
  CURRENCY_LOCKED: {
    cause: "The vendor locked its base currency, or has amounts in it (prices, orders, exchange rates).",
    cure: "Keep the base currency, and sell in other currencies by exchange rates.",
    subject: ["currency"],
  },
  IDEMPOTENCY_KEY_IN_USE: {
    cause: "A request with this idempotency key is still running.",
    cure: "Send it again in a moment.",
    subject: "Idempotency-Key",
  },
  IDEMPOTENCY_KEY_REUSED: {
    cause: "This idempotency key was sent with a different request within 24 hours.",
    cure: "Use a new key for each request, and the same key only to repeat the same request.",
    subject: "Idempotency-Key",
  },
  KEYED_ANSWER_TOO_LARGE: {
    cause:
      "The answer to a request with an idempotency key has more than 1,048,576 characters. It cannot be stored for a repeat, so nothing was changed.",
    cure: "Select fewer fields or rows, or send the request without Idempotency-Key.",
    subject: "Idempotency-Key",
  },
  TOO_MANY_REQUESTS: {
    cause:
      "Too many requests are in progress, the key has sent as many in this minute as it may, or too many had a wrong token.",
    cure: "Wait for the number of seconds in the Retry-After header.",
  },
  TOO_MANY_STREAMS: {
    cause: "The key, its vendor or the process has as many open event streams as it may have.",
    cure: "Close a stream, or read several types of events by one. Otherwise wait for the number of seconds in the Retry-After header.",
  },
  QUERY_TOO_LONG: {
    cause: "The GraphQL document has more than 2,000 tokens or 100,000 characters.",
    cure: "Split the document.",
    subject: "query",
  },
  QUERY_TOO_DEEP: {
    cause: "The GraphQL document is more than 12 levels deep.",
    cure: "Select fewer levels, or split the document.",
    subject: "query",
  },
  TOO_MANY_ALIASES: {
    cause: "The GraphQL document has more than 30 aliases.",
    cure: "Split the document.",
    subject: "query",
  },
  TOO_MANY_ROOT_FIELDS: {
    cause: "The GraphQL document has more than 10 root fields.",
    cure: "Split the document.",
    subject: "query",
  },
  TOO_MANY_REPEATED_FIELDS: {
    cause: "The GraphQL document repeats fields of the same name too often: more than 10,000 pairs must be compared.",
    cure: "Select each field once.",
    subject: "query",
  },
  QUERY_TOO_COSTLY: {
    cause: "The GraphQL document could return more than 50,000 rows, or requests more than one full introspection.",
    cure: "Request smaller slices by `first`, or fewer nested lists.",
    subject: "query",
  },
  QUERY_TOO_SLOW: {
    cause:
      "A read that could return more than 1,000 rows exceeded its time limit. The limit is 15 s for 1,000 rows, less for more rows, and at least 3 s.",
    cure: "Request smaller slices or pages, or filter the list.",
    subject: "query",
  },
  ANSWER_TOO_LARGE: {
    cause: "The answer would have more than 16 million characters.",
    cure: "Request smaller pages or slices, or fewer fields.",
    subject: "query",
  },
  INTROSPECTION_CLOSED: {
    cause: "The operator of this gateway has disabled introspection.",
    cure: "Read the printed schema, `schema/schema.graphql`.",
    subject: "query",
  },
  WEBHOOK_URL_REFUSED: {
    cause: "The URL cannot be that of a webhook endpoint.",
    cure: "Send an https URL with a public address and without user and password; a sandbox can use http.",
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    cause: "The vendor has no webhook endpoint with this id.",
    cure: "Use an id of the list `webhookEndpoints`.",
    subject: ["endpointId", "deliveryId"],
  },
  WEBHOOK_DELIVERY_NOT_FOUND: {
    cause:
      "The vendor has no webhook delivery with this id. Deliveries are deleted after their end: by default after 30 days.",
    cure: "Use an id of the list `webhookDeliveries`.",
    subject: ["deliveryId"],
  },
  WEBHOOK_ENDPOINT_DISABLED: {
    cause: "The webhook endpoint is disabled.",
    cure: "Enable it with `enableWebhookEndpoint`, then try again.",
    subject: ["endpointId", "deliveryId"],
  },
  TOO_MANY_WEBHOOK_ENDPOINTS: {
    cause: "The vendor has 20 webhook endpoints.",
    cure: "Delete an endpoint that is not needed, with `deleteWebhookEndpoint`.",
  },
  TOO_MANY_WEBHOOK_DELIVERIES: {
    cause: "This webhook endpoint has 1,000 open tests and redeliveries.",
    cure: "Try again when some of them have ended. `replayWebhooks` delivers many events again at once.",
    subject: ["endpointId", "deliveryId"],
  },
  CLOCK_MOVE_TOO_LARGE: {
    cause: "This advance of the test clock would make more than 5,000 charges of the sandbox's subscriptions due.",
    cure: "Advance the clock in smaller steps, or cancel subscriptions that are not needed.",
    subject: ["by"],
  },
  CLOCK_QUOTA_EXCEEDED: {
    cause:
      "The advances of the test clock would make more than 20,000 charges due on one day. The limit counts charges of the sandbox's subscriptions on a day (UTC) of real time.",
    cure: "Wait for the number of seconds in `details.retryAfter`, advance the clock less, or cancel subscriptions that are not needed.",
    subject: ["by"],
  },
  TEST_CLOCK_UNAVAILABLE: {
    cause: "Only a sandbox vendor without a parent can advance its clock.",
    cure: "Use the token of a sandbox vendor without a parent.",
  },
  GRAPHQL_PARSE_FAILED: {
    cause: "The GraphQL document is not well-formed.",
    cure: "Correct the document where `locations` points.",
    subject: "query",
  },
  GRAPHQL_VALIDATION_FAILED: {
    cause: "The GraphQL document does not fit the schema.",
    cure: "Correct the fields or arguments that `details.fields` lists.",
    subject: "query",
  },
  BAD_REQUEST: {
    cause: "The HTTP request is not one that this service supports.",
    cure: "Follow the message; `/openapi.json` and `docs/graphql.md` show how to make a request.",
  },
  INTERNAL_ERROR: {
    cause: "Something failed on our side.",
    cure: "Report it with the traceId. Nothing was changed.",
  },
  UNAVAILABLE: {
    cause: "The service cannot reach its database.",
    cure: "Send the request again after the number of seconds in Retry-After.",
  },
} as const satisfies Record<string, RefusalMeaning>;
export type RefusalCode = keyof typeof refusalCodes;

/** The meaning of a code in two sentences: cause and cure. */
export const refusalMeaningOf = (code: RefusalCode): string => `${refusalCodes[code].cause} ${refusalCodes[code].cure}`;
