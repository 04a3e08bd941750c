import type { ReactNode } from "react";
import { Alert, Paper, Stack, Text, Title } from "@mantine/core";
import { usePageTitle } from "../parts/page-title.ts";
import { Preferences } from "../shell/preferences.tsx";

/** The page of somebody who is not signed in: one card with a heading. */
export function SignInFrame({
  title,
  introduction,
  problem,
  children,
}: {
  title: string;
  introduction: string;
  problem: string | undefined;
  children: ReactNode;
}) {
  usePageTitle(title);
  return (
    <div className="sign-in">
      <header className="sign-in-header">
        <span className="brand">Recoup</span>
        <Preferences />
      </header>
      <main>
        <Paper withBorder radius="lg" p="xl">
          <Stack>
            <div>
              <Title order={1} size="h2">
                {title}
              </Title>
              <Text c="dimmed">{introduction}</Text>
            </div>
            {problem !== undefined && (
              <Alert color="red" role="alert">
                {problem}
              </Alert>
            )}
            {children}
          </Stack>
        </Paper>
      </main>
    </div>
  );
}
