import type { RestRoute } from "./binding/route.ts";
import { coverRoutes } from "./cover.routes.ts";
import { customerRoutes } from "./customers.routes.ts";
import { eventRoutes } from "./events.routes.ts";
import { invoiceRoutes } from "./invoices.routes.ts";
import { orderRoutes } from "./orders.routes.ts";
import { productRoutes } from "./products.routes.ts";
import { vendorRoutes } from "./vendors.routes.ts";

/** Every path of /api/v1: the table of contents of the old interface. */
export const contractRoutes: readonly RestRoute[] = [
  ...coverRoutes,
  ...invoiceRoutes,
  ...orderRoutes,
  ...customerRoutes,
  ...productRoutes,
  ...vendorRoutes,
  ...eventRoutes,
];
