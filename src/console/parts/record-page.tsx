import type { ReactNode } from "react";
import { Stack } from "@mantine/core";
import type { CombinedError } from "urql";
import { useTexts } from "../language/language.tsx";
import { EmptyNotice, ErrorNotice, LoadingLines } from "./notices.tsx";
import { Page } from "./page.tsx";
import { partsTexts } from "./parts.texts.ts";
import { TextLink } from "./text-link.tsx";

interface RecordPageProps<Shown> {
  /** The heading; undefined until the record is known. */
  title: string | undefined;
  /** The list that the record is in. */
  list: { path: string; name: string; back: string };
  result: { data?: unknown; error?: CombinedError | undefined };
  /** The record; null if there is none. */
  record: Shown | null | undefined;
  onRetry: () => void;
  children: (record: Shown) => ReactNode;
}

/** The page of one record in the state that it is in: loading, failed, missing or shown. */
export function RecordPage<Shown>({ title, list, result, record, onRetry, children }: RecordPageProps<Shown>) {
  const texts = useTexts(partsTexts);
  return (
    <Page title={title ?? list.name}>
      <Stack gap="lg">
        <div>
          <TextLink to={list.path}>{list.back}</TextLink>
        </div>
        {result.error ? (
          <ErrorNotice error={result.error} onRetry={onRetry} />
        ) : !result.data ? (
          <LoadingLines />
        ) : record == null ? (
          <EmptyNotice>{texts.recordMissing}</EmptyNotice>
        ) : (
          children(record)
        )}
      </Stack>
    </Page>
  );
}
