import { and, desc, eq } from "drizzle-orm";
import { invoices } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";
import { NO_ID } from "../events/event.message.ts";
import { createServices } from "../graphql/services.ts";
import { invariant } from "../kernel/refusals.ts";
import type { SecretVault } from "../kernel/secrets/secret-vault.ts";

/** Queues the mail of the newest sent invoice. A worker writes it into the sandbox's outbox, where people can read it. */
export async function queueInvoiceMail(handle: Handle, vendorId: number, now: Date, vault: SecretVault): Promise<void> {
  const [sent] = await handle
    .select({ id: invoices.id })
    .from(invoices)
    .where(and(eq(invoices.vendorId, vendorId), eq(invoices.status, "SENT")))
    .orderBy(desc(invoices.sentAt), desc(invoices.id))
    .limit(1);
  invariant(sent, "the demo vendor has sent an invoice");
  const { invoiceMessages } = createServices(handle, now, { vault });
  // The demo's invoices have no event for which the message could be sent.
  await invoiceMessages.queueFor(vendorId, { id: NO_ID, subjectId: sent.id });
}
