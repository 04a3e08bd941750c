import type { QueryParameter } from "./route.ts";

/** The parameters that choose a numbered page. */
export const pageParameters: readonly QueryParameter[] = [
  { name: "page", min: 0, default: 0 },
  { name: "size", min: 1, max: 1000, default: 20 },
];

/** The parameters for a period of creation, both ends included. */
export const periodParameters: readonly QueryParameter[] = [
  { name: "startDate", dayBoundary: "FIRST" },
  { name: "endDate", dayBoundary: "LAST", notBefore: "startDate" },
];

/** The parameters that sort a list, given its sort keys and the words of the enum that they stand for. */
export const sortParameters = (words: Readonly<Record<string, string>>): readonly QueryParameter[] => [
  { name: "sort", default: "createdAt", enumMapping: words },
  { name: "sortDir", default: "DESC" },
];
