import { WebhookDeliveryState, WebhookDisabledReason } from "../../schema/vocabulary.ts";
import { registerVocabularyEnum } from "../graphql/register-enum.ts";

/* Registers the enums of webhooks in GraphQL, each value with its description. */

registerVocabularyEnum(WebhookDeliveryState, "WebhookDeliveryState", "State of a webhook delivery.", {
  PENDING: "The event was not delivered yet. An attempt is due, or an earlier event of the same subject is open.",
  SUCCEEDED: "The receiver answered with a status of 200 to 299.",
  FAILED: "No attempt succeeded within three days. `redeliverWebhook` delivers the event again.",
});

registerVocabularyEnum(WebhookDisabledReason, "WebhookDisabledReason", "Reason why a webhook endpoint is disabled.", {
  MERCHANT: "`disableWebhookEndpoint` disabled it.",
  FAILING: "All attempts of three days failed.",
  GONE: "The receiver answered with the status 410 (Gone).",
});
