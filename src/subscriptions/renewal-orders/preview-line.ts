import type { OrderLine } from "../../orders/pricing/order.line.ts";
import type { RenewalItem } from "./renewal-order.service.ts";

/** The fields that previews show of a charge's line. */
type PreviewedLine = Pick<
  OrderLine<RenewalItem>,
  "type" | "orderedProductName" | "quantity" | "unitPrice" | "amount" | "usedCount" | "unitCount" | "usageFormula"
>;

/** A line of a previewed charge. `itemCode`: the subscription's item; null where it has no code yet. */
export const toPreviewLine = (
  { type, orderedProductName: name, quantity, unitPrice, amount, usedCount, unitCount, usageFormula }: PreviewedLine,
  itemCode: string | null,
) => ({ type, name, itemCode, quantity, unitPrice, amount, usedCount, unitCount, usageFormula });
