import type { CheckoutView } from "../checkout.service.ts";

/** The order by which a payment method was stored; null if none was. */
export const paidOrderOf = (methodOrder: Pick<CheckoutView, "state" | "order"> | null): number | null =>
  methodOrder?.state === "PAID" ? methodOrder.order.id : null;
