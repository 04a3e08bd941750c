import { useState } from "react";
import { Button, Group, NativeSelect, TextInput } from "@mantine/core";
import { ActionDialog } from "../actions/action-dialog.tsx";
import { actionsTexts } from "../actions/actions.texts.ts";
import { useAction } from "../actions/use-action.ts";
import type { SubscriptionStatus } from "../generated/operations.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { ChangeDialog } from "./changes/change-dialog.tsx";
import { changesTexts } from "./changes/changes.texts.ts";
import { ChargeNotice } from "./changes/charge-notice.tsx";
import type { ChangeCharge } from "./changes/use-subscription-change.ts";
import { CANCEL_SUBSCRIPTION, PAUSE_SUBSCRIPTION, RESUME_SUBSCRIPTION } from "./subscription-actions.query.ts";
import { subscriptionActionsTexts } from "./subscription-actions.texts.ts";

interface ActionsProps {
  subscription: { id: string; status: SubscriptionStatus; currentPeriodEnd: string };
}

type ActionName = "change" | "pause" | "cancel" | "resume";

/** The actions that a state allows; the gateway has the last word. */
const ACTIONS: Record<SubscriptionStatus, readonly ActionName[]> = {
  ACTIVE: ["change", "pause", "cancel"],
  UNPAID: ["cancel"],
  QUEUEING: [],
  INCOMPLETE: ["cancel"],
  PAUSE: ["resume", "cancel"],
  PENDING_PAUSE: ["change", "resume", "cancel"],
  PENDING_CANCEL: ["change", "resume"],
  CANCELED: [],
  EXPIRED: [],
};

/** Buttons to change, pause, cancel and resume a subscription; each says first what it does. */
export function SubscriptionActions({ subscription }: ActionsProps) {
  const texts = useTexts(subscriptionActionsTexts);
  const { actions } = useTexts(actionsTexts);
  const { change } = useTexts(changesTexts);
  const [open, setOpen] = useState<ActionName>();
  const [charge, setCharge] = useState<ChangeCharge>();
  const isWithdrawal = subscription.status === "PENDING_PAUSE" || subscription.status === "PENDING_CANCEL";
  const close = () => setOpen(undefined);
  return (
    <>
      <Group role="group" aria-label={actions} gap="xs">
        {ACTIONS[subscription.status].map((name) => (
          <Button key={name} variant="default" onClick={() => setOpen(name)}>
            {name === "change" ? change : name === "resume" && isWithdrawal ? texts.keep : texts[name]}
          </Button>
        ))}
        {open === "resume" && <ResumeDialog subscription={subscription} isWithdrawal={isWithdrawal} onClose={close} />}
        {(open === "pause" || open === "cancel") && (
          <EndDialog key={open} kind={open} subscription={subscription} onClose={close} />
        )}
        {open === "change" && <ChangeDialog subscriptionId={subscription.id} onDone={setCharge} onClose={close} />}
      </Group>
      {charge && <ChargeNotice charge={charge} />}
    </>
  );
}

/** Asks when a pause or a cancellation begins. */
function EndDialog({ kind, subscription, onClose }: ActionsProps & { kind: "pause" | "cancel"; onClose: () => void }) {
  const texts = useTexts(subscriptionActionsTexts);
  const shared = useTexts(actionsTexts);
  const { day } = useFormats();
  const isRunningPeriod = subscription.status === "ACTIVE";
  const [when, setWhen] = useState<"NOW" | "PERIOD_END">(isRunningPeriod ? "PERIOD_END" : "NOW");
  const [reason, setReason] = useState("");
  const pause = useAction(PAUSE_SUBSCRIPTION);
  const cancel = useAction(CANCEL_SUBSCRIPTION);
  const { isRunning, problem } = kind === "pause" ? pause : cancel;
  const end = day(subscription.currentPeriodEnd);
  const confirm = async () => {
    const input = { subscriptionId: subscription.id, when, reason: reason.trim() === "" ? undefined : reason };
    const done = kind === "pause" ? await pause.run({ input }) : await cancel.run({ input });
    if (done) onClose();
  };
  const isNow = when === "NOW";
  const consequences =
    kind === "pause"
      ? [isNow ? texts.pauseNow : texts.pauseLater(end), texts.noCharge, ...(isNow ? [texts.usage] : [])]
      : [
          isNow ? texts.cancelNow : texts.cancelLater(end),
          texts.noRefund,
          ...(isNow ? [texts.usage] : []),
          ...(subscription.status === "UNPAID" ? [texts.retriesStop] : []),
        ];
  return (
    <ActionDialog
      title={kind === "pause" ? texts.pauseTitle : texts.cancelTitle}
      confirm={kind === "pause" ? texts.pauseTitle : texts.cancelTitle}
      consequences={consequences}
      isRunning={isRunning}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {isRunningPeriod && (
        <NativeSelect
          label={texts.when}
          value={when}
          onChange={({ currentTarget }) => setWhen(currentTarget.value === "NOW" ? "NOW" : "PERIOD_END")}
          data={[
            { value: "PERIOD_END", label: texts.periodEnd(end) },
            { value: "NOW", label: texts.now },
          ]}
        />
      )}
      <TextInput
        label={shared.reason}
        description={shared.reasonHint}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </ActionDialog>
  );
}

function ResumeDialog({
  subscription,
  isWithdrawal,
  onClose,
}: ActionsProps & { isWithdrawal: boolean; onClose: () => void }) {
  const texts = useTexts(subscriptionActionsTexts);
  const { isRunning, problem, run } = useAction(RESUME_SUBSCRIPTION);
  const title = isWithdrawal ? texts.keep : texts.resumeTitle;
  const confirm = async () => {
    if (await run({ input: { subscriptionId: subscription.id } })) onClose();
  };
  return (
    <ActionDialog
      title={title}
      confirm={title}
      consequences={isWithdrawal ? [texts.withdrawn] : [texts.resumed, texts.newPeriod]}
      isRunning={isRunning}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}
