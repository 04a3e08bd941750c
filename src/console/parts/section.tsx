import { useId, type ReactNode } from "react";
import { Group, Paper, Title } from "@mantine/core";

interface SectionProps {
  title: string;
  /** What stands beside the title. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A titled part of a page. */
export function Section({ title, aside, className, children }: SectionProps) {
  const id = useId();
  return (
    <Paper
      component="section"
      withBorder
      radius="md"
      p={{ base: "md", sm: "lg" }}
      className={className}
      aria-labelledby={id}
    >
      {/* As high as a select, so that nothing moves when one comes beside the title. */}
      <Group justify="space-between" mih={30} mb="sm" gap="xs">
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </Paper>
  );
}
