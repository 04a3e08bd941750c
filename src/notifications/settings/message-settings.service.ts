import type { MessageKind, PublishMethod } from "../../../schema/vocabulary.ts";
import type { EventService } from "../../events/event.service.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { invalidField } from "../../kernel/refusals.ts";
import { refuseNulls, sentFields } from "../../kernel/sent-fields.ts";
import { SHARE_PARTS } from "../../recovery/experiments/recovery-experiment.rules.ts";
import { toSettingsEvents } from "../../vendors/vendor-settings.events.ts";
import { readDelays } from "./message-delay.ts";
import { durationError } from "./message-durations.ts";
import type { MessageDelay, MessageSettingsRepository } from "./message-settings.repository.ts";
import { readWordings, type RequestedWording } from "./message-wording.ts";

/** How long before a retry its payer may get a notice. */
const LEAD_BOUNDS = { min: "PT1H", max: "P7D" };

/** Changes of the settings for messages. Absent fields keep their values. */
export interface MessageSettingsFields {
  senderName?: string | null;
  replyTo?: string | null;
  disabledKinds?: MessageKind[] | null;
  retryNoticeLead?: string | null;
  dunningChannels?: PublishMethod[] | null;
  holdoutShare?: Amount | null;
  delays?: MessageDelay[] | null;
  wordings?: RequestedWording[] | null;
}

/** Changes the sender of a vendor's messages, which kinds are sent, when, and in which words. */
export class MessageSettingsService {
  constructor(
    private readonly deps: {
      messageSettingsRepository: MessageSettingsRepository;
      events: EventService;
      now: Date;
    },
  ) {}

  /** @throws a Refusal INVALID_ARGUMENT. */
  async update(vendorId: number, fields: MessageSettingsFields): Promise<void> {
    refuseNulls(fields, ["senderName", "replyTo", "retryNoticeLead"]);
    const { disabledKinds, dunningChannels, holdoutShare, delays, wordings, ...clearable } = sentFields(fields);
    const leadError =
      clearable.retryNoticeLead == null ? undefined : durationError(clearable.retryNoticeLead, LEAD_BOUNDS);
    if (dunningChannels?.length === 0)
      throw invalidField("dunningChannels", "must have a channel; `disabledKinds` switches messages off.");
    if (leadError !== undefined) throw invalidField("retryNoticeLead", leadError);
    await this.deps.messageSettingsRepository.save(
      vendorId,
      {
        ...clearable,
        ...(disabledKinds != null && { disabledKinds: [...new Set(disabledKinds)] }),
        ...(dunningChannels != null && { dunningChannels: [...new Set(dunningChannels)] }),
        ...(holdoutShare != null && { holdoutParts: readHoldout(holdoutShare) }),
        ...(delays != null && { delays: readDelays(delays) }),
        ...(wordings != null && { wordings: readWordings(wordings) }),
      },
      this.deps.now,
    );
    await this.deps.events.recordModuleEvents(vendorId, ...toSettingsEvents(vendorId, "updateMessageSettings", fields));
  }
}

/** The holdout's part of all payers, in ten-thousandths. */
function readHoldout(share: Amount): number {
  const parts = Number(share.times(SHARE_PARTS));
  if (!Number.isInteger(parts) || parts < 0 || parts > SHARE_PARTS / 2)
    throw invalidField("holdoutShare", "must be a fraction from 0 to 0.5 with at most 4 decimals.");
  return parts;
}
