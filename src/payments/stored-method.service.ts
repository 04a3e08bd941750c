import { unknownReference } from "../kernel/refusals.ts";
import type { SecretVault } from "../kernel/secret-vault.ts";
import type { OrderRecord } from "../orders/order-record.service.ts";
import type { ReportedInstrument } from "./gateways/gateway-port.ts";
import { storedAs } from "../orders/order.payability.ts";
import type { PaymentRecord, PaymentRepository, StoredMethodRecord } from "./payment.repository.ts";

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
      vault: SecretVault;
      now: Date;
    },
  ) {}

  /** @throws a Refusal PAYMENT_METHOD_NOT_FOUND if the customer has no such method. */
  async requireMethod(vendorId: number, customerId: number, id: number): Promise<StoredMethodRecord> {
    const method = await this.deps.paymentRepository.findStoredMethod(vendorId, id);
    if (method?.customerId !== customerId || method.token === null)
      throw unknownReference("PAYMENT_METHOD_NOT_FOUND", "storedMethodId", "stored payment method");
    return method;
  }

  /** The gateway token of the method that an attempt used. */
  async decryptToken(vendorId: number, id: number): Promise<string | undefined> {
    const method = await this.deps.paymentRepository.findStoredMethod(vendorId, id);
    return method?.token ? this.deps.vault.decrypt(method.token, tokenLocation(vendorId, method)) : undefined;
  }

  /** Saves the method of a payment that its gateway stored; undefined if it was stored before. */
  async saveMethodOfPayment(
    vendorId: number,
    { customerId }: OrderRecord,
    { paymentGateway: gateway, paymentMethod, methodId }: PaymentRecord,
    { token, fingerprint, network, cardNumber }: ReportedInstrument & { token: string },
  ): Promise<StoredMethodRecord | undefined> {
    if (methodId !== null || paymentMethod === null) return undefined;
    const values = { customerId, gateway, fingerprint };
    return this.deps.paymentRepository.upsertStoredMethod(vendorId, {
      ...values,
      method: storedAs[paymentMethod] ?? paymentMethod,
      network,
      paymentInfo: cardNumber === null ? paymentMethod : `${network ?? "CARD"} ${cardNumber}`,
      token: encryptToken(this.deps.vault, vendorId, values, token),
      createdAt: this.deps.now,
    });
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
