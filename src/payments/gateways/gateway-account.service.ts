import { randomBytes } from "node:crypto";
import type { GatewayAdapter, PaymentGateway, PaymentMethod } from "../../../schema/vocabulary.ts";
import { isCurrency } from "../../kernel/currencies.ts";
import { invalid, invalidField } from "../../kernel/refusals.ts";
import { told } from "../../kernel/sent-fields.ts";
import type { Vault } from "../../kernel/secret-vault.ts";
import type { GatewayAccountRecord, GatewayAccountRepository } from "./gateway-account.repository.ts";
import type { GatewayAccount } from "./gateway-port.ts";

/** What a vendor says of its account at a gateway; of a change, what is absent stays. */
export interface GatewayAccountFields {
  gateway: PaymentGateway;
  adapter?: GatewayAdapter | null;
  enabled?: boolean | null;
  priority?: number | null;
  methods?: PaymentMethod[] | null;
  currencies?: string[] | null;
  credentials?: string | null;
  callbackSecret?: string | null;
}

/** An account that can be used, and the code that speaks to its gateway. */
export interface OpenedAccount {
  adapter: GatewayAdapter;
  account: GatewayAccount;
  /** When the operator released it after a restore. */
  releasedAt: Date | null;
}

/** What an account has to be able to do. */
export interface ChargeTerms {
  method: PaymentMethod;
  currency: string;
  /** The only gateway that may charge. */
  gateway: PaymentGateway | null;
}

const everyMethod: PaymentMethod[] = [
  "CARD",
  "VBANK",
  "BANK_TRANSFER",
  "CELLPHONE",
  "SIMPLE_PAY",
  "CMS",
  "CARD_BILL",
  "CELLPHONE_BILL",
  "CMS_BILL",
  "ONLINE_WALLET",
];

const placeOf = (vendorId: number, gateway: PaymentGateway, what: "credentials" | "callback_secret"): string =>
  `gateway_accounts.${what} ${vendorId} ${gateway}`;

/** Keeps the accounts that vendors have at payment gateways, and knows which one charges what. */
export class GatewayAccountService {
  constructor(
    private readonly accounts: GatewayAccountRepository,
    private readonly vault: Vault,
    private readonly now: Date,
  ) {}

  /** @throws a Refusal INVALID_ARGUMENT, SECRETS_KEY_MISSING. */
  async configure(vendorId: number, fields: GatewayAccountFields): Promise<GatewayAccountRecord> {
    const { gateway, credentials, callbackSecret, ...others } = fields;
    if (gateway === "EMPTY" || gateway === "UNKNOWN")
      throw invalidField("gateway", "must be one that can charge: HOUSE, or a provider.");
    const wrong = others.currencies?.findIndex((currency) => !isCurrency(currency)) ?? -1;
    if (wrong >= 0) throw invalidField(`currencies[${wrong}]`, "must be the ISO 4217 code of a currency.");
    const seal = (secret: string, what: "credentials" | "callback_secret") =>
      this.vault.seal(secret, placeOf(vendorId, gateway, what));
    const changes = {
      ...told(others),
      ...(credentials != null && { credentials: seal(credentials, "credentials") }),
      ...(callbackSecret != null && { callbackSecret: seal(callbackSecret, "callback_secret") }),
      modifiedAt: this.now,
    };
    return this.accounts.set(
      vendorId,
      {
        adapter: "SIMULATED",
        methods: everyMethod,
        callbackSecret: seal(randomBytes(32).toString("base64url"), "callback_secret"),
        createdAt: this.now,
        ...changes,
        gateway,
      },
      changes,
    );
  }

  /** @throws a Refusal NO_PAYMENT_GATEWAY where no account can charge it. */
  async charging(vendorId: number, { method, currency, gateway }: ChargeTerms): Promise<GatewayAccountRecord> {
    const account = (await this.accounts.all(vendorId)).find(
      (one) =>
        one.enabled &&
        (gateway === null || one.gateway === gateway) &&
        one.methods.includes(method) &&
        (one.currencies.length === 0 || one.currencies.includes(currency)),
    );
    if (!account)
      throw invalid(
        "NO_PAYMENT_GATEWAY",
        `The vendor has no payment gateway that takes ${method} in ${currency}${gateway === null ? "" : ` at ${gateway}`}.`,
      );
    return account;
  }

  /** The ways in which an order in a currency can be paid at all. */
  async methods(vendorId: number, currency: string, gateway: PaymentGateway | null): Promise<PaymentMethod[]> {
    const fitting = (await this.accounts.all(vendorId)).filter(
      (one) =>
        one.enabled &&
        (gateway === null || one.gateway === gateway) &&
        (one.currencies.length === 0 || one.currencies.includes(currency)),
    );
    return [...new Set(fitting.flatMap(({ methods }) => methods))];
  }

  /** The account at a gateway with its secrets opened; also one that no longer charges: it is asked what became of charges. */
  async opened(vendorId: number, gateway: PaymentGateway): Promise<OpenedAccount | undefined> {
    const record = await this.accounts.at(vendorId, gateway);
    return record && this.open(record);
  }

  /** All accounts with their secrets opened. */
  async openedAll(vendorId: number): Promise<OpenedAccount[]> {
    return (await this.accounts.all(vendorId)).map((record) => this.open(record));
  }

  /** The operator confirms that charges from before the last restore are known. @returns whether there is such an account. */
  release(vendorId: number, gateway: PaymentGateway): Promise<boolean> {
    return this.accounts.release(vendorId, gateway, this.now);
  }

  private open({ vendorId, gateway, ...record }: GatewayAccountRecord): OpenedAccount {
    const open = (sealed: Buffer, what: "credentials" | "callback_secret") =>
      this.vault.open(sealed, placeOf(vendorId, gateway, what));
    return {
      adapter: record.adapter,
      releasedAt: record.releasedAt,
      account: {
        vendorId,
        gateway,
        credentials: record.credentials && open(record.credentials, "credentials"),
        callbackSecret: open(record.callbackSecret, "callback_secret"),
      },
    };
  }

  /** Encrypts with the first key whatever an older one encrypted. @returns how many accounts that were. */
  async rotate(): Promise<number> {
    const old = (await this.accounts.sealed()).filter(({ credentials, callbackSecret }) =>
      [credentials, callbackSecret].some((sealed) => sealed !== null && !this.vault.isCurrent(sealed)),
    );
    for (const { vendorId, id, gateway, credentials, callbackSecret } of old) {
      const anew = (sealed: Buffer, what: "credentials" | "callback_secret") => {
        const place = placeOf(vendorId, gateway, what);
        return this.vault.seal(this.vault.open(sealed, place), place);
      };
      await this.accounts.reseal(vendorId, id, {
        credentials: credentials && anew(credentials, "credentials"),
        callbackSecret: anew(callbackSecret, "callback_secret"),
      });
    }
    return old.length;
  }
}
