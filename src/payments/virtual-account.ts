/** An account that a payer pays into, as a payment keeps it. */
export interface VirtualAccount {
  bankCode: string;
  bankName: string;
  accountNumber: string;
  accountName: string;
  /** Until when it can be paid into; null where nothing is known. */
  bankDate: string | null;
}

/** Reads a kept account. Payments of older gateways name its parts otherwise. */
export const virtualAccountOf = (kept: Readonly<Record<string, string>>): VirtualAccount => ({
  bankCode: kept["bankCode"] ?? "",
  bankName: kept["bankName"] ?? kept["bank"] ?? "",
  accountNumber: kept["accountNumber"] ?? kept["number"] ?? "",
  accountName: kept["accountName"] ?? kept["holder"] ?? "",
  bankDate: kept["bankDate"] ?? kept["dueDate"] ?? null,
});
