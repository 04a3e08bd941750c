import type { EventService } from "../events/event.service.ts";
import type { IdempotencyService } from "../idempotency/idempotency.service.ts";
import { conflict, invalidField, unknownReference } from "../kernel/refusals.ts";
import type { SubscriptionStopService } from "../subscriptions/changes/subscription-stop.service.ts";
import type { OpenThing } from "./open-things.projection.ts";
import type { CustomerRow, PersonalDataRepository } from "./personal-data.repository.ts";
import { personalValuesOf, redactJson, toPersonalIds } from "./personal.values.ts";

/** Records that a refusal names. */
const MAX_NAMED = 5;

/** A request to erase a customer. */
export interface ErasureRequest {
  customerId: number;
  /** The customer's code, which shows that the caller means this customer. */
  confirmCode: string;
  /** Whether live subscriptions are cancelled, without a refund. */
  cancelSubscriptions: boolean;
}

/** What to do about records that are open. */
const cures: Readonly<Record<OpenThing["kind"], [noun: string, cure: string]>> = {
  COVER: ["recoveries in progress of registered orders", "Wait until they end, or cancel the orders."],
  SUBSCRIPTION: ["live subscriptions", "Cancel them, or send `cancelSubscriptions: true`."],
  PAYMENT: ["payments without an outcome", "Wait until their gateway reports it."],
  REFUND: ["refunds without an outcome", "Wait until their gateway reports it."],
  DISPUTE: ["open disputes", "Wait until they are closed: the bank may ask for evidence."],
  INVOICE: ["scheduled invoices", "Wait until they are sent, then cancel their orders."],
  ORDER: ["orders that are unpaid or in progress", "Cancel them, or finish their delivery, return or exchange."],
};

/** Erases the personal data of customers, at the vendor and at its children. */
export class CustomerDataService {
  constructor(
    private readonly deps: {
      personalDataRepository: PersonalDataRepository;
      idempotency: IdempotencyService;
      subscriptionStop: SubscriptionStopService;
      events: EventService;
      now: Date;
      realNow: Date;
    },
  ) {}

  /**
   * Erases a customer. One that is erased stays as it is.
   * @throws a Refusal CUSTOMER_NOT_FOUND, INVALID_ARGUMENT for another code, CUSTOMER_OF_PARENT, CUSTOMER_HAS_OPEN_RECORDS.
   */
  async erase(
    { id: vendorId, parentId }: { id: number; parentId: number | null },
    { customerId, confirmCode, cancelSubscriptions }: ErasureRequest,
  ): Promise<void> {
    const { personalDataRepository } = this.deps;
    const customer = await personalDataRepository.lockCustomer(vendorId, customerId);
    if (!customer) throw unknownReference("CUSTOMER_NOT_FOUND", "customerId", "customer");
    if (customer.code !== confirmCode) throw invalidField("confirmCode", "must be the code of the customer.");
    if (customer.erasedAt) return;
    if (parentId !== null) await this.requireOwnCustomer(parentId, customer);
    await this.eraseLocked(customer, cancelSubscriptions);
    // After the parent's own: an order of the parent locks in the same direction.
    for (const child of await personalDataRepository.childrenOf(vendorId)) {
      const copy = await personalDataRepository.findCustomer(child.id, { uuid: customer.uuid });
      const locked = copy && (await personalDataRepository.lockCustomer(child.id, copy.id));
      if (locked && !locked.erasedAt) await this.eraseLocked(locked, cancelSubscriptions, child.name);
    }
  }

  /** A child's copy is made again with the parent's next order, so the parent decides. */
  private async requireOwnCustomer(parentId: number, { uuid }: CustomerRow): Promise<void> {
    const original = await this.deps.personalDataRepository.findCustomer(parentId, { uuid });
    if (original && !original.erasedAt)
      throw conflict("CUSTOMER_OF_PARENT", "The customer belongs to the parent vendor. Erase the customer there.");
  }

  private async eraseLocked(customer: CustomerRow, cancelSubscriptions: boolean, childName?: string): Promise<void> {
    const { personalDataRepository, idempotency, subscriptionStop, events, now, realNow } = this.deps;
    const { vendorId, id: customerId, status } = customer;
    const payers = await personalDataRepository.findPayers(customer);
    const person = { vendorId, customerId, payerIds: payers.map(({ id }) => id) };
    if (cancelSubscriptions)
      for (const id of await personalDataRepository.liveSubscriptionIds(person))
        await subscriptionStop.cancel(vendorId, id, { when: "NOW", actor: "MANAGER" });
    const [open] = await personalDataRepository.findOpenThings(person, MAX_NAMED + 1);
    if (open) throw toRefusal(open.thing.kind, open.names, childName);
    const values = personalValuesOf(customer, payers, await personalDataRepository.addressesOf(person));
    const ids = toPersonalIds(await personalDataRepository.ownIdsOf(person));
    await idempotency.rewriteAnswers(vendorId, [...values, ...ids], (body) => redactJson(body, { values, ids }));
    await personalDataRepository.erase(person, { at: now, realAt: realNow });
    await events.recordEvents(vendorId, {
      ...{ subject: "CUSTOMER", subjectId: customerId, customerId, trigger: "eraseCustomer", actor: "MANAGER" },
      ...{ statusBefore: status, statusAfter: status },
    });
  }
}

function toRefusal(kind: OpenThing["kind"], names: readonly string[], childName: string | undefined) {
  const [noun, cure] = cures[kind];
  const more = names.length > MAX_NAMED ? " …" : "";
  const place = childName === undefined ? "" : ` at the child vendor ${childName}`;
  const list = names.slice(0, MAX_NAMED).join(", ");
  return conflict("CUSTOMER_HAS_OPEN_RECORDS", `The customer has ${noun}${place}: ${list}${more}. ${cure}`);
}
