import { Badge } from "@mantine/core";

/** What a state means for the merchant's money. */
export type Tone = "good" | "running" | "bad" | "neutral";

const COLORS: Record<Tone, string> = { good: "green", running: "blue", bad: "red", neutral: "gray" };

export const StateBadge = ({ tone, children }: { tone: Tone; children: string }) => (
  <Badge variant="light" color={COLORS[tone]} radius="sm" tt="none" fw={600} miw="max-content">
    {children}
  </Badge>
);
