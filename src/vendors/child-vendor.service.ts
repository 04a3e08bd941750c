import { randomUUID } from "node:crypto";
import { invalidField, notFound } from "../kernel/refusals.ts";
import { hashPassword } from "../kernel/secrets/password-hash.ts";
import { hashToken, generateToken, type ApiKeyService } from "./keys/api-key.service.ts";
import type { ChildVendorRepository } from "./child-vendor.repository.ts";
import type { VendorSettingsRepository } from "./vendor-settings.repository.ts";
import type { VendorRecord } from "./vendor.repository.ts";
import type { VendorService } from "./vendor.service.ts";

/** The input for the creation of a child. */
export interface ChildVendorFields {
  name: string;
  email: string;
  password: string;
  phone?: string | null;
  zoneId?: string | null;
  currency?: string | null;
  country?: string | null;
}

/** A new child with its keys, which are shown only once. */
export interface NewChildVendor {
  id: number;
  secretKey: string;
  paymentKey: string;
}

/** Creates, enables and disables the child vendors of a vendor. */
export class ChildVendorService {
  constructor(
    private readonly deps: {
      childVendorRepository: ChildVendorRepository;
      vendorSettingsRepository: VendorSettingsRepository;
      vendors: VendorService;
      apiKeys: ApiKeyService;
      now: Date;
    },
  ) {}

  /**
   * Creates a child of the vendor with `parentUuid`, which defaults to the vendor itself. The child's time zone, currency
   * and country default to its parent's. It is a sandbox if its parent is one, and uses the parent's clock.
   * @throws a Refusal VENDOR_NOT_FOUND if the uuid belongs neither to the vendor nor to one of its children, or
   * INVALID_ARGUMENT if it belongs to a child.
   */
  async create(
    vendor: VendorRecord,
    parentUuid: string | null | undefined,
    fields: ChildVendorFields,
  ): Promise<NewChildVendor> {
    const parent = await this.deps.vendors.requireSelfOrChild(vendor, parentUuid ?? vendor.uuid);
    if (parent.parentId !== null)
      throw invalidField("vendorUuid", "belongs to a child vendor; a child has no children.");
    const { name, email, phone, password } = fields;
    const id = await this.deps.vendors.createVendor({
      name,
      zoneId: fields.zoneId ?? parent.zoneId,
      currency: fields.currency ?? parent.currency,
      country: fields.country ?? parent.country,
      sandbox: parent.sandbox,
      parentId: parent.id,
    });
    const { token: secretKey } = await this.deps.apiKeys.create(id, "first", parent.sandbox);
    const paymentKey = generateToken("payment", { id, sandbox: parent.sandbox });
    await this.deps.vendorSettingsRepository.update(id, { email, paymentKeyHash: hashToken(paymentKey) });
    await this.deps.childVendorRepository.addManager(id, {
      uuid: randomUUID(),
      username: email,
      phone: phone ?? null,
      passwordHash: await hashPassword(password),
      createdAt: this.deps.now,
    });
    return { id, secretKey, paymentKey };
  }

  /**
   * Enables or disables a child. Tokens of a disabled child are refused with VENDOR_DISABLED.
   * @returns the child's id.
   * @throws a Refusal VENDOR_NOT_FOUND if the vendor has no such child.
   */
  async setEnabled(vendorId: number, uuid: string, enabled: boolean): Promise<number> {
    const id = await this.deps.childVendorRepository.setEnabled(vendorId, uuid, enabled, this.deps.now);
    if (id === undefined) throw notFound("VENDOR_NOT_FOUND", "The vendor has no child with this uuid.");
    return id;
  }
}
