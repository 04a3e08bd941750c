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
export const toVirtualAccount = (stored: Readonly<Record<string, string>>): VirtualAccount => ({
  bankCode: stored["bankCode"] ?? "",
  bankName: stored["bankName"] ?? stored["bank"] ?? "",
  accountNumber: stored["accountNumber"] ?? stored["number"] ?? "",
  accountName: stored["accountName"] ?? stored["holder"] ?? "",
  bankDate: stored["bankDate"] ?? stored["dueDate"] ?? null,
});
