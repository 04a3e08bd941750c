import { list, type Table } from "./contract-field.ts";

/** The envelope of a numbered page. */
export const pageOf = (row: Table): Table => ({
  content: list(row),
  pageable: {
    page: "integer",
    size: "integer",
    sortDir: "text",
    sort: "text",
    pageSize: "integer",
    pageNumber: "integer",
    offset: "integer",
    paged: "boolean",
    unpaged: "boolean",
  },
  sort: { unsorted: "boolean", sorted: "boolean", empty: "boolean" },
  number: "integer",
  size: "integer",
  numberOfElements: "integer",
  totalElements: "integer",
  totalPages: "integer",
  first: "boolean",
  last: "boolean",
  empty: "boolean",
});

/** The body of every refusal. */
export const errorBody: Table = { errorCode: "text", traceId: "text", errorMessage: "text" };
