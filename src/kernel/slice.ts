/** How many rows a slice has unless told, and at most. */
export const DEFAULT_SLICE_SIZE = 20;
export const MAX_SLICE_SIZE = 100;

/** Which part of a list is asked for: Relay's four arguments. */
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
