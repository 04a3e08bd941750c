import type { EventService } from "../events/event.service.ts";
import { conflict, invalid, notFound } from "../kernel/refusals.ts";
import { refuseNulls, sentFields } from "../kernel/sent-fields.ts";
import type { SecretVault } from "../kernel/secrets/secret-vault.ts";
import { toEndpointEvent } from "./webhook.events.ts";
import { refuseEventTypes } from "./webhook.event-types.ts";
import { destinationError, type DestinationRules } from "./webhook.destination.ts";
import { generateWebhookSecret } from "./webhook.signature.ts";
import type { WebhookEndpointRecord, WebhookEndpointRepository } from "./webhook-endpoint.repository.ts";
import type { WebhookDeliveryRepository } from "./webhook-delivery.repository.ts";

/** The changes of an endpoint. Absent fields keep their values. */
export interface WebhookEndpointFields {
  url?: string | null;
  eventTypes?: string[] | null;
  description?: string | null;
}

/** What an operator allows to the endpoints of sandboxes. */
export interface WebhookSettings {
  allowPrivate: boolean;
}

/** The vendor, as far as it decides about destinations. */
interface WebhookVendor {
  id: number;
  sandbox: boolean;
}

/** An endpoint as an attempt needs it. */
export interface OpenedEndpoint {
  url: string;
  /** The secrets that sign: two after a rotation. */
  secrets: string[];
  rules: DestinationRules;
}

const MAX_ENDPOINTS = 20;
const MAX_URL_LENGTH = 2_000;
/** How long the secret before a rotation signs too. */
const PREVIOUS_SECRET_MS = 24 * 3_600_000;

const secretLocation = (vendorId: number, field: "secret" | "previous_secret"): string =>
  `webhook_endpoints.${field} ${vendorId}`;

/** Creates, changes and removes the endpoints of vendors, and rotates their secrets. */
export class WebhookEndpointService {
  constructor(
    private readonly deps: {
      webhookEndpointRepository: WebhookEndpointRepository;
      webhookDeliveryRepository: WebhookDeliveryRepository;
      events: EventService;
      vault: SecretVault;
      webhookSettings: WebhookSettings;
      realNow: Date;
    },
  ) {}

  /**
   * Creates an endpoint, which receives the events from now on. The secret is only in the result.
   * @throws a Refusal WEBHOOK_URL_REFUSED, INVALID_ARGUMENT, TOO_MANY_WEBHOOK_ENDPOINTS, SECRETS_KEY_MISSING.
   */
  async create(
    vendor: WebhookVendor,
    { url, eventTypes, description }: WebhookEndpointFields & { url: string },
  ): Promise<{ endpoint: WebhookEndpointRecord; secret: string }> {
    this.requireDestination(vendor, url);
    refuseEventTypes(eventTypes);
    const { webhookEndpointRepository: endpoints, realNow } = this.deps;
    await endpoints.lockCreation(vendor.id);
    if ((await endpoints.count(vendor.id)) >= MAX_ENDPOINTS)
      throw conflict(
        "TOO_MANY_WEBHOOK_ENDPOINTS",
        `The vendor has ${MAX_ENDPOINTS} webhook endpoints; delete one that is not needed.`,
      );
    const secret = generateWebhookSecret();
    const endpoint = await endpoints.add(vendor.id, {
      url,
      description: description ?? null,
      eventTypes: eventTypes ?? null,
      secret: this.deps.vault.encrypt(secret, secretLocation(vendor.id, "secret")),
      lastReadNumber: await endpoints.lastEventNumber(vendor.id),
      createdAt: realNow,
      modifiedAt: realNow,
    });
    const event = toEndpointEvent("WEBHOOK_ENDPOINT_CREATED", "createWebhookEndpoint", endpoint, { wasEnabled: null });
    await this.deps.events.recordModuleEvents(vendor.id, event);
    return { endpoint, secret };
  }

