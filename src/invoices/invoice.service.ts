import type { RegionCode } from "../../schema/regions.ts";
import type {
  Actor,
  InvoiceStatus,
  PaymentGateway,
  PaymentMethod,
  PublishMethod,
  PublishType,
} from "../../schema/vocabulary.ts";
import type { CustomerService } from "../customers/customer.service.ts";
import type { EventService } from "../events/event.service.ts";
import { toPlainString, roundAmount, ZERO, type Amount } from "../kernel/amounts.ts";
import { invalid, invalidField, invalidFields, notFound } from "../kernel/refusals.ts";
import { getOrThrow, required } from "../kernel/required-values.ts";
import { refuseNulls, sentFields, nonNullFields } from "../kernel/sent-fields.ts";
import { MAX_ORDER_ITEMS, type OrderService } from "../orders/order.service.ts";
import type { OfferService } from "../products/offer.service.ts";
import { toPaymentCurrency } from "../products/price-plans/price.currency.ts";
import type { VendorService } from "../vendors/vendor.service.ts";
import type { InvoiceItemValues, InvoiceRecord, InvoiceRepository, InvoiceValues } from "./invoice.repository.ts";
import { invoiceStates, type InvoiceTrigger } from "./invoice.states.ts";

/** A line of an invoice: a plan by its codes, or a name and a price. */
export interface InvoiceLine {
  productCode?: string | null;
  priceCode?: string | null;
  minimumQuantity?: number | null;
  maximumQuantity?: number | null;
  productName?: string | null;
  price?: Amount | null;
}

/** The input for an invoice. In an update, absent fields keep their values. */
export interface InvoiceFields {
  customerId: number;
  items: readonly InvoiceLine[];
  publishMethods: PublishMethod[];
  publishType?: PublishType | null;
  invoicePayMethods?: PaymentMethod[] | null;
  paymentGateway?: PaymentGateway | null;
  region?: RegionCode | null;
  currency?: string | null;
  discount?: Amount | null;
  instantAmount?: Amount | null;
  purchaseDeadline?: Date | null;
  reservationAt?: Date | null;
  memoToCustomer?: string | null;
}

/** The fields of an invoice that can contradict each other. */
type ValidatedFields = Pick<
  Partial<InvoiceFields>,
  "publishMethods" | "publishType" | "reservationAt" | "purchaseDeadline" | "discount" | "instantAmount"
>;

/** The vendor that issues the invoice. */
interface Seller {
  id: number;
  country: string;
}

/** The status before a transition (null for a new invoice), the actor and the reason. */
interface TransitionCause {
  statusBefore: InvoiceStatus | null;
  /** Defaults to MANAGER. */
  actor?: Actor;
  reason?: string | null;
}

/** The trigger that creates an invoice in each initial status. */
const creationTriggerByStatus: Partial<Record<InvoiceStatus, InvoiceTrigger>> = {
  TEMPORARY: "draftInvoice",
  RESERVATION: "reserveInvoice",
  SENT: "sendInvoice",
};

/** Fields that null clears. */
const clearableFields = ["discount", "instantAmount", "purchaseDeadline", "reservationAt", "paymentGateway", "region"];

/** Drafts, schedules and sends invoices. Sending an invoice creates the order that the customer pays. */
export class InvoiceService {
  constructor(
    private readonly deps: {
      invoiceRepository: InvoiceRepository;
      vendors: VendorService;
      customers: CustomerService;
      offers: OfferService;
      orders: OrderService;
      events: EventService;
      now: Date;
    },
  ) {}

