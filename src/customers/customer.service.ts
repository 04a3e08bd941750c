import { randomUUID } from "node:crypto";
import type { RegionCode } from "../../schema/regions.ts";
import type { Actor } from "../../schema/vocabulary.ts";
import type { EventService } from "../events/event.service.ts";
import { newCode } from "../kernel/codes.ts";
import { invalidField, invalidFields, invariant, missing, unknownReference } from "../kernel/refusals.ts";
import { refuseNulls, sent, told } from "../kernel/sent-fields.ts";
import { customerStates } from "./customer.states.ts";
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

/** A customer, named in one of three ways. */
export interface NamedCustomer {
  customerId?: number | null;
  customerCode?: string | null;
  customerUuid?: string | null;
}

/** What each way of naming a customer names. */
const wayOf = { customerId: "id", customerCode: "code", customerUuid: "uuid" } as const;

/** Keeps the customers of the billing side. */
export class CustomerService {
  constructor(
    private readonly customers: CustomerRepository,
    private readonly events: EventService,
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
    refuseNulls({ shipping, ...fields }, ["username", "region"]);
    const customer = await this.customers.change(vendorId, id, { ...valuesOf(fields), modifiedAt: this.now });
    if (!customer) throw missing("CUSTOMER_NOT_FOUND", "There is no customer with this id.");
    if (shipping) await this.customers.addAddress(vendorId, id, { ...shipping, usedAt: this.now });
    return customer;
  }

  /**
   * The customer that one or more names name.
   * @throws a Refusal where no name is given or two name different customers, and CUSTOMER_NOT_FOUND where nobody has one.
   */
  async named(vendorId: number, { customerId, customerCode, customerUuid }: NamedCustomer): Promise<CustomerRecord> {
    const find = {
      customerId: () => customerId != null && this.customers.byId(vendorId, customerId),
      customerCode: () => customerCode != null && this.customers.byCode(vendorId, customerCode),
      customerUuid: () => customerUuid != null && this.customers.byUuid(vendorId, customerUuid),
    };
    let named: { customer: CustomerRecord; path: keyof NamedCustomer } | undefined;
    for (const path of ["customerId", "customerCode", "customerUuid"] as const) {
      const customer = await find[path]();
      if (customer === false) continue;
      if (!customer) throw unknownReference("CUSTOMER_NOT_FOUND", path, "customer", wayOf[path]);
      if (named && named.customer.id !== customer.id)
        throw invalidField(path, `must name the same customer as ${named.path}.`);
      named ??= { customer, path };
    }
    if (!named)
      throw invalidFields([
        { path: "customerId", code: "REQUIRED", message: "is required, or customerCode or customerUuid." },
      ]);
    return named.customer;
  }

  /** An order wakes a dormant customer. */
  async ordered(vendorId: number, id: number, actor: Actor): Promise<void> {
    const customer = await this.customers.change(vendorId, id, { lastActiveAt: this.now });
    if (customer?.status !== "DORMANT") return;
    const statusAfter = customerStates.move(customer.status, "wakeCustomer");
    await this.customers.change(vendorId, id, { status: statusAfter, dormantAt: null });
    const subject = { subject: "CUSTOMER" as const, subjectId: id, customerId: id };
    const states = { statusBefore: customer.status, statusAfter };
    await this.events.record(vendorId, { ...subject, ...states, happening: "wakeCustomer", actor });
  }

  /** Customers who neither ordered nor signed in for a year are DORMANT, where the vendor wants that. @returns how many. */
  async letSleep(vendorId: number, most: number): Promise<number> {
    const asleep = await this.customers.lockAsleep(vendorId, yearBefore(this.now), most);
    for (const { id, status: statusBefore } of asleep) {
      const status = customerStates.move(statusBefore, "makeDormant");
      await this.customers.change(vendorId, id, { status, dormantAt: this.now });
      const subject = { subject: "CUSTOMER" as const, subjectId: id, customerId: id };
      await this.events.record(vendorId, { ...subject, happening: "makeDormant", statusBefore, statusAfter: status });
    }
    return asleep.length;
  }

  /** The customer as a child vendor knows it, under the same unique id: made when the child first sells to it. */
  async sharedWith(vendorId: number, id: number, childId: number): Promise<CustomerRecord> {
    const customer = await this.customers.byId(vendorId, id);
    invariant(customer, "an order has a customer");
    const { uuid, name, email, phone, region } = customer;
    return (
      (await this.customers.byUuid(childId, uuid)) ??
      this.customers.add(childId, {
        ...{ uuid, name, email, phone, region },
        code: newCode("customer"),
        status: "NORMAL",
        lastActiveAt: this.now,
        createdAt: this.now,
        modifiedAt: this.now,
      })
    );
  }
}

const yearBefore = (now: Date): Date => {
  const before = new Date(now);
  before.setUTCFullYear(now.getUTCFullYear() - 1);
  return before;
};

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
