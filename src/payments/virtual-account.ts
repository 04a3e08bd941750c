/** A virtual account that a payer transfers to, as stored with the payment. */
export interface VirtualAccount {
  bankCode: string;
  bankName: string;
  accountNumber: string;
  accountName: string;
  /** The payment deadline of the account; null if unknown. */
  bankDate: string | null;
}

/** Reads a stored virtual account. Payments of older gateways use other field names. */
export const toVirtualAccount = (stored: Readonly<Record<string, string>>): VirtualAccount => ({
  bankCode: stored["bankCode"] ?? "",
  bankName: stored["bankName"] ?? stored["bank"] ?? "",
  accountNumber: stored["accountNumber"] ?? stored["number"] ?? "",
  accountName: stored["accountName"] ?? stored["holder"] ?? "",
  bankDate: stored["bankDate"] ?? stored["dueDate"] ?? null,
});
