import { WebhookDeliveryRepository } from "./webhook-delivery.repository.ts";
import { WebhookDeliveryService } from "./webhook-delivery.service.ts";
import { WebhookFanOutRepository } from "./webhook-fan-out.repository.ts";
import { WebhookFanOutService } from "./webhook-fan-out.service.ts";
import { WebhookEndpointRepository } from "./webhook-endpoint.repository.ts";
import { WebhookEndpointService } from "./webhook-endpoint.service.ts";
import { WebhookPartitionRepository } from "./webhook-partition.repository.ts";
import { WebhookPartitionService } from "./webhook-partition.service.ts";

/** The webhooks services of a transaction, by the names under which services depend on each other. */
export const webhooksModule = {
  repositories: {
    webhookFanOutRepository: WebhookFanOutRepository,
    webhookDeliveryRepository: WebhookDeliveryRepository,
    webhookEndpointRepository: WebhookEndpointRepository,
    webhookPartitionRepository: WebhookPartitionRepository,
  },
  services: {
    webhookFanOut: WebhookFanOutService,
    webhookDeliveries: WebhookDeliveryService,
    webhookEndpoints: WebhookEndpointService,
    webhookPartitions: WebhookPartitionService,
  },
};
