import type { MessageKind } from "../../../schema/vocabulary.ts";
import { refuseNulls, sentFields } from "../../kernel/sent-fields.ts";
import { requireDuration } from "./message-durations.ts";
import type { MessageSettingsRepository } from "./message-settings.repository.ts";

/** How long before a retry its payer may be reminded of it. */
const LEAD_BOUNDS = { min: "PT1H", max: "P7D" };

/** Changes of the settings for messages. Absent fields keep their values. */
export interface MessageSettingsFields {
  senderName?: string | null;
  replyTo?: string | null;
  disabledKinds?: MessageKind[] | null;
  retryNoticeLead?: string | null;
}

/** Changes the sender of a vendor's messages, and which kinds are sent. */
export class MessageSettingsService {
  constructor(private readonly deps: { messageSettingsRepository: MessageSettingsRepository; now: Date }) {}

  /** @throws a Refusal INVALID_ARGUMENT. */
  async update(vendorId: number, fields: MessageSettingsFields): Promise<void> {
    refuseNulls(fields, ["senderName", "replyTo", "retryNoticeLead"]);
    const { disabledKinds, ...clearable } = sentFields(fields);
    if (clearable.retryNoticeLead != null) requireDuration("retryNoticeLead", clearable.retryNoticeLead, LEAD_BOUNDS);
    await this.deps.messageSettingsRepository.save(
      vendorId,
      { ...clearable, ...(disabledKinds != null && { disabledKinds: [...new Set(disabledKinds)] }) },
      this.deps.now,
    );
  }
}
