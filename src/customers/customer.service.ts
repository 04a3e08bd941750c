import { randomUUID } from "node:crypto";
import type { RegionCode } from "../../schema/regions.ts";
import { newCode } from "../kernel/codes.ts";
import { missing } from "../kernel/errors.ts";
import { sent, told } from "../kernel/sent.ts";
import type { AddressValues, CustomerRecord, CustomerRepository } from "./customer.repository.ts";

/** Where goods are sent. */
export type Address = Omit<AddressValues, "usedAt">;

/** What a merchant tells about a customer; of an update, what is absent stays. */
export interface CustomerFields {
  name: string;
  email: string;
  phone: string;
  username?: string | null;
  region?: RegionCode | null;
  marketingSms?: boolean | null;
  marketingEmail?: boolean | null;
  marketingMessenger?: boolean | null;
  /** Custom fields and their values. */
  customFields?: Record<string, unknown> | null;
  additionalRecipients?: string[] | null;
  shipping?: Address | null;
}

/** Keeps the customers of the billing side. */
export class CustomerService {
  constructor(
    private readonly customers: CustomerRepository,
    private readonly now: Date,
  ) {}

  async create(vendorId: number, { shipping, ...fields }: CustomerFields): Promise<CustomerRecord> {
    const customer = await this.customers.add(vendorId, {
      ...valuesOf(fields),
      name: fields.name,
      email: fields.email,
      phone: fields.phone,
      uuid: randomUUID(),
      code: newCode("customer"),
      status: "NORMAL",
      lastActiveAt: this.now,
      createdAt: this.now,
      modifiedAt: this.now,
    });
    if (shipping) await this.customers.addAddress(vendorId, customer.id, { ...shipping, usedAt: this.now });
    return customer;
  }

  /** @throws a Refusal NOT_FOUND where the vendor has no such customer. */
  async update(
    vendorId: number,
    id: number,
    { shipping, ...fields }: Partial<CustomerFields>,
  ): Promise<CustomerRecord> {
    const customer = await this.customers.change(vendorId, id, { ...valuesOf(fields), modifiedAt: this.now });
    if (!customer) throw missing("CUSTOMER_NOT_FOUND", "There is no customer with this id.");
    if (shipping) await this.customers.addAddress(vendorId, id, { ...shipping, usedAt: this.now });
    return customer;
  }
}

/** The columns of what was sent. */
function valuesOf({ customFields, username, region, ...fields }: Partial<Omit<CustomerFields, "shipping">>) {
  return {
    ...sent({ username, region }),
    ...told(fields),
    ...(customFields && { attributes: encoded(customFields) }),
  };
}

const encoded = (fields: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, JSON.stringify(value)]));
