import { TextInput } from "@mantine/core";
import { actionsTexts } from "../actions/actions.texts.ts";
import { useTexts } from "../language/language.tsx";

/** The reason of an action, which is optional. */
export function ReasonField({ reason, onChange }: { reason: string; onChange: (reason: string) => void }) {
  const texts = useTexts(actionsTexts);
  return (
    <TextInput
      label={texts.reason}
      description={texts.reasonHint}
      value={reason}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** The entered reason; undefined if there is none. */
export const reasonOf = (reason: string) => (reason.trim() === "" ? undefined : reason);
