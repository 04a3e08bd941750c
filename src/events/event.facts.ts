/** The public keys of events. Events of older gateways, and of the demo, may contain internal columns. */
const PUBLIC_FACT_KEYS: ReadonlySet<string> = new Set([
  ...["amount", "currency", "refundable", "quantity", "before", "change", "itemCode", "priceCode", "type"],
  ...["interval", "intervalCount", "at", "until", "pauseAt", "resumeAt", "cancelAt", "nextPaymentDate", "trialEndDate"],
  ...["errorCode", "attempt", "kind", "rule", "reason", "reasonClass", "retryDate", "canceledDate", "from", "to"],
  ...["methodId", "paymentId", "endpointId", "eventId", "eventType", "failingSince", "productId", "productCode"],
  ...["keyName", "sessionId", "origin", "changedFields", "paymentMethod", "modelVersion", "decides"],
  ...["messageId", "channel"],
]);

/** The public facts of an event, without internal columns. */
export const pickPublicFacts = (facts: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(facts).filter(([key]) => PUBLIC_FACT_KEYS.has(key)));
