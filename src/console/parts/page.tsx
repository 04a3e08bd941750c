import { useEffect, useRef, type ReactNode } from "react";
import { Group, Title } from "@mantine/core";
import { usePageTitle } from "./page-title.ts";

/** Whether a page was shown before: the first one leaves the focus where the browser put it. */
let hasNavigated = false;

/** A page with its heading, which gets the focus after a navigation so that screen readers read the new page. */
export function Page({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageTitle(title);
  useEffect(() => {
    if (hasNavigated) heading.current?.focus({ preventScroll: true });
    hasNavigated = true;
    window.scrollTo(0, 0);
  }, []);
  return (
    <>
      <Group justify="space-between" align="center" mb="lg" gap="sm">
        <Title order={1} size="h2" ref={heading} tabIndex={-1}>
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </>
  );
}
