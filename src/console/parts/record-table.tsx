import type { ReactNode } from "react";
import { Table } from "@mantine/core";

export interface Column<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  /** Numbers are aligned at their last digit. */
  isNumber?: boolean;
  /** Dates stay on one line where the screen is wide. */
  isDate?: boolean;
  /** Left out where the screen is narrow. */
  isWideOnly?: boolean;
}

interface RecordTableProps<Row> {
  /** The table's name for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

type Appearance = Pick<Column<unknown>, "isNumber" | "isDate" | "isWideOnly">;

const classOf = ({ isNumber, isDate, isWideOnly }: Appearance): string =>
  [isNumber && "number", isDate && "date", isWideOnly && "wide-only"].filter(Boolean).join(" ");

/** A table with a row per record; the first column names the record. */
export function RecordTable<Row>({ label, columns, rows, keyOf }: RecordTableProps<Row>) {
  return (
    <div className="table-scroll" role="group" aria-label={label} tabIndex={0}>
      <Table aria-label={label} verticalSpacing="sm" highlightOnHover highlightOnHoverColor="var(--hover)">
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.title} scope="col" className={classOf(column)}>
                {column.title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <Table.Th key={column.title} scope="row" className={classOf(column)}>
                    {column.cell(row)}
                  </Table.Th>
                ) : (
                  <Table.Td key={column.title} className={classOf(column)}>
                    {column.cell(row)}
                  </Table.Td>
                ),
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
