import { invoiceItems, invoices } from "../../schema/tables/index.ts";
import type { InvoiceStatus, PaymentMethod, PublishMethod } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import { amountOf, type Amount } from "../kernel/amounts.ts";
import { DAY_MS, HOUR_MS, later, type Calendar } from "./calendar.ts";
import { wanted, type OrderMaker } from "./order-factory.ts";
import type { OrderDraft } from "./rows/order-draft.ts";
import type { DemoCashier } from "./rows/demo-payments.ts";
import type { Person } from "./customers.ts";
import { fill, number } from "./rows/bulk-rows.ts";
import type { Shelves } from "./catalogue/demo-catalogue.ts";

/** What became of an invoice, when it was written, and what it says besides. */
interface Tale {
  status: InvoiceStatus;
  daysAgo: number;
  discount?: number;
  instantAmount?: number;
  methods?: PaymentMethod[];
  channels?: PublishMethod[];
  memo?: string;
}

const tales: readonly Tale[] = [
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

/** An invoice that is not kept yet. */
interface InvoiceDraft {
  id: number;
  tale: Tale;
  person: Person;
  order: OrderDraft | null;
  createdAt: Date;
  deadline: Date;
}

/** The lines of each invoice: catering, and beans of which the payer may choose more at a price of their own. */
const BEANS = { least: 2, most: 10, price: amountOf(15_900) };

/** Writes invoices; those that were sent have their order, and what was paid its payment. */
export class Invoicing {
  private readonly drafts: InvoiceDraft[] = [];

  constructor(
    private readonly calendar: Calendar,
    private readonly shelves: Shelves,
    private readonly makerAt: (at: Date) => OrderMaker,
    private readonly cashier: DemoCashier,
  ) {}

  /** One invoice of each kind, to people in Korea. @returns the orders that sending them made. */
  write(people: readonly Person[]): OrderDraft[] {
    for (const [index, tale] of tales.entries()) {
      const createdAt = this.calendar.ago(tale.daysAgo);
      const draft = { id: 0, tale, person: people[index % people.length]!, order: null, createdAt };
      this.drafts.push({ ...draft, deadline: later(createdAt, 14 * DAY_MS) });
    }
    const sent = this.drafts.filter(({ tale: { status } }) => status !== "TEMPORARY" && status !== "RESERVATION");
    return sent.map((draft) => (draft.order = this.send(draft)));
  }

  private send({ tale, person, createdAt, deadline }: InvoiceDraft): OrderDraft {
    const beans = { quantity: BEANS.least, most: BEANS.most, price: BEANS.price };
    const items = [...wanted(this.shelves.of("Catering1")), ...wanted(this.shelves.of("HouseBea2"), beans)];
    const order = this.makerAt(createdAt).make(person, items, {
      type: "ONE_TIME",
      createdAt,
      currency: "KRW",
      instantAmount: amountOrNull(tale.instantAmount),
      discount: amountOrNull(tale.discount),
      purchaseDeadline: deadline,
      allowedPaymentMethods: tale.methods ?? [],
    });
    if (tale.status === "PAID") this.cashier.pay(order, person.methods[0] ?? null, later(createdAt, 30 * HOUR_MS));
    return order;
  }

  /** Keeps them, once orders and people have their numbers. */
  async keep(handle: Handle, vendorId: number): Promise<void> {
    await number(handle, invoices, this.drafts);
    await fill(
      handle,
      invoices,
      this.drafts.map(({ id, tale, person, order, createdAt, deadline }) => ({
        ...{ vendorId, id, customerId: person.id, status: tale.status, orderId: order?.id ?? null, createdAt },
        publishType: tale.status === "RESERVATION" ? ("RESERVATION" as const) : ("NOW" as const),
        publishMethods: tale.channels ?? ["EMAIL" as const],
        invoicePayMethods: tale.methods ?? [],
        paymentGateway: tale.methods ? ("HOUSE" as const) : null,
        region: "KR" as const,
        currency: "KRW",
        discount: amountOrNull(tale.discount),
        instantAmount: amountOrNull(tale.instantAmount),
        purchaseDeadline: deadline,
        reservationAt: tale.status === "RESERVATION" ? this.calendar.ago(-2) : null,
        memoToCustomer: tale.memo ?? "",
        sentAt: order ? createdAt : null,
        modifiedAt: tale.status === "OVER_DUE" ? deadline : (order?.modifiedAt ?? createdAt),
      })),
    );
    await fill(
      handle,
      invoiceItems,
      this.drafts.flatMap(({ id }) => this.itemsOf(id).map((item) => ({ vendorId, ...item }))),
    );
  }

  private itemsOf(invoiceId: number) {
    const [catering, beans] = [this.shelves.of("Catering1"), this.shelves.of("HouseBea2")];
    const { least: minimumQuantity, most: maximumQuantity, price } = BEANS;
    const plan = (offer: typeof beans) => ({ productId: offer.product.id, priceId: offer.plan.id });
    return [
      { invoiceId, position: 0, ...plan(catering), price: null, minimumQuantity: 1, maximumQuantity: null },
      { invoiceId, position: 1, ...plan(beans), price, minimumQuantity, maximumQuantity },
    ];
  }
}

const amountOrNull = (value: number | undefined): Amount | null => (value === undefined ? null : amountOf(value));