  /** Creates a draft, a scheduled invoice or a sent one. `temporary` saves a draft; it defaults to the vendor's setting. */
  async create(seller: Seller, fields: InvoiceFields, temporary?: boolean | null): Promise<InvoiceRecord> {
    const { draftInvoicesByDefault } = await this.deps.vendors.billingTerms(seller.id);
    const isDraft = temporary ?? draftInvoicesByDefault;
    const customer = await this.deps.customers.findByReference(seller.id, { customerId: fields.customerId });
    const { items, ...rest } = fields;
    const publishType = rest.publishType ?? "NOW";
    this.validateFields({ ...rest, publishType }, isDraft);
    const invoice = await this.deps.invoiceRepository.add(seller.id, {
      ...nonNullFields(rest),
      publishMethods: rest.publishMethods,
      customerId: customer.id,
      publishType,
      currency: rest.currency ?? "KRW",
      status: isDraft ? "TEMPORARY" : publishType === "RESERVATION" ? "RESERVATION" : "SENT",
      createdAt: this.deps.now,
      modifiedAt: this.deps.now,
    });
    await this.deps.invoiceRepository.setItems(
      seller.id,
      invoice.id,
      await this.toInvoiceItems(seller.id, items, invoice.currency),
    );
    const created = invoice.status === "SENT" ? await this.createOrder(seller, invoice) : invoice;
    await this.recordEvent(
      seller.id,
      created,
      required(creationTriggerByStatus[created.status], "the trigger of a new invoice"),
      {
        statusBefore: null,
      },
    );
    return created;
  }

  /** Changes a draft. @throws a Refusal INVOICE_NOT_FOUND, INVOICE_NOT_A_DRAFT. */
  async update(seller: Seller, id: number, { items, ...fields }: Partial<InvoiceFields>): Promise<InvoiceRecord> {
    refuseNulls({ items, ...fields }, clearableFields);
    const draft = await this.lockDraft(seller.id, id);
    if (fields.customerId != null)
      await this.deps.customers.findByReference(seller.id, { customerId: fields.customerId });
    const changed = sentFields(fields) as Partial<InvoiceValues>;
    this.validateFields({ ...draft, ...changed }, true);
    if (items)
      await this.deps.invoiceRepository.setItems(
        seller.id,
        id,
        await this.toInvoiceItems(seller.id, items, changed.currency ?? draft.currency),
      );
    return this.deps.invoiceRepository.update(seller.id, id, { ...changed, modifiedAt: this.deps.now });
  }

  /** Sends a draft, a scheduled invoice or an undelivered one. A draft with a future `reservationAt` is only scheduled. */
  async send(seller: Seller, id: number, actor: Actor = "MANAGER"): Promise<InvoiceRecord> {
    const invoice = await this.deps.invoiceRepository.lock(seller.id, id);
    if (!invoice) throw invoiceNotFound();
    const { publishType, reservationAt, status: statusBefore } = invoice;
    if (
      invoice.status === "TEMPORARY" &&
      publishType === "RESERVATION" &&
      reservationAt &&
      reservationAt > this.deps.now
    ) {
      await this.transition(seller.id, invoice, "reserveInvoice", { actor });
      return { ...invoice, status: "RESERVATION" };
    }
    const status = invoiceStates.transition(statusBefore, "sendInvoice");
    const changed = await this.deps.invoiceRepository.update(seller.id, id, {
      status,
      sentAt: this.deps.now,
      modifiedAt: this.deps.now,
    });
    const sent = invoice.orderId === null ? await this.createOrder(seller, changed) : changed;
    await this.recordEvent(seller.id, sent, "sendInvoice", { statusBefore, actor });
    return sent;
  }

  /**
   * Records the merchant's report that no channel delivered an invoice. The invoice's order can still be paid.
   * @throws a Refusal INVOICE_NOT_FOUND, ILLEGAL_TRANSITION.
   */
  async failDelivery(vendorId: number, id: number, reason: string | null): Promise<void> {
    const invoice = await this.deps.invoiceRepository.lock(vendorId, id);
    if (!invoice) throw invoiceNotFound();
    await this.transition(vendorId, invoice, "failSending", { reason });
  }

  /**
   * Records that no channel delivered an invoice. Nothing changes if it was paid, is overdue or was sent again meanwhile.
   * @param isUndelivered is asked while the invoice is locked.
   */
  async recordUndelivered(
    vendorId: number,
    id: number,
    { sentAt, reason, isUndelivered }: { sentAt: Date; reason: string | null; isUndelivered: () => Promise<boolean> },
  ): Promise<void> {
    const invoice = await this.deps.invoiceRepository.lock(vendorId, id);
    if (invoice?.status !== "SENT" || invoice.sentAt?.getTime() !== sentAt.getTime()) return;
    if (await isUndelivered()) await this.transition(vendorId, invoice, "failSending", { actor: "SYSTEM", reason });
  }

  /** Finds and locks scheduled invoices that are due. @returns their ids. */
  async findDueReservations(vendorId: number, limit: number): Promise<number[]> {
    return (await this.deps.invoiceRepository.lockDueReservations(vendorId, this.deps.now, limit)).map(({ id }) => id);
  }

