import { useState } from "react";
import { Button, Checkbox, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { useQuery } from "urql";
import { useLocation } from "wouter";
import { ActionDialog } from "../../actions/action-dialog.tsx";
import { useAction } from "../../actions/use-action.ts";
import { useFormats } from "../../language/formats.ts";
import { useTexts } from "../../language/language.tsx";
import { usePlanWords } from "../policies/terms-in-words.tsx";
import { readShares, type ArmForm } from "./arm-shares.ts";
import { POLICIES_TO_TRY, START_EXPERIMENT } from "./experiments.query.ts";
import { experimentsTexts } from "./experiments.texts.ts";

const DEFAULT_SHARE = "95";

/** Asks for the arms of an experiment; the holdout gets what they leave. */
export function StartDialog({ onClose }: { onClose: () => void }) {
  const texts = useTexts(experimentsTexts);
  const { percent } = useFormats();
  const planWords = usePlanWords();
  const [, navigate] = useLocation();
  const [name, setName] = useState("");
  const [includeChildren, setIncludeChildren] = useState(true);
  const [arms, setArms] = useState<readonly ArmForm[]>([{ policyId: "", percent: DEFAULT_SHARE }]);
  const [{ data }] = useQuery({ query: POLICIES_TO_TRY, requestPolicy: "network-only" });
  const { isRunning, problem, run } = useAction(START_EXPERIMENT);
  const policies = data?.recoveryPolicies.nodes ?? [];
  const shares = readShares(arms);
  const change = (index: number, changed: Partial<ArmForm>) =>
    setArms(arms.map((arm, place) => (place === index ? { ...arm, ...changed } : arm)));
  const confirm = async () => {
    if (!shares) return;
    const input = {
      name: name.trim() === "" ? undefined : name,
      includeChildren,
      holdout: { share: shares.holdout },
      arms: arms.map(({ policyId }, index) => ({
        policyId: policyId === "" ? (policies[0]?.id ?? "") : policyId,
        share: shares.arms[index] ?? "",
      })),
    };
    const started = await run({ input });
    if (started) navigate(`/recovery/experiments/${started.startRecoveryExperiment.experiment.databaseId}`);
  };
  return (
    <ActionDialog
      title={texts.start}
      confirm={texts.start}
      consequences={[
        texts.startRule,
        shares ? texts.startHoldout(percent(Number(shares.holdout))) : texts.shareUnreadable,
        texts.startRunning,
      ]}
      isComplete={shares !== undefined && policies.length > 0}
      isRunning={isRunning}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <TextInput
        label={texts.nameField}
        description={texts.nameHint}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      {data && policies.length === 0 && <Text c="dimmed">{texts.noPolicies}</Text>}
      {arms.map(({ policyId, percent: entered }, index) => (
        <Group key={index} align="flex-end" grow>
          <NativeSelect
            label={texts.armField(index + 1)}
            value={policyId}
            onChange={({ currentTarget }) => change(index, { policyId: currentTarget.value })}
            data={policies.map(({ id, terms }) => ({
              value: id,
              label: `${terms.version}: ${planWords(terms.plan)}`,
            }))}
          />
          <TextInput
            label={texts.shareField(index + 1)}
            inputMode="decimal"
            value={entered}
            onChange={({ currentTarget }) => change(index, { percent: currentTarget.value })}
            error={shares === undefined}
          />
        </Group>
      ))}
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          onClick={() => setArms([...arms, { policyId: policies[arms.length]?.id ?? "", percent: "" }])}
        >
          {texts.addArm}
        </Button>
        {arms.length > 1 && (
          <Button variant="default" size="xs" onClick={() => setArms(arms.slice(0, -1))}>
            {texts.removeArm(arms.length)}
          </Button>
        )}
      </Group>
      <Checkbox
        label={texts.includeChildren}
        checked={includeChildren}
        onChange={({ currentTarget }) => setIncludeChildren(currentTarget.checked)}
      />
    </ActionDialog>
  );
}
