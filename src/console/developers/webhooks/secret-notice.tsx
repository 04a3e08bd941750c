import { useState } from "react";
import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { useTexts } from "../../language/language.tsx";
import { webhooksTexts } from "./webhooks.texts.ts";

/** A secret that is shown once, with a button that copies it. */
export function SecretNotice({ secret }: { secret: string }) {
  const texts = useTexts(webhooksTexts);
  const [isCopied, setCopied] = useState(false);
  // Browsers offer the clipboard on https and on this machine only.
  const clipboard = "clipboard" in navigator ? navigator.clipboard : undefined;
  return (
    <Alert color="blue" title={texts.secret} role="status">
      <Stack gap="xs">
        <Text size="sm">{texts.secretHint}</Text>
        <Code block>{secret}</Code>
        {clipboard && (
          <Group gap="xs">
            <Button
              variant="default"
              size="xs"
              onClick={() => void clipboard.writeText(secret).then(() => setCopied(true))}
            >
              {texts.copy}
            </Button>
            {isCopied && <Text size="sm">{texts.copied}</Text>}
          </Group>
        )}
      </Stack>
    </Alert>
  );
}
