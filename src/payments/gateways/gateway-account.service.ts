import { randomBytes } from "node:crypto";
import type { GatewayAdapter, GatewayMode, PaymentGateway, PaymentMethod } from "../../../schema/vocabulary.ts";
import type { EventService } from "../../events/event.service.ts";
import { isCurrency } from "../../kernel/currencies.ts";
import { invalid, invalidField, invariant, requiredField } from "../../kernel/refusals.ts";
import { nonNullFields } from "../../kernel/sent-fields.ts";
import type { SecretVault } from "../../kernel/secrets/secret-vault.ts";
import { chargingAccount, type ChargeRequirements } from "../../orders/order.payability.ts";
import { toSettingsEvents } from "../../vendors/vendor-settings.events.ts";
import { adapterTraits, DEFAULT_CHARGE_CONCURRENCY, maskCredentials } from "./adapter.traits.ts";
import type { GatewayAccountRecord, GatewayAccountRepository } from "./gateway-account.repository.ts";
import { GatewayFault, type AdapterAccount, type GatewayPort, type Gateways } from "./gateway-port.ts";

/** The input of a vendor for its gateway account; on update, absent fields stay unchanged. */
export interface GatewayAccountFields {
  /** Defaults to HOUSE. */
  gateway?: PaymentGateway | null;
  adapter?: GatewayAdapter | null;
  enabled?: boolean | null;
  priority?: number | null;
  methods?: PaymentMethod[] | null;
  currencies?: string[] | null;
  credentials?: string | null;
  clientKey?: string | null;
  callbackSecret?: string | null;
}

/** A usable gateway account, with the adapter for its gateway. */
export interface DecryptedGatewayAccount {
  adapter: GatewayAdapter;
  account: AdapterAccount; /** When the operator released it after a restore. */
  releasedAt: Date | null;
}

const secretLocation = (vendorId: number, gateway: PaymentGateway, field: "credentials" | "callback_secret"): string =>
  `gateway_accounts.${field} ${vendorId} ${gateway}`;

/** Saves the vendors' accounts at payment gateways, and selects the account for a charge. */
export class GatewayAccountService {
  constructor(
    private readonly deps: {
      gatewayAccountRepository: GatewayAccountRepository;
      vault: SecretVault;
      events: EventService;
      now: Date;
    },
  ) {}

