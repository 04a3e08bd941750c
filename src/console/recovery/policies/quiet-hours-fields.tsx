import { SimpleGrid, TextInput } from "@mantine/core";
import { useTexts } from "../../language/language.tsx";
import { editorTexts } from "./editor.texts.ts";

interface QuietHours {
  quietFrom: string;
  quietUntil: string;
}

/** Beginning and end of the payer's quiet hours, as texts. */
export function QuietHoursFields({ hours, onChange }: { hours: QuietHours; onChange: (hours: QuietHours) => void }) {
  const texts = useTexts(editorTexts);
  const { quietFrom, quietUntil } = hours;
  const field = (name: keyof QuietHours) => (
    <TextInput
      label={texts[name]}
      description={name === "quietFrom" ? texts.quietHint : undefined}
      inputWrapperOrder={["label", "input", "description", "error"]}
      value={hours[name]}
      onChange={({ currentTarget }) => onChange({ quietFrom, quietUntil, [name]: currentTarget.value })}
    />
  );
  return (
    <SimpleGrid cols={2}>
      {field("quietFrom")}
      {field("quietUntil")}
    </SimpleGrid>
  );
}
