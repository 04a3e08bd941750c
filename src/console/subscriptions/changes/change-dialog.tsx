import { useMemo, useState } from "react";
import { NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "urql";
import { ActionDialog } from "../../actions/action-dialog.tsx";
import { actionsTexts } from "../../actions/actions.texts.ts";
import { toRequestError } from "../../graphql/request-error.ts";
import { useTexts } from "../../language/language.tsx";
import { useRested } from "../../parts/use-rested.ts";
import { CHANGEABLE_SUBSCRIPTION, PREVIEW_CHANGE } from "./changes.query.ts";
import { changesTexts } from "./changes.texts.ts";
import { IntervalFields } from "./interval-fields.tsx";
import { ItemFields } from "./item-fields.tsx";
import { PlanFields } from "./plan-fields.tsx";
import {
  possibleKinds,
  type ChangeableSubscription,
  type ChangeKind,
  type SubscriptionChange,
} from "./possible-changes.ts";
import { QuotaFields } from "./quota-fields.tsx";
import { useConsequences } from "./use-consequences.ts";
import { useSubscriptionChange, type ChangeCharge } from "./use-subscription-change.ts";

/** What the fields of each kind of change get. */
export interface FieldsProps {
  subscription: ChangeableSubscription;
  /** Gets the change; undefined while it is incomplete or changes nothing. */
  onChange: (change: SubscriptionChange | undefined) => void;
}

const FIELDS = { plan: PlanFields, items: ItemFields, quota: QuotaFields, interval: IntervalFields } as const;

interface ChangeDialogProps {
  subscriptionId: string;
  /** Gets the charge of a change that was made. */
  onDone: (charge: ChangeCharge) => void;
  onClose: () => void;
}

/** Changes plans, items, quota or cycle of a subscription; what the change costs is requested before. */
export function ChangeDialog({ subscriptionId, onDone, onClose }: ChangeDialogProps) {
  const texts = useTexts(changesTexts);
  const shared = useTexts(actionsTexts);
  const [{ data, error }] = useQuery({ query: CHANGEABLE_SUBSCRIPTION, variables: { id: subscriptionId } });
  const subscription = data?.subscription ?? undefined;
  const kinds = subscription ? possibleKinds(subscription) : [];
  const [chosenKind, setKind] = useState<ChangeKind>();
  const kind = chosenKind ?? kinds[0];
  const [change, setChange] = useState<SubscriptionChange>();
  const [reason, setReason] = useState("");
  const preview = usePreview(subscriptionId, change);
  const consequences = useConsequences(subscription, change, preview.data);
  const { isRunning, problem, run } = useSubscriptionChange();
  const confirm = async () => {
    if (!change) return;
    const charge = await run(change, { subscriptionId, reason: reason.trim() === "" ? undefined : reason });
    if (!charge) return;
    onDone(charge);
    onClose();
  };
  const Fields = kind && FIELDS[kind];
  return (
    <ActionDialog
      title={texts.title}
      confirm={texts.title}
      consequences={!change ? [texts.choose] : preview.problem ? [] : preview.data ? consequences : [texts.calculating]}
      isComplete={change !== undefined && preview.data !== undefined}
      isRunning={isRunning}
      problem={problem ?? preview.problem ?? (error && toRequestError(error))}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {subscription && (
        <NativeSelect
          // It comes after the dialog was opened, which would leave the focus on a later field.
          autoFocus
          label={texts.what}
          value={kind}
          onChange={({ currentTarget }) => {
            setKind(kinds.find((one) => one === currentTarget.value));
            setChange(undefined);
          }}
          data={kinds.map((value) => ({ value, label: texts.kinds[value] }))}
        />
      )}
      {subscription && Fields && <Fields key={kind} subscription={subscription} onChange={setChange} />}
      <TextInput
        label={shared.reason}
        description={shared.reasonHint}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </ActionDialog>
  );
}

/** What a change would cost, once typing rests; nothing of an earlier entry. */
function usePreview(subscriptionId: string, change: SubscriptionChange | undefined) {
  // Changes are compared as a text: each key that is typed makes a new object.
  const entered = change && JSON.stringify(change);
  const rested = useRested(entered);
  const variables = useMemo(
    () => ({ input: { subscriptionId, ...(JSON.parse(rested ?? "null") as SubscriptionChange | null) } }),
    [subscriptionId, rested],
  );
  const isPaused = rested === undefined || rested !== entered;
  const [{ data, error, stale, fetching }] = useQuery({ query: PREVIEW_CHANGE, variables, pause: isPaused });
  if (isPaused || fetching || stale) return {};
  return { data: data?.previewSubscriptionChange, problem: error && toRequestError(error) };
}
