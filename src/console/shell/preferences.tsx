import { Group, NativeSelect, useMantineColorScheme } from "@mantine/core";
import { useLanguage, useTexts } from "../language/language.tsx";
import { shellTexts } from "./shell.texts.ts";

const SCHEMES = ["auto", "light", "dark"] as const;

/** Language and colours; the browser remembers both. */
export function Preferences() {
  const texts = useTexts(shellTexts);
  const { language, chooseLanguage } = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Group gap="xs" wrap="nowrap">
      <NativeSelect
        size="xs"
        aria-label={texts.language}
        value={language}
        onChange={({ currentTarget }) => chooseLanguage(currentTarget.value === "ko" ? "ko" : "en")}
        data={[
          { value: "en", label: "English" },
          { value: "ko", label: "한국어" },
        ]}
      />
      <NativeSelect
        size="xs"
        aria-label={texts.colors}
        value={colorScheme}
        onChange={({ currentTarget }) => setColorScheme(SCHEMES.find((one) => one === currentTarget.value) ?? "auto")}
        data={SCHEMES.map((value) => ({ value, label: texts.schemes[value] }))}
      />
    </Group>
  );
}
