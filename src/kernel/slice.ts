/** Default number of rows in a slice, and its maximum. */
export const DEFAULT_SLICE_SIZE = 20;
export const MAX_SLICE_SIZE = 100;

/** The requested part of a list: Relay's four arguments. */
export interface SliceRequest {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

/** One part of a list, with a cursor for each row. */
export interface Slice<Row> {
  rows: { row: Row; cursor: string }[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
}
