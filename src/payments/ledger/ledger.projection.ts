import { ledgerEntries } from "../../../schema/tables/index.ts";
import { columnsOf, type Shape } from "../../database/projection.ts";

export const ledgerShape: Shape = {
  table: ledgerEntries,
  fields: {
    databaseId: ledgerEntries.id,
    orderDatabaseId: ledgerEntries.orderId,
    paymentDatabaseId: ledgerEntries.paymentId,
    refundDatabaseId: ledgerEntries.refundId,
    ...columnsOf(ledgerEntries, "id", "account", "amount", "currency", "createdAt"),
  },
};
