import { ledgerEntries } from "../../../schema/tables/index.ts";
import { pickColumns, type Projection } from "../../database/projection.ts";

export const ledgerProjection: Projection = {
  table: ledgerEntries,
  fields: {
    databaseId: ledgerEntries.id,
    orderDatabaseId: ledgerEntries.orderId,
    paymentDatabaseId: ledgerEntries.paymentId,
    refundDatabaseId: ledgerEntries.refundId,
    disputeDatabaseId: ledgerEntries.disputeId,
    ...pickColumns(ledgerEntries, "id", "account", "amount", "currency", "createdAt"),
  },
};
