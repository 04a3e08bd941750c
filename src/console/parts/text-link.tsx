import type { ReactNode } from "react";
import { Anchor } from "@mantine/core";
import { Link } from "wouter";

/** A link to a page of the console. */
export const TextLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Anchor component={Link} href={to} underline="always" inherit>
    {children}
  </Anchor>
);
