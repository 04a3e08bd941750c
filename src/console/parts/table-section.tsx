import type { ReactNode } from "react";
import { EmptyNotice } from "./notices.tsx";
import { RecordTable, type Column } from "./record-table.tsx";
import { Section } from "./section.tsx";

interface TableSectionProps<Row> {
  title: string;
  /** What stands beside the title. */
  aside?: ReactNode;
  /** What the section says without rows. */
  empty: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
}

/** A part of a record's page with a table of the records below it. */
export const TableSection = <Row extends { id: string }>({
  title,
  aside,
  empty,
  rows,
  columns,
}: TableSectionProps<Row>) => (
  <Section title={title} aside={aside}>
    {rows.length === 0 ? (
      <EmptyNotice>{empty}</EmptyNotice>
    ) : (
      <RecordTable label={title} rows={rows} columns={columns} keyOf={({ id }) => id} />
    )}
  </Section>
);
