import { randomUUID } from "node:crypto";
import type { RegionCode } from "../../schema/regions.ts";
import type { Actor } from "../../schema/vocabulary.ts";
import type { EventService } from "../events/event.service.ts";
import { newCode } from "../kernel/codes.ts";
import { conflict, invalidField, invalidFields, invariant, notFound, unknownReference } from "../kernel/refusals.ts";
import { refuseNulls, sentFields, nonNullFields } from "../kernel/sent-fields.ts";
import { customerStates } from "./customer.states.ts";
import type { AddressValues, CustomerRecord, CustomerRepository } from "./customer.repository.ts";

export type { CustomerRecord } from "./customer.repository.ts";

/** Where goods are sent. */
export type Address = Omit<AddressValues, "usedAt">;

/** A merchant's input for a customer; on update, absent fields stay unchanged. */
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
export interface CustomerReference {
  customerId?: number | null;
  customerCode?: string | null;
  customerUuid?: string | null;
}

/** The identifier for each form of a customer reference. */
const identifierNameOf = { customerId: "id", customerCode: "code", customerUuid: "uuid" } as const;

/** Keeps the customers of the billing side. */
export class CustomerService {
  constructor(
    private readonly deps: {
      customerRepository: CustomerRepository;
      events: EventService;
      now: Date;
    },
  ) {}

  async create(vendorId: number, { shipping, ...fields }: CustomerFields): Promise<CustomerRecord> {
    const customer = await this.deps.customerRepository.add(vendorId, {
      ...toCustomerValues(fields),
      name: fields.name,
      email: fields.email,
      phone: fields.phone,
      uuid: randomUUID(),
      code: newCode("customer"),
      status: "NORMAL",
      lastActiveAt: this.deps.now,
      createdAt: this.deps.now,
      modifiedAt: this.deps.now,
    });
    if (shipping)
      await this.deps.customerRepository.addAddress(vendorId, customer.id, { ...shipping, usedAt: this.deps.now });
    await this.recordRegistration(vendorId, customer, "MANAGER");
    return customer;
  }

  /** @throws a Refusal CUSTOMER_NOT_FOUND, or CUSTOMER_ERASED. */
  async update(
    vendorId: number,
    id: number,
    { shipping, ...fields }: Partial<CustomerFields>,
  ): Promise<CustomerRecord> {
    refuseNulls({ shipping, ...fields }, ["username", "region"]);
    const customer = await this.deps.customerRepository.update(vendorId, id, {
      ...toCustomerValues(fields),
      modifiedAt: this.deps.now,
    });
    if (!customer) throw notFound("CUSTOMER_NOT_FOUND", "There is no customer with this id.");
    refuseErased(customer);
    if (shipping) await this.deps.customerRepository.addAddress(vendorId, id, { ...shipping, usedAt: this.deps.now });
    const changedFields = Object.keys(sentFields({ ...fields, shipping }));
    await this.deps.events.recordEvents(vendorId, {
      ...{ subject: "CUSTOMER", subjectId: id, customerId: id, trigger: "updateCustomer", actor: "MANAGER" },
      ...{ statusBefore: customer.status, statusAfter: customer.status, facts: { changedFields } },
    });
    return customer;
  }

  /**
   * The customer that one or more references identify.
   * @throws a Refusal if there is no reference or two identify different customers, CUSTOMER_NOT_FOUND if no
   * customer has one, and CUSTOMER_ERASED.
   */
  async findByReference(
    vendorId: number,
    { customerId, customerCode, customerUuid }: CustomerReference,
  ): Promise<CustomerRecord> {
    const findBy = {
      customerId: () => customerId != null && this.deps.customerRepository.byId(vendorId, customerId),
      customerCode: () => customerCode != null && this.deps.customerRepository.byCode(vendorId, customerCode),
      customerUuid: () => customerUuid != null && this.deps.customerRepository.byUuid(vendorId, customerUuid),
    };
    let match: { customer: CustomerRecord; path: keyof CustomerReference } | undefined;
    for (const path of ["customerId", "customerCode", "customerUuid"] as const) {
      const customer = await findBy[path]();
      if (customer === false) continue;
      if (!customer) throw unknownReference("CUSTOMER_NOT_FOUND", path, "customer", identifierNameOf[path]);
      if (match && match.customer.id !== customer.id)
        throw invalidField(path, `must identify the same customer as ${match.path}.`);
      match ??= { customer, path };
    }
    if (!match)
      throw invalidFields([
        { path: "customerId", code: "REQUIRED", message: "is required, or customerCode or customerUuid." },
      ]);
    refuseErased(match.customer);
    return match.customer;
  }

