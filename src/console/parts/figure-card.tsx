import type { ReactNode } from "react";
import { Paper, Skeleton, Text } from "@mantine/core";

interface FigureCardProps {
  title: string;
  /** Undefined while it is loading. */
  value: string | undefined;
  note?: ReactNode;
}

/** One figure with its name and what it refers to. */
export const FigureCard = ({ title, value, note }: FigureCardProps) => (
  <Paper component="dl" withBorder radius="md" p="md" m={0}>
    <Text component="dt" size="sm" c="dimmed">
      {title}
    </Text>
    <dd className="figure">
      <div className="figure-value">{value ?? <Skeleton height="1em" width="70%" />}</div>
      <Text component="span" size="sm" c="dimmed" className="figure-note">
        {note ?? "\u00a0"}
      </Text>
    </dd>
  </Paper>
);
