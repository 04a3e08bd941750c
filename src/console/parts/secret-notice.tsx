import { useState } from "react";
import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";

interface SecretTexts {
  secret: string;
  secretHint: string;
  copy: string;
  copied: string;
}

/** A secret that is shown once, with a button that copies it. */
export function SecretNotice({ secret, texts }: { secret: string; texts: SecretTexts }) {
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
