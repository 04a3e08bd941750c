import { enumOf } from "./words.ts";

/** The states of a webhook delivery. */
export const WebhookDeliveryState = enumOf("PENDING", "SUCCEEDED", "FAILED");
export type WebhookDeliveryState = keyof typeof WebhookDeliveryState;

/** The reasons why a webhook endpoint is disabled. */
export const WebhookDisabledReason = enumOf("MERCHANT", "FAILING", "GONE");
export type WebhookDisabledReason = keyof typeof WebhookDisabledReason;
