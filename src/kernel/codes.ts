import { newOrderCharacters, randomCharacters } from "./cell-numbers.ts";

/** The kind of record that a code identifies; it is the code's prefix. */
export type CodeKind = "customer" | "product" | "price" | "order_item" | "subscription" | "subscription_item";

/** A code that identifies a record in links and in conversation: the kind and nine random letters or digits. */
export const newCode = (kind: CodeKind): string => `${kind}_${randomCharacters(9)}`;

/** The code of a vendor's order, which is unique over all vendors: `order_` and nine letters or digits. */
export const newOrderCode = (vendorId: number): string => `order_${newOrderCharacters(vendorId)}`;

/** The key under which the payment of an order is looked up: its millisecond and sixteen letters or digits by chance. */
export const newIdKey = (now: Date): string => `${String(now.getTime()).padStart(13, "0")}${randomCharacters(16)}`;
