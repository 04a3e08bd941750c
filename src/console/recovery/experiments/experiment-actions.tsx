import { useState } from "react";
import { Button, Group, NativeSelect } from "@mantine/core";
import { ActionDialog } from "../../actions/action-dialog.tsx";
import { actionsTexts } from "../../actions/actions.texts.ts";
import { useAction } from "../../actions/use-action.ts";
import type { CoversInProgress, ExperimentResult } from "../../generated/operations.ts";
import { useTexts } from "../../language/language.tsx";
import { PROMOTE_ARM, STOP_EXPERIMENT } from "./experiments.query.ts";
import { experimentsTexts } from "./experiments.texts.ts";

interface ActionsProps {
  experiment: {
    id: string;
    arms: readonly { number: number; recoveryRateDifference: { result: ExperimentResult } | null }[];
  };
}

/** Buttons to end an experiment, with or without a winner; each says first what it does. */
export function ExperimentActions({ experiment }: ActionsProps) {
  const texts = useTexts(experimentsTexts);
  const { actions } = useTexts(actionsTexts);
  const [open, setOpen] = useState<"stop" | "promote">();
  const close = () => setOpen(undefined);
  return (
    <Group role="group" aria-label={actions} gap="xs">
      <Button variant="default" onClick={() => setOpen("promote")}>
        {texts.promote}
      </Button>
      <Button variant="default" onClick={() => setOpen("stop")}>
        {texts.stop}
      </Button>
      {open === "stop" && <StopDialog experiment={experiment} onClose={close} />}
      {open === "promote" && <PromoteDialog experiment={experiment} onClose={close} />}
    </Group>
  );
}

const CHOICES: readonly CoversInProgress[] = ["KEEP_POLICY", "USE_ACTIVE_POLICY"];

interface CoversFieldProps {
  value: CoversInProgress;
  onChange: (value: CoversInProgress) => void;
}

/** Asks which policy the covers in progress have after the end. */
function CoversField({ value, onChange }: CoversFieldProps) {
  const texts = useTexts(experimentsTexts);
  return (
    <NativeSelect
      label={texts.covers}
      value={value}
      onChange={({ currentTarget }) => onChange(CHOICES.find((one) => one === currentTarget.value) ?? "KEEP_POLICY")}
      data={CHOICES.map((choice) => ({ value: choice, label: texts.inProgress[choice] }))}
    />
  );
}

function StopDialog({ experiment, onClose }: ActionsProps & { onClose: () => void }) {
  const texts = useTexts(experimentsTexts);
  const [coversInProgress, setCovers] = useState<CoversInProgress>("KEEP_POLICY");
  const { isRunning, problem, run } = useAction(STOP_EXPERIMENT);
  const confirm = async () => {
    if (await run({ input: { experimentId: experiment.id, coversInProgress } })) onClose();
  };
  return (
    <ActionDialog
      title={texts.stopTitle}
      confirm={texts.stopTitle}
      consequences={[texts.stopRule, texts.stopResults]}
      isRunning={isRunning}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <CoversField value={coversInProgress} onChange={setCovers} />
    </ActionDialog>
  );
}

function PromoteDialog({ experiment, onClose }: ActionsProps & { onClose: () => void }) {
  const texts = useTexts(experimentsTexts);
  const arms = experiment.arms.filter(({ number }) => number > 0);
  const [number, setNumber] = useState(1);
  const [coversInProgress, setCovers] = useState<CoversInProgress>("KEEP_POLICY");
  const { isRunning, problem, run } = useAction(PROMOTE_ARM);
  const isBetter = arms.find((arm) => arm.number === number)?.recoveryRateDifference?.result === "BETTER";
  const confirm = async () => {
    if (await run({ input: { experimentId: experiment.id, arm: number, coversInProgress } })) onClose();
  };
  return (
    <ActionDialog
      title={texts.promote}
      confirm={texts.promote}
      consequences={[...(isBetter ? [] : [texts.promoteUndecided]), texts.promoteRule]}
      isRunning={isRunning}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <NativeSelect
        label={texts.promoteField}
        value={String(number)}
        onChange={({ currentTarget }) => setNumber(Number(currentTarget.value))}
        data={arms.map((arm) => ({ value: String(arm.number), label: texts.arm(arm.number) }))}
      />
      <CoversField value={coversInProgress} onChange={setCovers} />
    </ActionDialog>
  );
}