  /** @throws a Refusal INVALID_ARGUMENT, SECRETS_KEY_MISSING. */
  async configure(
    { id: vendorId, sandbox }: { id: number; sandbox: boolean },
    fields: GatewayAccountFields,
  ): Promise<GatewayAccountRecord> {
    const { gateway = "HOUSE", credentials, callbackSecret, ...rest } = nonNullFields(fields);
    if (gateway === "EMPTY" || gateway === "UNKNOWN")
      throw invalidField("paymentGateway", "must be a gateway that can charge: HOUSE or a provider.");
    const invalidIndex = rest.currencies?.findIndex((currency) => !isCurrency(currency)) ?? -1;
    if (invalidIndex >= 0)
      throw invalidField(`currencies[${invalidIndex}]`, "must be the ISO 4217 code of a currency.");
    const current = await this.deps.gatewayAccountRepository.byGateway(vendorId, gateway);
    const adapter = rest.adapter ?? current?.adapter ?? "SIMULATED";
    const supported = adapterTraits[adapter].currencies;
    const foreignIndex = (supported && rest.currencies?.findIndex((currency) => !supported.includes(currency))) ?? -1;
    if (supported && foreignIndex >= 0)
      throw invalidField(
        `currencies[${foreignIndex}]`,
        `must be one of ${supported.join(", ")}: ${adapter} charges no others.`,
      );
    const isNewAdapter = current !== undefined && current.adapter !== adapter;
    const mode = readMode(adapter, { credentials, callbackSecret, methods: rest.methods }, sandbox);
    if (credentials === undefined && adapterTraits[adapter].credentials && (!current?.credentials || isNewAdapter))
      throw requiredField("credentials", `is required for ${adapter}.`);
    const isOtherMode = credentials !== undefined && current?.mode != null && current.mode !== mode;
    if ((isNewAdapter || isOtherMode) && (await this.deps.gatewayAccountRepository.isInUse(vendorId, gateway)))
      throw invalidField(
        isNewAdapter ? "adapter" : "credentials",
        `must stay ${isNewAdapter ? current.adapter : `in ${String(current.mode)} mode`}: payments and stored methods of ${gateway} belong to it. Configure another paymentGateway instead.`,
      );
    const clientKeyMode = rest.clientKey && adapterTraits[adapter].credentials?.clientKeyModeOf?.(rest.clientKey);
    if (rest.clientKey != null && (!clientKeyMode || clientKeyMode !== (mode ?? current?.mode)))
      throw invalidField(
        "clientKey",
        `must be ${adapterTraits[adapter].credentials?.clientKeyFormat ?? "left out: the gateway has no window"}.`,
      );
    const seal = (secret: string, field: "credentials" | "callback_secret") =>
      this.deps.vault.encrypt(secret, secretLocation(vendorId, gateway, field));
    const changes = {
      ...rest,
      ...(isNewAdapter && {
        methods: rest.methods ?? [...adapterTraits[adapter].methods],
        currencies: rest.currencies ?? [...(supported ?? [])],
        clientKey: rest.clientKey ?? null,
      }),
      // A client key belongs to the mode of its secret key.
      ...(isOtherMode && { clientKey: rest.clientKey ?? null }),
      ...(isNewAdapter && credentials === undefined && { credentials: null, credentialsHint: null, mode: null }),
      ...(credentials !== undefined && {
        credentials: seal(credentials, "credentials"),
        credentialsHint: maskCredentials(credentials),
        mode,
      }),
      ...(callbackSecret !== undefined && { callbackSecret: seal(callbackSecret, "callback_secret") }),
      modifiedAt: this.deps.now,
    };
    await this.deps.events.recordModuleEvents(
      vendorId,
      ...toSettingsEvents(vendorId, "configurePaymentGateway", { gateway, credentials, callbackSecret, ...rest }),
    );
    return this.deps.gatewayAccountRepository.upsert(
      vendorId,
      {
        adapter,
        methods: [...adapterTraits[adapter].methods],
        currencies: [...(supported ?? [])],
        callbackSecret: seal(randomBytes(32).toString("base64url"), "callback_secret"),
        createdAt: this.deps.now,
        ...changes,
        gateway,
      },
      changes,
    );
  }

  /** @throws a Refusal NO_PAYMENT_GATEWAY where no account can charge it. */
  async selectForCharge(vendorId: number, terms: ChargeRequirements): Promise<GatewayAccountRecord> {
    const { method, currency, gateway } = terms;
    const account = chargingAccount(await this.deps.gatewayAccountRepository.all(vendorId), terms);
    if (!account)
      throw invalid(
        "NO_PAYMENT_GATEWAY",
        `The vendor has no payment gateway that supports ${method} in ${currency}${gateway === null ? "" : ` at ${gateway}`}.`,
      );
    return account;
  }

  /** The charges that may be sent at the same time, whichever account of the vendor makes them. */
  async chargeConcurrency(vendorId: number): Promise<number> {
    const accounts = await this.deps.gatewayAccountRepository.all(vendorId);
    return Math.min(
      ...accounts.map(({ adapter }) => adapterTraits[adapter].chargeConcurrency),
      DEFAULT_CHARGE_CONCURRENCY,
    );
  }

  /** Whether an account of the vendor can charge a method. */
  async canCharge(vendorId: number, terms: ChargeRequirements): Promise<boolean> {
    return chargingAccount(await this.deps.gatewayAccountRepository.all(vendorId), terms) !== undefined;
  }

  /**
   * The gateway account with decrypted secrets. Includes accounts that no longer charge: their open charges are still
   * looked up.
   */
  async findDecrypted(vendorId: number, gateway: PaymentGateway): Promise<DecryptedGatewayAccount | undefined> {
    const record = await this.deps.gatewayAccountRepository.byGateway(vendorId, gateway);
    return record && this.decrypt(record);
  }

  /** All accounts with their secrets opened. */
  async listDecrypted(vendorId: number): Promise<DecryptedGatewayAccount[]> {
    return (await this.deps.gatewayAccountRepository.all(vendorId)).map((record) => this.decrypt(record));
  }

  /** The operator confirms that charges from before the last restore are known. @returns whether there is such an account. */
  release(vendorId: number, gateway: PaymentGateway): Promise<boolean> {
    return this.deps.gatewayAccountRepository.markReleased(vendorId, gateway, this.deps.now);
  }

