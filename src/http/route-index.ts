import type { FastifyInstance } from "fastify";
import { firstOf, getOrThrow } from "../kernel/required-values.ts";
import { nearestWord } from "../kernel/suggestions.ts";

/** The paths that a server has. */
export interface RouteIndex {
  /** The methods that a path supports; none if the path does not exist. */
  methodsAt: (url: string) => string[];
  /** The path that was probably meant, as the API document writes it; undefined where none is near. */
  nearestTo: (url: string) => string | undefined;
}

/** The path of a url, without its query. */
export const pathOf = (url: string): string => firstOf(url.split("?"));

/** Collects the paths that are added to a server from now on. */
export function indexRoutes(server: FastifyInstance): RouteIndex {
  const routes: { url: string; pattern: RegExp; method: string }[] = [];
  server.addHook("onRoute", ({ url, method }) => {
    if (url === "*") return;
    const pattern = new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:\w+/g, "[^/]+")}$`);
    for (const one of [method].flat()) if (one !== "HEAD") routes.push({ url, pattern, method: one });
  });
  return {
    methodsAt: (url) => {
      const path = pathOf(url);
      return [...new Set(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))];
    },
    nearestTo: (url) => {
      const path = pathOf(url);
      const filled = new Map(routes.map((route) => [fillParameters(route.url, path), route.url]));
      const suggestion = nearestWord(path, [...filled.keys()]);
      return suggestion === undefined ? undefined : getOrThrow(filled, suggestion).replace(/:(\w+)/g, "{$1}");
    },
  };
}

/** A route with the parameters that a path has at their places: only the words of both are compared. */
function fillParameters(route: string, path: string): string {
  const sentParts = path.split("/");
  return route
    .split("/")
    .map((part, index) => (part.startsWith(":") ? (sentParts[index] ?? part) : part))
    .join("/");
}
