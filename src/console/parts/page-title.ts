import { useEffect } from "react";

/** Names the browser's tab for the page. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Recoup`;
  }, [title]);
}
