import { invoiceItems, invoices } from "../../schema/tables/index.ts";
import type { InvoiceStatus, PaymentMethod, PublishMethod } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import { toAmount, type Amount } from "../kernel/amounts.ts";
import { itemAt } from "../kernel/required-values.ts";
import { DAY_MS, HOUR_MS, addMilliseconds, type DemoCalendar } from "./calendar.ts";
import { orderItemsOf, type OrderFactory } from "./order-factory.ts";
import type { OrderDraft } from "./rows/order-draft.ts";
import type { DemoPayments } from "./rows/demo-payments.ts";
import type { CustomerDraft } from "./customers.ts";
import { insertRowsAsJson, assignIds } from "./rows/bulk-rows.ts";
import type { DemoCatalogue } from "./catalogue/demo-catalogue.ts";

/** The status, the date and the optional fields of an invoice. */
interface InvoiceSeed {
  status: InvoiceStatus;
  daysAgo: number;
  discount?: number;
  instantAmount?: number;
  methods?: PaymentMethod[];
  channels?: PublishMethod[];
  memo?: string;
}

const invoiceSeeds: readonly InvoiceSeed[] = [
  { status: "TEMPORARY", daysAgo: 2, memo: "Draft: ask for the number of guests." },
  { status: "TEMPORARY", daysAgo: 1 },
  { status: "RESERVATION", daysAgo: 1, channels: ["EMAIL", "SMS"] },
  {
    status: "SENT",
    daysAgo: 3,
    discount: 20_000,
    memo: "Thank you for the opening!",
    channels: ["EMAIL", "MESSENGER"],
  },
  { status: "SENT", daysAgo: 1, instantAmount: 100_000, methods: ["CARD", "BANK_TRANSFER"] },
  { status: "PAID", daysAgo: 40, discount: 35_000, memo: "With the discount that we agreed on." },
  { status: "PAID", daysAgo: 95 },
  { status: "PAID", daysAgo: 180, methods: ["CARD"] },
  { status: "OVER_DUE", daysAgo: 25 },
  { status: "OVER_DUE", daysAgo: 60, channels: ["SMS"] },
  { status: "SEND_FAIL", daysAgo: 6, channels: ["MESSENGER"] },
];

/** An unsaved invoice. */
interface InvoiceDraft {
  id: number;
  seed: InvoiceSeed;
  customer: CustomerDraft;
  order: OrderDraft | null;
  createdAt: Date;
  deadline: Date;
}

/** The line for beans on each invoice. The payer may choose the quantity; the price differs from the plan's. */
const BEANS_LINE = { min: 2, max: 10, price: toAmount(15_900) };

/** Builds invoices. A sent invoice has an order, and a paid one also has a payment. */
export class InvoiceHistory {
  private readonly drafts: InvoiceDraft[] = [];

  constructor(
    private readonly calendar: DemoCalendar,
    private readonly catalogue: DemoCatalogue,
    private readonly orderFactoryAt: (at: Date) => OrderFactory,
    private readonly payments: DemoPayments,
  ) {}

  /** Creates one invoice for each seed. @returns the orders of the sent invoices. */
  createInvoices(customers: readonly CustomerDraft[]): OrderDraft[] {
    for (const [index, seed] of invoiceSeeds.entries()) {
      const createdAt = this.calendar.daysAgo(seed.daysAgo);
      const draft = { id: 0, seed, customer: itemAt(customers, index % customers.length), order: null, createdAt };
      this.drafts.push({ ...draft, deadline: addMilliseconds(createdAt, 14 * DAY_MS) });
    }
    const sentDrafts = this.drafts.filter(({ seed: { status } }) => status !== "TEMPORARY" && status !== "RESERVATION");
    return sentDrafts.map((draft) => (draft.order = this.createOrder(draft)));
  }

  private createOrder({ seed, customer, createdAt, deadline }: InvoiceDraft): OrderDraft {
    const beans = { quantity: BEANS_LINE.min, maxQuantity: BEANS_LINE.max, price: BEANS_LINE.price };
    const items = [
      ...orderItemsOf(this.catalogue.findOffer("Catering1")),
      ...orderItemsOf(this.catalogue.findOffer("HouseBea2"), beans),
    ];
    const order = this.orderFactoryAt(createdAt).createOrder(customer, items, {
      type: "ONE_TIME",
      createdAt,
      currency: "KRW",
      instantAmount: amountOrNull(seed.instantAmount),
      discount: amountOrNull(seed.discount),
      purchaseDeadline: deadline,
      allowedPaymentMethods: seed.methods ?? [],
    });
    if (seed.status === "PAID")
      this.payments.payOrder(order, customer.methods[0] ?? null, addMilliseconds(createdAt, 30 * HOUR_MS));
    return order;
  }

  /** Saves the invoices. Their orders and customers must have their ids already. */
  async save(handle: Handle, vendorId: number): Promise<void> {
    await assignIds(handle, invoices, this.drafts);
    await insertRowsAsJson(
      handle,
      invoices,
      this.drafts.map(({ id, seed, customer, order, createdAt, deadline }) => ({
        ...{ vendorId, id, customerId: customer.id, status: seed.status, orderId: order?.id ?? null, createdAt },
        publishType: seed.status === "RESERVATION" ? ("RESERVATION" as const) : ("NOW" as const),
        publishMethods: seed.channels ?? ["EMAIL" as const],
        invoicePayMethods: seed.methods ?? [],
        paymentGateway: seed.methods ? ("HOUSE" as const) : null,
        region: "KR" as const,
        currency: "KRW",
        discount: amountOrNull(seed.discount),
        instantAmount: amountOrNull(seed.instantAmount),
        purchaseDeadline: deadline,
        reservationAt: seed.status === "RESERVATION" ? this.calendar.daysAgo(-2) : null,
        memoToCustomer: seed.memo ?? "",
        sentAt: order ? createdAt : null,
        modifiedAt: seed.status === "OVER_DUE" ? deadline : (order?.modifiedAt ?? createdAt),
      })),
    );
    await insertRowsAsJson(
      handle,
      invoiceItems,
      this.drafts.flatMap(({ id }) => this.itemsOf(id).map((item) => ({ vendorId, ...item }))),
    );
  }

  private itemsOf(invoiceId: number) {
    const [catering, beans] = [this.catalogue.findOffer("Catering1"), this.catalogue.findOffer("HouseBea2")];
    const { min: minimumQuantity, max: maximumQuantity, price } = BEANS_LINE;
    const plan = (offer: typeof beans) => ({ productId: offer.product.id, priceId: offer.plan.id });
    return [
      { invoiceId, position: 0, ...plan(catering), price: null, minimumQuantity: 1, maximumQuantity: null },
      { invoiceId, position: 1, ...plan(beans), price, minimumQuantity, maximumQuantity },
    ];
  }
}

const amountOrNull = (value: number | undefined): Amount | null => (value === undefined ? null : toAmount(value));
