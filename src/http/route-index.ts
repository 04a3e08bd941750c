import type { FastifyInstance } from "fastify";
import { nearest } from "../kernel/suggestions.ts";

/** The paths that a server has. */
export interface Routes {
  /** The methods that a path takes; none where there is no such path. */
  methodsAt: (url: string) => string[];
  /** The path that was probably meant, as the API document writes it; undefined where none is near. */
  nearestTo: (url: string) => string | undefined;
}

/** The path of a url, without its query. */
export const pathOf = (url: string): string => url.split("?")[0]!;

/** Collects the paths that are added to a server from now on. */
export function collectRoutes(server: FastifyInstance): Routes {
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
      const filled = new Map(routes.map((route) => [filledAs(route.url, path), route.url]));
      const near = nearest(path, [...filled.keys()]);
      return near === undefined ? undefined : filled.get(near)!.replace(/:(\w+)/g, "{$1}");
    },
  };
}

/** A route with the parameters that a path has at their places: only the words of both are compared. */
function filledAs(route: string, path: string): string {
  const sent = path.split("/");
  return route
    .split("/")
    .map((part, index) => (part.startsWith(":") ? (sent[index] ?? part) : part))
    .join("/");
}
