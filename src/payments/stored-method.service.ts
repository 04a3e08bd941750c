import { unknownReference } from "../kernel/refusals.ts";
import type { SecretVault } from "../kernel/secret-vault.ts";
import type { OrderRecord } from "../orders/order-payment.service.ts";
import type { ReportedInstrument } from "./gateways/gateway-port.ts";
import {
  recurringMethods,
  type PaymentRecord,
  type PaymentRepository,
  type StoredMethodRecord,
} from "./payment.repository.ts";

type StoredMethodKey = Pick<StoredMethodRecord, "customerId" | "gateway" | "fingerprint">;

const tokenLocation = (vendorId: number, { customerId, gateway, fingerprint }: StoredMethodKey) =>
  `payment_methods.token ${vendorId} ${customerId} ${gateway} ${fingerprint ?? ""}`;

/** Encrypts what a gateway keeps a method under, for its row alone. */
export const encryptToken = (vault: SecretVault, vendorId: number, method: StoredMethodKey, token: string): Buffer =>
  vault.encrypt(token, tokenLocation(vendorId, method));

/** Keeps the methods that customers stored. What a gateway keeps them under is encrypted. */
export class StoredMethodService {
  constructor(
    private readonly payments: PaymentRepository,
    private readonly vault: SecretVault,
    private readonly now: Date,
  ) {}

  /** @throws a Refusal PAYMENT_METHOD_NOT_FOUND where the customer has no such method. */
  async requireMethod(vendorId: number, customerId: number, id: number): Promise<StoredMethodRecord> {
    const method = await this.payments.findStoredMethod(vendorId, id);
    if (method?.customerId !== customerId || method.token === null)
      throw unknownReference("PAYMENT_METHOD_NOT_FOUND", "storedMethodId", "stored payment method");
    return method;
  }

  /** Under what its gateway keeps the method of an attempt. */
  async decryptToken(vendorId: number, id: number): Promise<string | undefined> {
    const method = await this.payments.findStoredMethod(vendorId, id);
    return method?.token ? this.vault.decrypt(method.token, tokenLocation(vendorId, method)) : undefined;
  }

  /** Keeps the method that a payment was made with, where its gateway keeps it. */
  async saveMethodOfPayment(
    vendorId: number,
    { customerId }: OrderRecord,
    { paymentGateway: gateway, paymentMethod, methodId }: PaymentRecord,
    { token, fingerprint, network, cardNumber }: ReportedInstrument,
  ): Promise<StoredMethodRecord | undefined> {
    if (token === null || methodId !== null || paymentMethod === null) return undefined;
    const values = { customerId, gateway, fingerprint };
    return this.payments.upsertStoredMethod(vendorId, {
      ...values,
      method: recurringMethods[paymentMethod] ?? paymentMethod,
      network,
      paymentInfo: cardNumber === null ? paymentMethod : `${network ?? "CARD"} ${cardNumber}`,
      token: encryptToken(this.vault, vendorId, values, token),
      createdAt: this.now,
    });
  }

  /** Encrypts with the first key whatever an older one encrypted. @returns how many tokens that were. */
  async rotateTokens(): Promise<number> {
    const outdated = (await this.payments.allEncryptedMethods()).filter(
      ({ token }) => !this.vault.isEncryptedWithCurrentKey(token!),
    );
    for (const method of outdated) {
      const location = tokenLocation(method.vendorId, method);
      const token = this.vault.encrypt(this.vault.decrypt(method.token!, location), location);
      await this.payments.saveMethodToken(method.vendorId, method.id, token);
    }
    return outdated.length;
  }
}
