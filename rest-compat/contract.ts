import type { Route } from "./binding/route.ts";
import { coverRoutes } from "./cover.routes.ts";

/** Every path of /api/v1: the table of contents of the old interface. */
export const contract: readonly Route[] = [...coverRoutes];
