import type { RestRoute } from "./binding/route.ts";

/** The feed of events. */
export const eventRoutes: readonly RestRoute[] = [
  {
    method: "GET",
    path: "/events",
    summary: "Lists events in the order of their numbers, after a position: that of the last answer with events.",
    documentFile: "events.graphql",
    operation: "ListEvents",
    query: ["after", { name: "first", default: 20, min: 1, max: 100 }, { name: "types", isList: true }],
    resourcePath: "feed",
    isExtension: true,
  },
];
