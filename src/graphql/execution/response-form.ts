/** How an answer is written. */
export interface ResponseForm {
  /** Where records can be passed on as the database's text: anywhere, or nowhere. */
  recordTexts: "ANYWHERE" | "NOWHERE";
}

/** The form of GraphQL's own answers. */
export const GRAPHQL_FORM: ResponseForm = { recordTexts: "ANYWHERE" };

/** Values that code reads and rewrites. */
export const VALUES_FORM: ResponseForm = { recordTexts: "NOWHERE" };
