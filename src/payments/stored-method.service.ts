import { unknownReference } from "../kernel/refusals.ts";
import type { Vault } from "../kernel/secret-vault.ts";
import type { OrderRecord } from "../orders/order-payment.service.ts";
import type { KnownInstrument } from "./gateways/gateway-port.ts";
import { billed, type PaymentRecord, type PaymentRepository, type StoredMethodRecord } from "./payment.repository.ts";

type Kept = Pick<StoredMethodRecord, "customerId" | "gateway" | "fingerprint">;

const placeOf = (vendorId: number, { customerId, gateway, fingerprint }: Kept) =>
  `payment_methods.token ${vendorId} ${customerId} ${gateway} ${fingerprint ?? ""}`;

/** Encrypts what a gateway keeps a method under, for its row alone. */
export const sealedToken = (vault: Vault, vendorId: number, method: Kept, token: string): Buffer =>
  vault.seal(token, placeOf(vendorId, method));

/** Keeps the methods that customers stored. What a gateway keeps them under is encrypted. */
export class StoredMethodService {
  constructor(
    private readonly payments: PaymentRepository,
    private readonly vault: Vault,
    private readonly now: Date,
  ) {}

  /** @throws a Refusal PAYMENT_METHOD_NOT_FOUND where the customer has no such method. */
  async of(vendorId: number, customerId: number, id: number): Promise<StoredMethodRecord> {
    const method = await this.payments.storedMethod(vendorId, id);
    if (method?.customerId !== customerId || method.token === null)
      throw unknownReference("PAYMENT_METHOD_NOT_FOUND", "storedMethodId", "stored payment method");
    return method;
  }

  /** Under what its gateway keeps the method of an attempt. */
  async tokenOf(vendorId: number, id: number): Promise<string | undefined> {
    const method = await this.payments.storedMethod(vendorId, id);
    return method?.token ? this.vault.open(method.token, placeOf(vendorId, method)) : undefined;
  }

  /** Keeps the method that a payment was made with, where its gateway keeps it. */
  async keep(
    vendorId: number,
    { customerId }: OrderRecord,
    { paymentGateway: gateway, paymentMethod, methodId }: PaymentRecord,
    { token, fingerprint, network, cardNumber }: KnownInstrument,
  ): Promise<StoredMethodRecord | undefined> {
    if (token === null || methodId !== null || paymentMethod === null) return undefined;
    const values = { customerId, gateway, fingerprint };
    return this.payments.storeMethod(vendorId, {
      ...values,
      method: billed[paymentMethod] ?? paymentMethod,
      network,
      paymentInfo: cardNumber === null ? paymentMethod : `${network ?? "CARD"} ${cardNumber}`,
      token: sealedToken(this.vault, vendorId, values, token),
      createdAt: this.now,
    });
  }

  /** Encrypts with the first key whatever an older one encrypted. @returns how many tokens that were. */
  async rotate(): Promise<number> {
    const old = (await this.payments.sealedMethods()).filter(({ token }) => !this.vault.isCurrent(token!));
    for (const method of old) {
      const place = placeOf(method.vendorId, method);
      const token = this.vault.seal(this.vault.open(method.token!, place), place);
      await this.payments.resealMethod(method.vendorId, method.id, token);
    }
    return old.length;
  }
}
