import { eq } from "drizzle-orm";
import { messageSettings, vendors, vendorSettings } from "../../../schema/tables/index.ts";
import type { MessageKind, PublishMethod } from "../../../schema/vocabulary.ts";
import type { Handle } from "../../database/client.ts";
import { firstRow } from "../../database/rows.ts";

const DEFAULT_RETRY_NOTICE_LEAD = "P1D";

type StoredSettings = typeof messageSettings.$inferSelect;

/** How much later than its event a kind of message is due. */
export type MessageDelay = StoredSettings["delays"][number];

/** A vendor's own words for a kind of message in one language; null for the built-in ones. */
export type MessageWording = StoredSettings["wordings"][number];

/** The vendor's settings for messages, and the defaults that the vendor's profile gives. */
export interface MessageSettingsRecord {
  senderName: string | null;
  replyTo: string | null;
  disabledKinds: MessageKind[];
  /** How long before a retry its payer gets a notice: an ISO 8601 duration. */
  retryNoticeLead: string;
  /** The channels of messages about failed renewals. */
  dunningChannels: PublishMethod[];
  /** The share of payers who get no messages about failed renewals, in ten-thousandths. */
  holdoutParts: number;
  delays: MessageDelay[];
  wordings: MessageWording[];
  vendorName: string;
  vendorEmail: string;
  vendorCountry: string;
  zoneId: string;
  /** How many days before a charge its customer is notified. */
  chargeNoticeDays: number;
}

export type MessageSettingsValues = Partial<Omit<typeof messageSettings.$inferInsert, "vendorId" | "modifiedAt">>;

/** Queries for vendors' settings of messages. */
export class MessageSettingsRepository {
  constructor(private readonly db: Handle) {}

  async read(vendorId: number): Promise<MessageSettingsRecord> {
    const row = firstRow(
      await this.db
        .select({
          senderName: messageSettings.senderName,
          replyTo: messageSettings.replyTo,
          disabledKinds: messageSettings.disabledKinds,
          retryNoticeLead: messageSettings.retryNoticeLead,
          dunningChannels: messageSettings.dunningChannels,
          holdoutParts: messageSettings.holdoutParts,
          delays: messageSettings.delays,
          wordings: messageSettings.wordings,
          vendorName: vendors.name,
          vendorEmail: vendorSettings.email,
          vendorCountry: vendors.country,
          zoneId: vendors.zoneId,
          chargeNoticeDays: vendorSettings.notiBeforePaymentDays,
        })
        .from(vendors)
        .innerJoin(vendorSettings, eq(vendorSettings.vendorId, vendors.id))
        .leftJoin(messageSettings, eq(messageSettings.vendorId, vendors.id))
        .where(eq(vendors.id, vendorId)),
    );
    return {
      ...row,
      disabledKinds: row.disabledKinds ?? [],
      retryNoticeLead: row.retryNoticeLead ?? DEFAULT_RETRY_NOTICE_LEAD,
      dunningChannels: row.dunningChannels ?? ["EMAIL"],
      holdoutParts: row.holdoutParts ?? 0,
      delays: row.delays ?? [],
      wordings: row.wordings ?? [],
    };
  }

  async save(vendorId: number, values: MessageSettingsValues, now: Date): Promise<void> {
    await this.db
      .insert(messageSettings)
      .values({ vendorId, ...values, modifiedAt: now })
      .onConflictDoUpdate({ target: messageSettings.vendorId, set: { ...values, modifiedAt: now } });
  }
}