  /**
   * Changes an endpoint. At a new URL its three days of failures begin anew.
   * @throws a Refusal WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_URL_REFUSED, INVALID_ARGUMENT.
   */
  async update(vendor: WebhookVendor, id: number, fields: WebhookEndpointFields): Promise<WebhookEndpointRecord> {
    refuseNulls(fields, ["eventTypes", "description"]);
    if (fields.url != null) this.requireDestination(vendor, fields.url);
    refuseEventTypes(fields.eventTypes);
    const endpoint = await this.lock(vendor.id, id);
    const { url, ...clearable } = sentFields(fields);
    const isMoved = url != null && url !== endpoint.url;
    const values = { ...clearable, ...(isMoved && { url, failingSince: null }) };
    return this.changeByMerchant(vendor.id, "updateWebhookEndpoint", endpoint, values, Object.keys(sentFields(fields)));
  }

  /** Stops deliveries. Those that are open wait until the endpoint is enabled. A disabled endpoint is returned as it is. */
  async disable(vendorId: number, id: number): Promise<WebhookEndpointRecord> {
    const endpoint = await this.lock(vendorId, id);
    if (!endpoint.enabled) return endpoint;
    const values = { enabled: false, disabledReason: "MERCHANT" as const, disabledAt: this.deps.realNow };
    return this.changeByMerchant(vendorId, "disableWebhookEndpoint", endpoint, values, ["enabled"]);
  }

  /**
   * Starts deliveries again: those that were open, at once and for three more days, and the events from now on. An enabled
   * endpoint is returned as it is.
   */
  async enable(vendorId: number, id: number): Promise<WebhookEndpointRecord> {
    const endpoint = await this.lock(vendorId, id);
    if (endpoint.enabled) return endpoint;
    await this.deps.webhookDeliveryRepository.restartOpen(vendorId, id, this.deps.realNow);
    const values = {
      enabled: true,
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      lastReadNumber: await this.deps.webhookEndpointRepository.lastEventNumber(vendorId),
      dueAt: await this.deps.webhookDeliveryRepository.earliestDueAt(vendorId, id),
    };
    return this.changeByMerchant(vendorId, "enableWebhookEndpoint", endpoint, values, ["enabled"]);
  }

  /** Deletes an endpoint. Nothing more is sent to it. */
  async delete(vendorId: number, id: number): Promise<WebhookEndpointRecord> {
    const endpoint = await this.lock(vendorId, id);
    const { realNow } = this.deps;
    const deleted = await this.change(vendorId, id, {
      ...(endpoint.enabled && { enabled: false, disabledReason: "MERCHANT", disabledAt: realNow }),
      deletedAt: realNow,
    });
    const event = toEndpointEvent("WEBHOOK_ENDPOINT_DELETED", "deleteWebhookEndpoint", deleted, {
      wasEnabled: endpoint.enabled,
    });
    await this.deps.events.recordModuleEvents(vendorId, event);
    return deleted;
  }

  /** Replaces the secret. Both sign for 24 hours, so that a receiver can change over. An older secret ends at once. */
  async rotateSecret(vendorId: number, id: number): Promise<{ endpoint: WebhookEndpointRecord; secret: string }> {
    const current = await this.lock(vendorId, id);
    const { vault, realNow } = this.deps;
    const previous = vault.decrypt(current.secret, secretLocation(vendorId, "secret"));
    const secret = generateWebhookSecret();
    const values = {
      secret: vault.encrypt(secret, secretLocation(vendorId, "secret")),
      previousSecret: vault.encrypt(previous, secretLocation(vendorId, "previous_secret")),
      previousSecretUntil: new Date(realNow.getTime() + PREVIOUS_SECRET_MS),
    };
    const endpoint = await this.changeByMerchant(vendorId, "rotateWebhookSecret", current, values, ["secret"]);
    return { endpoint, secret };
  }