  /** Records that a scheduled invoice could not be sent, because its order cannot be created. */
  async recordReservationFailure(vendorId: number, id: number, reason: string): Promise<void> {
    const invoice = await this.deps.invoiceRepository.lock(vendorId, id);
    if (invoice?.status !== "RESERVATION") return;
    const sent = await this.transition(vendorId, invoice, "sendInvoice", { actor: "SYSTEM" });
    await this.transition(vendorId, sent, "failSending", { actor: "SYSTEM", reason });
  }

  /** Marks invoices that are unpaid at their deadline as overdue. @returns the number of invoices. */
  async markOverdue(vendorId: number, limit: number): Promise<number> {
    const overdue = await this.deps.invoiceRepository.lockOverdue(vendorId, this.deps.now, limit);
    for (const invoice of overdue) await this.transition(vendorId, invoice, "passDeadline", { actor: "SYSTEM" });
    return overdue.length;
  }

  /** Marks the invoice of a paid order as paid, if the order has an invoice. */
  async markPaid(vendorId: number, orderId: number): Promise<void> {
    const invoice = await this.deps.invoiceRepository.lockByOrder(vendorId, orderId);
    if (!invoice || invoice.status === "PAID") return;
    await this.transition(vendorId, invoice, "payInvoice", { actor: "CUSTOMER" });
  }

  private async transition(
    vendorId: number,
    invoice: InvoiceRecord,
    trigger: InvoiceTrigger,
    cause: Omit<TransitionCause, "statusBefore">,
  ): Promise<InvoiceRecord> {
    const status = invoiceStates.transition(invoice.status, trigger);
    const changed = await this.deps.invoiceRepository.update(vendorId, invoice.id, {
      status,
      modifiedAt: this.deps.now,
    });
    await this.recordEvent(vendorId, changed, trigger, { ...cause, statusBefore: invoice.status });
    return changed;
  }

  /** Records the transition of an invoice to its current status in the timeline. */
  private recordEvent(
    vendorId: number,
    { id: subjectId, status: statusAfter, orderId, customerId }: InvoiceRecord,
    trigger: InvoiceTrigger,
    { statusBefore, actor = "MANAGER", reason = null }: TransitionCause,
  ): Promise<void> {
    const subjectFields = { subject: "INVOICE" as const, subjectId, orderId, customerId };
    return this.deps.events.recordEvents(vendorId, {
      ...subjectFields,
      trigger: trigger,
      statusBefore,
      statusAfter,
      actor,
      reason,
    });
  }

  /** Deletes a draft. @throws a Refusal INVOICE_NOT_FOUND, INVOICE_NOT_A_DRAFT. */
  async remove(vendorId: number, id: number): Promise<void> {
    await this.lockDraft(vendorId, id);
    await this.deps.invoiceRepository.remove(vendorId, id);
  }

  private async lockDraft(vendorId: number, id: number): Promise<InvoiceRecord> {
    const invoice = await this.deps.invoiceRepository.lock(vendorId, id);
    if (!invoice) throw invoiceNotFound();
    if (invoice.status !== "TEMPORARY")
      throw invalid("INVOICE_NOT_A_DRAFT", `The invoice is ${invoice.status}; only a draft can be changed or deleted.`);
    return invoice;
  }

  private validateFields(
    { publishMethods, publishType, reservationAt, purchaseDeadline, discount, instantAmount }: ValidatedFields,
    isDraft: boolean,
  ): void {
    if (publishMethods?.length === 0) throw invalidField("publishMethods", "must have at least one channel.");
    if (discount?.eq(0)) throw invalidField("discount", "must be greater than 0.");
    if (instantAmount?.eq(0)) throw invalidField("instantAmount", "must be greater than 0.");
    if (publishType === "RESERVATION" && reservationAt == null)
      throw invalidFields([
        { path: "reservationAt", code: "REQUIRED", message: "is required when publishType is RESERVATION." },
      ]);
    if (!isDraft && publishType === "RESERVATION" && reservationAt && reservationAt <= this.deps.now)
      throw invalidField("reservationAt", "must be in the future.");
    if (!isDraft && purchaseDeadline && purchaseDeadline <= this.deps.now)
      throw invalidField("purchaseDeadline", "must be in the future.");
  }

