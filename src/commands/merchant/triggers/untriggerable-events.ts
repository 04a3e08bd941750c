/** The events that no command can make occur in a sandbox, and what does. */
export const untriggerableEvents: Readonly<Record<string, string>> = {
  "payment.disputed": "Only a bank opens a dispute; the simulated gateway has none.",
  "refund.failed": "The simulated gateway refuses no refund that Recoup allows.",
  "refund.unknown": "The simulated gateway answers every refund.",
  "customer.dormant": "A year without an order or a sign-in: recoup clock advance P1Y, for all customers at once.",
  "customer.reactivated": "A dormant customer orders: first recoup clock advance P1Y.",
  "model.trained": "The mutation trainRecoveryModel requests it; a model needs some hundreds of attempts.",
  "model.fallback": "A model is given up only if its probabilities are wrong.",
  "message.failed": "The messages of a sandbox lie in its outbox and do not fail.",
  "person.joined": "The invited person chooses a password at the link in the mail.",
  "person.password_changed": "The person chooses a password at the link in the mail.",
  "person.second_factor_changed": "Each person switches it on with a code from an app.",
  "webhook_delivery.failed": "An event is given up only after three days of attempts.",
};
