import type {
  InvoiceDetailQuery,
  InvoiceItemInput,
  PublishMethod,
  UpdateInvoiceInput,
} from "../generated/operations.ts";
import { fromLocalTime, toLocalTime } from "./local-time.ts";

export type EditedInvoice = Pick<
  NonNullable<InvoiceDetailQuery["invoice"]>,
  | "id"
  | "currency"
  | "items"
  | "discount"
  | "memoToCustomer"
  | "purchaseDeadline"
  | "publishMethods"
  | "publishType"
  | "reservationAt"
> & { customer: { name: string } };

/** A line of the draft as it is typed. */
export interface LineForm {
  /** Stays the same while lines are added and removed. */
  key: string;
  /** Codes of a stored line; a new one has a name instead. */
  codes: { productCode: string; priceCode: string } | undefined;
  name: string;
  /** Empty for the plan's price, which a stored line can have. */
  price: string;
  planPrice: string | undefined;
  quantity: string;
  /** Empty for a fixed quantity. */
  maximum: string;
}

export interface InvoiceForm {
  lines: readonly LineForm[];
  discount: string;
  memo: string;
  /** Local time of the vendor; empty for none. */
  deadline: string;
  isScheduled: boolean;
  sendAt: string;
  channels: readonly PublishMethod[];
}

const DECIMAL = /^\d+(?:[.]\d+)?$/;
const COUNT = /^[1-9]\d{0,8}$/;

export const isPrice = (text: string): boolean => DECIMAL.test(text.trim());
export const isQuantity = (text: string): boolean => COUNT.test(text.trim());

export function toInvoiceForm(invoice: EditedInvoice, zoneId: string): InvoiceForm {
  const { items, discount, memoToCustomer, purchaseDeadline, publishMethods, publishType, reservationAt } = invoice;
  const localTime = (instant: string | null) => (instant === null ? "" : toLocalTime(instant, zoneId));
  return {
    lines: items.map(({ product, pricePlan, price, minimumQuantity, maximumQuantity }, index) => ({
      key: String(index),
      codes: { productCode: product.code, priceCode: pricePlan.code },
      name: product.name,
      price: price ?? "",
      planPrice: pricePlan.price,
      quantity: String(minimumQuantity),
      maximum: maximumQuantity === null || maximumQuantity === minimumQuantity ? "" : String(maximumQuantity),
    })),
    discount: discount ?? "",
    memo: memoToCustomer,
    deadline: localTime(purchaseDeadline),
    isScheduled: publishType === "RESERVATION",
    sendAt: localTime(reservationAt),
    channels: publishMethods,
  };
}

function isLineComplete({ codes, name, price, quantity, maximum }: LineForm): boolean {
  const hasPrice = isPrice(price) || (codes !== undefined && price.trim() === "");
  const hasRange = maximum.trim() === "" || (isQuantity(maximum) && Number(maximum) >= Number(quantity));
  return name.trim() !== "" && hasPrice && isQuantity(quantity) && hasRange;
}

/** Whether the gateway can be asked to save the form. */
export function isFormComplete(form: InvoiceForm): boolean {
  const { lines, discount, isScheduled, sendAt, channels } = form;
  const hasDiscount = discount.trim() === "" || (isPrice(discount) && Number(discount) > 0);
  return (
    lines.length > 0 &&
    lines.every(isLineComplete) &&
    hasDiscount &&
    channels.length > 0 &&
    (!isScheduled || sendAt !== "")
  );
}

function toItem({ codes, name, price, quantity, maximum }: LineForm): InvoiceItemInput {
  return {
    ...(codes ?? { productName: name.trim() }),
    ...(price.trim() !== "" && { price: price.trim() }),
    minimumQuantity: Number(quantity),
    ...(maximum.trim() !== "" && { maximumQuantity: Number(maximum) }),
  };
}

/** The fields that differ; what was emptied is removed. */
export function toInvoiceChanges(
  form: InvoiceForm,
  stored: InvoiceForm,
  zoneId: string,
): Omit<UpdateInvoiceInput, "invoiceId"> {
  const { lines, discount, memo, deadline, isScheduled, sendAt, channels } = form;
  const textOrNull = (text: string) => (text.trim() === "" ? null : text.trim());
  const isLinesChanged = JSON.stringify(lines) !== JSON.stringify(stored.lines);
  const isTimeChanged = isScheduled !== stored.isScheduled || (isScheduled && sendAt !== stored.sendAt);
  const channelsOf = (list: readonly PublishMethod[]) => [...list].sort().join();
  return {
    ...(isLinesChanged && { items: lines.map(toItem) }),
    ...(discount.trim() !== stored.discount && { discount: textOrNull(discount) }),
    ...(memo !== stored.memo && { memoToCustomer: memo }),
    ...(deadline !== stored.deadline && { purchaseDeadline: fromLocalTime(deadline, zoneId) ?? null }),
    ...(isTimeChanged && {
      publishType: isScheduled ? "RESERVATION" : "NOW",
      reservationAt: isScheduled ? fromLocalTime(sendAt, zoneId) : null,
    }),
    ...(channelsOf(channels) !== channelsOf(stored.channels) && { publishMethods: [...channels] }),
  };
}

const SCALED = /^(\d+)(?:[.](\d+))?$/;

/** What the lines come to at their smallest quantities, exactly; undefined while a price or a quantity is none. */
export function sumOfLines(lines: readonly LineForm[]): string | undefined {
  let [sum, places] = [0n, 0];
  for (const { price, planPrice, quantity } of lines) {
    const found = SCALED.exec(price.trim() === "" ? (planPrice ?? "") : price.trim());
    if (!found || !isQuantity(quantity)) return undefined;
    const [, whole = "", fraction = ""] = found;
    const common = Math.max(places, fraction.length);
    const line = BigInt(whole + fraction.padEnd(common, "0")) * BigInt(quantity.trim());
    sum = sum * 10n ** BigInt(common - places) + line;
    places = common;
  }
  const digits = String(sum).padStart(places + 1, "0");
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
