/** How lists are sorted unless told otherwise, in the words of each list. */
export const newestFirst = { field: "CREATED_AT", direction: "DESC" } as const;
export const latestStartFirst = { field: "STARTED_AT", direction: "DESC" } as const;
export const newestProposalFirst = { field: "PROPOSED_AT", direction: "DESC" } as const;
export const oldestFirst = {
  attempts: { field: "ATTEMPTED_AT", direction: "ASC" },
  decisions: { field: "DECIDED_AT", direction: "ASC" },
} as const;
