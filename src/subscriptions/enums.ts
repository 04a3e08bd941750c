import { CancelMoment, PauseMoment, PlanChangeMoment, SubscriptionStatus } from "../../schema/vocabulary.ts";
import { registerVocabularyEnum } from "../graphql/register-enum.ts";

/* The GraphQL enums of subscriptions. */

registerVocabularyEnum(SubscriptionStatus, "SubscriptionStatus", "State of a subscription that Recoup charges.", {
  ACTIVE: "The subscription is running.",
  INCOMPLETE: "The first order is paid; the payment gateway has not confirmed the stored payment method yet.",
  UNPAID: "A renewal charge failed and is being recovered. Nothing new is charged meanwhile.",
  PENDING_PAUSE: "The subscription is running and pauses on its date.",
  PAUSE: "The subscription is paused. Nothing is charged until it is activated.",
  PENDING_CANCEL: "The subscription is running and is cancelled on its date.",
  CANCELED: "The subscription was cancelled. This is final.",
  EXPIRED: "The term ended, or the recovery of a charge failed. This is final.",
  QUEUEING: "A renewal charge is in progress.",
});

registerVocabularyEnum(PauseMoment, "PauseMoment", "Time at which a pause begins.", {
  NOW: "At once. The usage so far of a postpaid subscription is charged.",
  PERIOD_END: "At the end of the current period.",
});

registerVocabularyEnum(PlanChangeMoment, "PlanChangeMoment", "Time at which a change of plans takes effect.", {
  NOW: "At once, prorated by seconds. A prepaid upgrade takes effect when the difference is paid.",
  PERIOD_END: "At the end of the current period. Nothing is charged before.",
});

registerVocabularyEnum(CancelMoment, "CancelMoment", "Time at which a cancellation takes effect.", {
  NOW: "At once. The usage so far of a postpaid subscription is charged.",
  PERIOD_END: "At the end of the current period.",
  AT: "At the given time. Until then the subscription renews.",
});
