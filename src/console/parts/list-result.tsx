import { Text } from "@mantine/core";
import type { CombinedError } from "urql";
import type { SlicePositionFragment } from "../generated/operations.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { EmptyNotice, ErrorNotice, LoadingLines } from "./notices.tsx";
import { Paging } from "./paging.tsx";
import { partsTexts } from "./parts.texts.ts";
import { RecordTable, type Column } from "./record-table.tsx";

export interface ListResultProps<Row> {
  label: string;
  /** What the page says if no record matches. */
  empty: string;
  result: { error?: CombinedError | undefined; fetching: boolean };
  connection: { totalCount?: number; nodes: readonly Row[]; pageInfo: SlicePositionFragment } | undefined;
  columns: readonly Column<Row>[];
  onRetry: () => void;
}

/** A list in the state that it is in: loading, failed, empty, or a table with paging. */
export function ListResult<Row extends { id: string }>({
  label,
  empty,
  result: { error, fetching },
  connection,
  columns,
  onRetry,
}: ListResultProps<Row>) {
  const texts = useTexts(partsTexts);
  const { count } = useFormats();
  if (error) return <ErrorNotice error={error} onRetry={onRetry} />;
  if (!connection) return <LoadingLines />;
  if (connection.nodes.length === 0) return <EmptyNotice>{empty}</EmptyNotice>;
  const { totalCount, nodes, pageInfo } = connection;
  return (
    // Until the answer to a changed filter comes, the rows of the last one stay.
    <div aria-busy={fetching}>
      {totalCount !== undefined && (
        <Text size="sm" c="dimmed" mb="xs" role="status">
          {fetching ? texts.loading : texts.results(count(totalCount))}
        </Text>
      )}
      <RecordTable label={label} columns={columns} rows={nodes} keyOf={({ id }) => id} />
      <Paging position={pageInfo} />
    </div>
  );
}