  private decrypt({ vendorId, gateway, ...record }: GatewayAccountRecord): DecryptedGatewayAccount {
    const decryptSecret = (sealed: Buffer, field: "credentials" | "callback_secret") =>
      this.deps.vault.decrypt(sealed, secretLocation(vendorId, gateway, field));
    return {
      adapter: record.adapter,
      releasedAt: record.releasedAt,
      account: {
        vendorId,
        gateway,
        credentials: record.credentials && decryptSecret(record.credentials, "credentials"),
        clientKey: record.clientKey,
        callbackSecret: decryptSecret(record.callbackSecret, "callback_secret"),
      },
    };
  }

  /** Encrypts again, with the first key, the secrets that an older key encrypted. @returns the number of accounts. */
  async rotateSecrets(): Promise<number> {
    const outdated = (await this.deps.gatewayAccountRepository.allEncrypted()).filter(
      ({ credentials, callbackSecret }) =>
        [credentials, callbackSecret].some(
          (sealed) => sealed !== null && !this.deps.vault.isEncryptedWithCurrentKey(sealed),
        ),
    );
    for (const { vendorId, id, gateway, credentials, callbackSecret } of outdated) {
      const reencrypt = (sealed: Buffer, field: "credentials" | "callback_secret") => {
        const location = secretLocation(vendorId, gateway, field);
        return this.deps.vault.encrypt(this.deps.vault.decrypt(sealed, location), location);
      };
      await this.deps.gatewayAccountRepository.saveSecrets(vendorId, id, {
        credentials: credentials && reencrypt(credentials, "credentials"),
        callbackSecret: reencrypt(callbackSecret, "callback_secret"),
      });
    }
    return outdated.length;
  }
}

/**
 * Checks what an adapter requires of its account. @returns the mode of the credentials; null without new ones.
 * @throws a Refusal INVALID_ARGUMENT that names the field.
 */
function readMode(
  adapter: GatewayAdapter,
  { credentials, callbackSecret, methods }: Pick<GatewayAccountFields, "credentials" | "callbackSecret" | "methods">,
  isSandbox: boolean,
): GatewayMode | null {
  const traits = adapterTraits[adapter];
  const index = methods?.findIndex((method) => !traits.methods.includes(method)) ?? -1;
  if (index >= 0) throw invalidField(`paymentMethods[${index}]`, `must be one of ${traits.methods.join(", ")}.`);
  if (!traits.credentials) return null;
  if (callbackSecret != null && traits.credentials.isCallbackSecret?.(callbackSecret) !== true)
    throw invalidField("callbackSecret", `must be ${traits.credentials.secretFormat}.`);
  if (credentials == null) return null;
  const mode = traits.credentials.modeOf(credentials);
  if (!mode) throw invalidField("credentials", `must be ${traits.credentials.keyFormat}.`);
  if (isSandbox && mode === "LIVE")
    throw invalidField("credentials", "must be a test key: a sandbox charges no real money.");
  return mode;
}

/** A call of the gateway of an account. */
type GatewayCall<T> = (gateway: GatewayPort, account: AdapterAccount) => Promise<T>;

/** Calls the gateways of vendors' accounts. No transaction is open during a call. */
export class GatewayCallService {
  constructor(
    private readonly deps: {
      write: <T>(work: (services: { gatewayAccounts: GatewayAccountService }) => Promise<T>) => Promise<T>;
      gateways: Gateways;
    },
  ) {}

  /** @throws a GatewayFault if the gateway gives no readable answer. */
  async call<T>(vendorId: number, gateway: PaymentGateway, call: GatewayCall<T>): Promise<T> {
    const decryptedAccount = await this.deps.write(({ gatewayAccounts }) =>
      gatewayAccounts.findDecrypted(vendorId, gateway),
    );
    invariant(decryptedAccount, "a charge of a gateway has an account there");
    return call(this.deps.gateways[decryptedAccount.adapter], decryptedAccount.account);
  }

  /** The gateway's answer; undefined if there is none. */
  query<T>(vendorId: number, gateway: PaymentGateway, call: GatewayCall<T>): Promise<T | undefined> {
    return undefinedOnGatewayFault(() => this.call(vendorId, gateway, call));
  }
}

/** The answer to a query; undefined if its gateway gives none. */
export async function undefinedOnGatewayFault<T>(query: () => Promise<T>): Promise<T | undefined> {
  try {
    return await query();
  } catch (error) {
    if (error instanceof GatewayFault) return undefined;
    throw error;
  }
}
