import { createHash } from "node:crypto";
import type { Actor, Network, PaymentGateway, PaymentMethod } from "../../schema/vocabulary.ts";
import type { EventService } from "../events/event.service.ts";
import { invalidField, unknownReference } from "../kernel/refusals.ts";
import type { SecretVault } from "../kernel/secrets/secret-vault.ts";
import type { OrderRecord } from "../orders/order-record.service.ts";
import type { ReportedInstrument } from "./gateways/gateway-port.ts";
import { singleUse, storedAs } from "../orders/order.payability.ts";
import type { PaymentRecord, PaymentRepository, StoredMethodRecord } from "./payment.repository.ts";

/** A method that another system stored at a gateway. */
export interface ImportedMethod {
  customerId: number;
  gateway: PaymentGateway;
  method: PaymentMethod;
  /** What the gateway's adapter charges: the gateway's ids of the method, and of its customer where it needs both. */
  token: string;
  /** The gateway's own name of the card, the same for each customer who stores it; null if it is not known. */
  fingerprint: string | null;
  network: Network | null;
  /** A label by which people recognise it. */
  paymentInfo: string | null;
}

type StoredMethodKey = Pick<StoredMethodRecord, "customerId" | "gateway" | "fingerprint">;

const tokenLocation = (vendorId: number, { customerId, gateway, fingerprint }: StoredMethodKey) =>
  `payment_methods.token ${vendorId} ${customerId} ${gateway} ${fingerprint ?? ""}`;

/** Encrypts the gateway's token of a method, bound to its row. */
export const encryptToken = (vault: SecretVault, vendorId: number, method: StoredMethodKey, token: string): Buffer =>
  vault.encrypt(token, tokenLocation(vendorId, method));

/** Saves the payment methods that customers stored, with their gateway tokens encrypted. */
export class StoredMethodService {
  constructor(
    private readonly deps: {
      paymentRepository: PaymentRepository;
      events: EventService;
      vault: SecretVault;
      now: Date;
    },
  ) {}

  /** @throws a Refusal PAYMENT_METHOD_NOT_FOUND if the customer has no such method. */
  async requireMethod(vendorId: number, customerId: number, id: number): Promise<StoredMethodRecord> {
    const method = await this.findMethod(vendorId, customerId, id);
    if (!method) throw unknownReference("PAYMENT_METHOD_NOT_FOUND", "storedMethodId", "stored payment method");
    return method;
  }

  /** The customer's method; undefined if the customer has none with this id. */
  async findMethod(vendorId: number, customerId: number, id: number): Promise<StoredMethodRecord | undefined> {
    const method = await this.deps.paymentRepository.findStoredMethod(vendorId, id);
    return method?.customerId === customerId && method.token !== null ? method : undefined;
  }

  /** The gateway token of the method that an attempt used. */
  async decryptToken(vendorId: number, id: number): Promise<string | undefined> {
    const method = await this.deps.paymentRepository.findStoredMethod(vendorId, id);
    return method && this.openToken(vendorId, method);
  }

  /** The gateway token of a method; undefined if it has none. */
  openToken(vendorId: number, method: StoredMethodKey & Pick<StoredMethodRecord, "token">): string | undefined {
    return method.token ? this.deps.vault.decrypt(method.token, tokenLocation(vendorId, method)) : undefined;
  }

  /** Saves the method of a payment that its gateway stored; undefined if it was stored before. */
  async saveMethodOfPayment(
    vendorId: number,
    { customerId }: OrderRecord,
    { paymentGateway: gateway, paymentMethod, methodId }: PaymentRecord,
    { token, fingerprint, network, cardNumber, expiresAt }: ReportedInstrument & { token: string },
  ): Promise<StoredMethodRecord | undefined> {
    if (methodId !== null || paymentMethod === null) return undefined;
    const values = { customerId, gateway, fingerprint };
    return this.saveMethod(
      vendorId,
      {
        ...values,
        method: storedAs[paymentMethod] ?? paymentMethod,
        network,
        paymentInfo: cardNumber === null ? paymentMethod : `${network ?? "CARD"} ${cardNumber}`,
        token: encryptToken(this.deps.vault, vendorId, values, token),
        expiresAt,
        createdAt: this.deps.now,
      },
      "CUSTOMER",
    );
  }

  /** Saves a method that another system stored at a gateway. @throws a Refusal INVALID_ARGUMENT, SECRETS_KEY_MISSING. */
  async importMethod(
    vendorId: number,
    { customerId, gateway, method, token, network, paymentInfo, ...imported }: ImportedMethod,
  ): Promise<StoredMethodRecord> {
    if (gateway === "EMPTY" || gateway === "UNKNOWN")
      throw invalidField("paymentGateway", "must be a gateway that can charge: HOUSE or a provider.");
    if (singleUse.has(method)) throw invalidField("paymentMethod", "must be a method that can be charged again.");
    const fingerprint = imported.fingerprint ?? `imported ${createHash("sha256").update(token).digest("base64url")}`;
    const values = { customerId, gateway, fingerprint };
    return this.saveMethod(
      vendorId,
      {
        ...values,
        method: storedAs[method] ?? method,
        network,
        paymentInfo: paymentInfo ?? network ?? method,
        token: encryptToken(this.deps.vault, vendorId, values, token),
        createdAt: this.deps.now,
      },
      "MANAGER",
    );
  }

  private async saveMethod(
    vendorId: number,
    values: Parameters<PaymentRepository["upsertStoredMethod"]>[1],
    actor: Actor,
  ): Promise<StoredMethodRecord> {
    const { method, isNew } = await this.deps.paymentRepository.upsertStoredMethod(vendorId, values);
    if (isNew)
      await this.deps.events.recordEvents(vendorId, {
        ...{ subject: "PAYMENT_METHOD", subjectId: method.id, customerId: method.customerId, actor },
        ...{ trigger: "storePaymentMethod", statusBefore: null, statusAfter: "STORED" },
        facts: { paymentMethod: method.method },
      });
    return method;
  }

  /** Encrypts again, with the first key, the tokens that an older key encrypted. @returns the number of tokens. */
  async rotateTokens(): Promise<number> {
    const sealed = await this.deps.paymentRepository.allEncryptedMethods();
    const outdated = sealed.flatMap(({ token, ...method }) =>
      token && !this.deps.vault.isEncryptedWithCurrentKey(token) ? [{ ...method, token }] : [],
    );
    for (const method of outdated) {
      const location = tokenLocation(method.vendorId, method);
      const token = this.deps.vault.encrypt(this.deps.vault.decrypt(method.token, location), location);
      await this.deps.paymentRepository.saveMethodToken(method.vendorId, method.id, token);
    }
    return outdated.length;
  }
}
