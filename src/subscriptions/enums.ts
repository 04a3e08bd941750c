import { CancelMoment, PauseMoment, PlanChangeMoment, SubscriptionStatus } from "../../schema/vocabulary.ts";
import { registerVocabularyEnum } from "../graphql/register-enum.ts";

/* The words of subscriptions as GraphQL enums. */

registerVocabularyEnum(SubscriptionStatus, "SubscriptionStatus", "State of a subscription that the gateway charges.", {
  ACTIVE: "It runs.",
  INCOMPLETE: "Its first order is paid; the payment gateway has not confirmed the stored payment method yet.",
  UNPAID: "A renewal charge failed and is being recovered. Nothing new is charged meanwhile.",
  PENDING_PAUSE: "It runs, and pauses when its date comes.",
  PAUSE: "It is paused; nothing is charged until it is activated.",
  PENDING_CANCEL: "It runs, and is cancelled when its date comes.",
  CANCELED: "It was cancelled, for good.",
  EXPIRED: "It came to its end, or the recovery of a charge failed. It does not come back.",
  QUEUEING: "A renewal charge is under way.",
});

registerVocabularyEnum(PauseMoment, "PauseMoment", "When a pause begins.", {
  NOW: "At once. A subscription that is charged afterwards is charged for what was used until now.",
  PERIOD_END: "When the period under way ends.",
});

registerVocabularyEnum(PlanChangeMoment, "PlanChangeMoment", "When a change of plans takes effect.", {
  NOW: "At once, prorated by seconds; a prepaid upgrade when the difference is paid.",
  PERIOD_END: "At the end of the current period. Nothing is charged before.",
});

registerVocabularyEnum(CancelMoment, "CancelMoment", "When a cancellation takes place.", {
  NOW: "At once. A subscription that is charged afterwards is charged for what was used until now.",
  PERIOD_END: "When the period under way ends.",
  AT: "At the time that is told. Until then it renews.",
});
