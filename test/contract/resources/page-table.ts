import { listOf, type ContractTable } from "./contract-field.ts";

/** The envelope of a numbered page. */
export const pageTable = (row: ContractTable): ContractTable => ({
  content: listOf(row),
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
export const errorBodyTable: ContractTable = { errorCode: "text", traceId: "text", errorMessage: "text" };