  /** An endpoint with its secrets opened, for an attempt. */
  open(vendor: WebhookVendor, endpoint: WebhookEndpointRecord): OpenedEndpoint {
    const { vault, realNow } = this.deps;
    const { previousSecret, previousSecretUntil } = endpoint;
    const isPreviousLive = previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > realNow;
    return {
      url: endpoint.url,
      secrets: [
        vault.decrypt(endpoint.secret, secretLocation(vendor.id, "secret")),
        ...(isPreviousLive ? [vault.decrypt(previousSecret, secretLocation(vendor.id, "previous_secret"))] : []),
      ],
      rules: this.rulesOf(vendor),
    };
  }

  /** Encrypts again, with the first key, the secrets that an older key encrypted. @returns the number of endpoints. */
  async rotateKeys(): Promise<number> {
    const { webhookEndpointRepository: endpoints, vault } = this.deps;
    const outdated = (await endpoints.allEncrypted()).filter(({ secret, previousSecret }) =>
      [secret, previousSecret].some((sealed) => sealed !== null && !vault.isEncryptedWithCurrentKey(sealed)),
    );
    for (const { vendorId, id, secret, previousSecret } of outdated) {
      const reencrypt = (sealed: Buffer, field: "secret" | "previous_secret") => {
        const location = secretLocation(vendorId, field);
        return vault.encrypt(vault.decrypt(sealed, location), location);
      };
      await endpoints.change(vendorId, id, {
        secret: reencrypt(secret, "secret"),
        previousSecret: previousSecret && reencrypt(previousSecret, "previous_secret"),
      });
    }
    return outdated.length;
  }

  /** The endpoint, locked until the transaction ends. @throws a Refusal WEBHOOK_ENDPOINT_NOT_FOUND. */
  async lock(vendorId: number, id: number): Promise<WebhookEndpointRecord> {
    const endpoint = await this.deps.webhookEndpointRepository.lock(vendorId, id);
    if (!endpoint || endpoint.deletedAt !== null)
      throw notFound("WEBHOOK_ENDPOINT_NOT_FOUND", "There is no webhook endpoint with this id.");
    return endpoint;
  }

  /**
   * The endpoint, locked until the transaction ends, if it receives messages.
   * @throws a Refusal WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ENDPOINT_DISABLED.
   */
  async lockEnabled(vendorId: number, id: number): Promise<WebhookEndpointRecord> {
    const endpoint = await this.lock(vendorId, id);
    if (!endpoint.enabled)
      throw conflict(
        "WEBHOOK_ENDPOINT_DISABLED",
        "The webhook endpoint is disabled; enable it with `enableWebhookEndpoint`, then try again.",
      );
    return endpoint;
  }

  /** Changes an endpoint, and records who did it. */
  private async changeByMerchant(
    vendorId: number,
    trigger: string,
    { id, enabled: wasEnabled }: WebhookEndpointRecord,
    values: Partial<WebhookEndpointRecord>,
    changedFields: string[],
  ): Promise<WebhookEndpointRecord> {
    const changed = await this.change(vendorId, id, values);
    const event = toEndpointEvent("WEBHOOK_ENDPOINT_CHANGED", trigger, changed, { wasEnabled, changedFields });
    if (changedFields.length > 0) await this.deps.events.recordModuleEvents(vendorId, event);
    return changed;
  }

  private change(vendorId: number, id: number, values: Partial<WebhookEndpointRecord>): Promise<WebhookEndpointRecord> {
    return this.deps.webhookEndpointRepository.change(vendorId, id, { ...values, modifiedAt: this.deps.realNow });
  }

  private rulesOf({ sandbox }: WebhookVendor): DestinationRules {
    return { allowsHttp: sandbox, allowsPrivate: sandbox && this.deps.webhookSettings.allowPrivate };
  }

  private requireDestination(vendor: WebhookVendor, url: string): void {
    const message =
      url.length > MAX_URL_LENGTH
        ? `must have at most ${MAX_URL_LENGTH} characters.`
        : destinationError(url, this.rulesOf(vendor));
    if (message !== undefined)
      throw invalid("WEBHOOK_URL_REFUSED", `url ${message}`, {
        fields: [{ path: "url", code: "INVALID_VALUE", message }],
      });
  }
}
