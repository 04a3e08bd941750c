import type { MessageKind } from "../../../schema/vocabulary.ts";
import { refuseNulls, sentFields } from "../../kernel/sent-fields.ts";
import type { MessageSettingsRepository } from "./message-settings.repository.ts";

/** Changes of the settings for messages. Absent fields keep their values. */
export interface MessageSettingsFields {
  senderName?: string | null;
  replyTo?: string | null;
  disabledKinds?: MessageKind[] | null;
}

/** Changes the sender of a vendor's messages, and which kinds are sent. */
export class MessageSettingsService {
  constructor(private readonly deps: { messageSettingsRepository: MessageSettingsRepository; now: Date }) {}

  /** @throws a Refusal INVALID_ARGUMENT. */
  async update(vendorId: number, fields: MessageSettingsFields): Promise<void> {
    refuseNulls(fields, ["senderName", "replyTo"]);
    const { disabledKinds, ...clearable } = sentFields(fields);
    await this.deps.messageSettingsRepository.save(
      vendorId,
      { ...clearable, ...(disabledKinds != null && { disabledKinds: [...new Set(disabledKinds)] }) },
      this.deps.now,
    );
  }
}
