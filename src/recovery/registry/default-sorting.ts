/** The default sort order of lists, in the enum of each list. */
export const newestFirst = { field: "CREATED_AT", direction: "DESC" } as const;
export const latestStartFirst = { field: "STARTED_AT", direction: "DESC" } as const;
export const newestProposalFirst = { field: "PROPOSED_AT", direction: "DESC" } as const;
export const latestModelFirst = { field: "MADE_AT", direction: "DESC" } as const;
export const latestTrainingFirst = { field: "REQUESTED_AT", direction: "DESC" } as const;
export const oldestFirst = {
  attempts: { field: "ATTEMPTED_AT", direction: "ASC" },
  decisions: { field: "DECIDED_AT", direction: "ASC" },
} as const;
