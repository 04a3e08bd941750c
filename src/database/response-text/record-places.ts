import type { ProjectedEdge } from "../projection.ts";
import type { SharedRecord, TextSql } from "./shared-records.ts";
import type { TextContent, TextField } from "./text-plan.ts";

/** The records of a statement that are read by statements of their own. */
export class RecordPlaces {
  readonly shared: SharedRecord[] = [];

  /** `mayShare`: whether a statement for the records below the current one would read rows of one vendor only. */
  constructor(private mayShare: boolean) {}

  isReadApart(fields: readonly TextField[]): boolean {
    return this.mayShare && fields.some(({ content }) => hasRecords(content));
  }

  /** Whether the rows of a list are read apart. */
  areReadApart({ isRare, ownerColumn }: ProjectedEdge, fields: readonly TextField[]): boolean {
    return (isRare ?? ownerColumn !== undefined) && this.isReadApart(fields);
  }

  /** Adds what an edge leads to. @returns its number. */
  add(edge: ProjectedEdge, text: TextSql, absentText: string): number {
    return this.shared.push({ projection: edge.projection(), ownerColumn: edge.ownerColumn, text, absentText }) - 1;
  }

  /** Runs the work for the records that an edge leads to. */
  below<Result>({ crossesVendors }: ProjectedEdge, work: () => Result): Result {
    const { mayShare } = this;
    this.mayShare = mayShare && !crossesVendors;
    const result = work();
    this.mayShare = mayShare;
    return result;
  }
}

/** Whether a field consists of other records: they cost most of what a record costs. */
const hasRecords = (content: TextContent): boolean => typeof content === "object" && "fields" in content;