  /**
   * An order wakes a dormant customer.
   * @throws a Refusal CUSTOMER_ERASED if an erasure was committed since the order read the customer's name.
   */
  async recordOrderActivity(vendorId: number, id: number, actor: Actor): Promise<void> {
    const customer = await this.deps.customerRepository.recordActivity(vendorId, id, this.deps.now);
    if (customer) refuseErased(customer);
    if (customer?.status !== "DORMANT") return;
    const statusAfter = customerStates.transition(customer.status, "wakeCustomer");
    await this.deps.customerRepository.update(vendorId, id, { status: statusAfter, dormantAt: null });
    const subject = { subject: "CUSTOMER" as const, subjectId: id, customerId: id };
    const states = { statusBefore: customer.status, statusAfter };
    await this.deps.events.recordEvents(vendorId, { ...subject, ...states, trigger: "wakeCustomer", actor });
  }

  /** Claims notices of customers who become dormant within some months. The caller queues them in the same transaction. */
  claimDormancyNotices(vendorId: number, months: number, limit: number): Promise<CustomerRecord[]> {
    return this.deps.customerRepository.claimDormancyNotices(vendorId, months, this.deps.now, limit);
  }

  /** Customers who neither ordered nor signed in for a year are DORMANT, where the vendor wants that. @returns how many. */
  async markDormant(vendorId: number, limit: number): Promise<number> {
    const dormant = await this.deps.customerRepository.lockDormantCandidates(vendorId, this.deps.now, limit);
    for (const { id, status: statusBefore } of dormant) {
      const status = customerStates.transition(statusBefore, "makeDormant");
      await this.deps.customerRepository.update(vendorId, id, { status, dormantAt: this.deps.now });
      const subject = { subject: "CUSTOMER" as const, subjectId: id, customerId: id };
      await this.deps.events.recordEvents(vendorId, {
        ...subject,
        trigger: "makeDormant",
        statusBefore,
        statusAfter: status,
      });
    }
    return dormant.length;
  }

  /** The customer as a child vendor knows it, under the same unique id: made when the child first sells to it. */
  async findOrCreateAtChild(vendorId: number, id: number, childId: number): Promise<CustomerRecord> {
    const customer = await this.deps.customerRepository.byId(vendorId, id);
    invariant(customer, "an order has a customer");
    const existing = await this.deps.customerRepository.byUuid(childId, customer.uuid);
    if (existing) return existing;
    const { uuid, name, email, phone, region } = customer;
    const created = await this.deps.customerRepository.add(childId, {
      ...{ uuid, name, email, phone, region },
      code: newCode("customer"),
      status: "NORMAL",
      lastActiveAt: this.deps.now,
      createdAt: this.deps.now,
      modifiedAt: this.deps.now,
    });
    await this.recordRegistration(childId, created, "SYSTEM");
    return created;
  }

  private recordRegistration(vendorId: number, { id, status }: CustomerRecord, actor: Actor): Promise<void> {
    return this.deps.events.recordEvents(vendorId, {
      ...{ subject: "CUSTOMER", subjectId: id, customerId: id, trigger: "registerCustomer", actor },
      ...{ statusBefore: null, statusAfter: status },
    });
  }
}

/** @throws a Refusal CUSTOMER_ERASED. */
function refuseErased({ erasedAt }: CustomerRecord): void {
  if (erasedAt)
    throw conflict("CUSTOMER_ERASED", "The customer's personal data was erased. Create a new customer instead.");
}

/** The columns of what was sent. */
function toCustomerValues({ customFields, username, region, ...fields }: Partial<Omit<CustomerFields, "shipping">>) {
  return {
    ...sentFields({ username, region }),
    ...nonNullFields(fields),
    ...(customFields && { attributes: encodeCustomFields(customFields) }),
  };
}

const encodeCustomFields = (fields: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, JSON.stringify(value)]));
