import { randomInt } from "node:crypto";

const CODE_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

const randomCharacters = (length: number): string =>
  Array.from({ length }, () => CODE_CHARACTERS[randomInt(CODE_CHARACTERS.length)]).join("");

/** The kind of record that a code identifies; it is the code's prefix. */
export type CodeKind = "customer" | "product" | "price" | "order" | "order_item" | "subscription" | "subscription_item";

/** A code that identifies a record in links and in conversation: the kind and nine random letters or digits. */
export const newCode = (kind: CodeKind): string => `${kind}_${randomCharacters(9)}`;

/** The key under which the payment of an order is looked up: its millisecond and sixteen letters or digits by chance. */
export const newIdKey = (now: Date): string => `${String(now.getTime()).padStart(13, "0")}${randomCharacters(16)}`;
