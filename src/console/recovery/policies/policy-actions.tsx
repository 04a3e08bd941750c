import { useState } from "react";
import { Button, Group } from "@mantine/core";
import { ActionDialog } from "../../actions/action-dialog.tsx";
import { actionsTexts } from "../../actions/actions.texts.ts";
import { useAction } from "../../actions/use-action.ts";
import type { PolicyState } from "../../generated/operations.ts";
import { useTexts } from "../../language/language.tsx";
import { ACTIVATE_POLICY, RETIRE_POLICY } from "./policies.query.ts";
import { policiesTexts } from "./policies.texts.ts";

interface ActionsProps {
  policy: { id: string; state: PolicyState; lastBacktest: { isWorse: boolean } | null };
}

/** Buttons to activate and to retire a policy; each says first what it does. */
export function PolicyActions({ policy }: ActionsProps) {
  const texts = useTexts(policiesTexts);
  const { actions } = useTexts(actionsTexts);
  const [isOpen, setOpen] = useState(false);
  const isActive = policy.state === "ACTIVE";
  const Dialog = isActive ? RetireDialog : ActivateDialog;
  return (
    <Group role="group" aria-label={actions} gap="xs">
      <Button variant={isActive ? "default" : "filled"} onClick={() => setOpen(true)}>
        {isActive ? texts.retire : texts.activate}
      </Button>
      {isOpen && <Dialog policy={policy} onClose={() => setOpen(false)} />}
    </Group>
  );
}

function ActivateDialog({ policy, onClose }: ActionsProps & { onClose: () => void }) {
  const texts = useTexts(policiesTexts);
  const { isRunning, problem, run } = useAction(ACTIVATE_POLICY);
  const { lastBacktest } = policy;
  const warning = lastBacktest === null ? texts.activateUntested : lastBacktest.isWorse && texts.activateWorse;
  const confirm = async () => {
    if (await run({ input: { policyId: policy.id } })) onClose();
  };
  return (
    <ActionDialog
      title={texts.activateTitle}
      confirm={texts.activateTitle}
      consequences={[...(warning ? [warning] : []), texts.activateNew, texts.activateRunning, texts.activateOther]}
      isRunning={isRunning}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}

function RetireDialog({ policy, onClose }: ActionsProps & { onClose: () => void }) {
  const texts = useTexts(policiesTexts);
  const { isRunning, problem, run } = useAction(RETIRE_POLICY);
  const confirm = async () => {
    if (await run({ input: { policyId: policy.id } })) onClose();
  };
  return (
    <ActionDialog
      title={texts.retireTitle}
      confirm={texts.retireTitle}
      consequences={[texts.retireNew, texts.activateRunning]}
      isRunning={isRunning}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}