  /** Converts lines to items with products and plans. For a line without codes, a product and a plan are created. */
  private async toInvoiceItems(
    vendorId: number,
    lines: readonly InvoiceLine[],
    currency: string,
  ): Promise<InvoiceItemValues[]> {
    if (lines.length < 1 || lines.length > MAX_ORDER_ITEMS)
      throw invalidField("items", `must have 1 to ${MAX_ORDER_ITEMS} entries.`);
    const { currency: base } = await this.deps.vendors.billingTerms(vendorId);
    const items: InvoiceItemValues[] = [];
    for (const [index, line] of lines.entries()) {
      const { minimumQuantity, maximumQuantity = null, price = null } = line;
      const quantity = minimumQuantity || 1;
      if (maximumQuantity !== null && maximumQuantity < quantity)
        throw invalidField(`items[${index}].maximumQuantity`, "must not be less than minimumQuantity.");
      const { productId, priceId } = await this.resolvePlan(vendorId, line, index, { currency, base });
      items.push({
        productId,
        priceId,
        // A line's price is in the invoice's currency, a plan's price in the vendor's base currency.
        price: line.productCode || currency !== base ? price : null,
        minimumQuantity: quantity,
        maximumQuantity,
      });
    }
    return items;
  }

  private async resolvePlan(
    vendorId: number,
    line: InvoiceLine,
    index: number,
    { currency, base }: { currency: string; base: string },
  ): Promise<{ productId: number; priceId: number }> {
    const path = (field: string) => `items[${index}].${field}`;
    const requiredField = (field: string, alternative: string) =>
      invalidFields([{ path: path(field), code: "REQUIRED", message: `is required, or ${alternative}.` }]);
    if (line.productCode || line.priceCode) {
      if (!line.productCode) throw requiredField("productCode", "leave out priceCode and give productName and price");
      if (!line.priceCode) throw requiredField("priceCode", "leave out productCode and give productName and price");
      return this.deps.offers.findPlanByCodes(
        vendorId,
        { productCode: line.productCode, priceCode: line.priceCode },
        index,
      );
    }
    if (!line.productName) throw requiredField("productName", "productCode and priceCode");
    if (line.price == null) throw requiredField("price", "productCode and priceCode");
    const inCurrency = currency === base ? {} : { [currency]: toPlainString(line.price) };
    return this.deps.offers.createInvoiceOffer(
      vendorId,
      line.productName,
      currency === base ? line.price : ZERO,
      inCurrency,
    );
  }

  /** Creates the order of a sent invoice. */
  private async createOrder(seller: Seller, invoice: InvoiceRecord): Promise<InvoiceRecord> {
    const items = await this.deps.invoiceRepository.itemsOf(seller.id, invoice.id);
    const codes = await this.deps.offers.codesOf(
      seller.id,
      items.map(({ priceId }) => priceId),
    );
    const order = await this.deps.orders.create(
      seller,
      {
        customerId: invoice.customerId,
        items: items.map(({ priceId, price, minimumQuantity, maximumQuantity }) => ({
          ...getOrThrow(codes, priceId),
          price,
          minimumQuantity,
          maximumQuantity,
        })),
        currency: invoice.currency,
        region: invoice.region,
        purchaseDeadline: invoice.purchaseDeadline,
        paymentGateway: invoice.paymentGateway,
        allowedPaymentMethods: invoice.invoicePayMethods,
        discount: invoice.discount,
        instantAmount: invoice.instantAmount,
      },
      "MANAGER",
    );
    if (invoice.instantAmount?.gt(order.amount))
      throw invalidField("instantAmount", "must not be more than the total of the invoice.");
    // The instant amount is charged separately, so it is rounded to the decimals of the payment currency.
    const { scale } = toPaymentCurrency(await this.deps.vendors.billingTerms(seller.id), order.currency);
    const instantAmount = invoice.instantAmount && roundAmount(invoice.instantAmount, scale);
    return this.deps.invoiceRepository.update(seller.id, invoice.id, {
      orderId: order.id,
      instantAmount: instantAmount?.gt(0) ? instantAmount : null,
      sentAt: this.deps.now,
    });
  }
}

const invoiceNotFound = () => notFound("INVOICE_NOT_FOUND", "There is no invoice with this id.");
