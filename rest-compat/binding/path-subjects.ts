import { invariant, Refusal, type RefusalKind } from "../../src/kernel/refusals.ts";
import type { RefusalCode } from "../../src/kernel/refusal-codes.ts";
import { lastOf } from "../../src/kernel/required-values.ts";
import { pathParametersOf, type RestRoute } from "./route.ts";

/**
 * The records that a route's path can identify, their names in refusals, and the kind of refusal for an unknown one.
 */
const pathSubjects = {
  coverOrder: { code: "ORDER_NOT_FOUND", noun: "order", kind: "invalid" },
  coverSubscription: { code: "SUBSCRIPTION_NOT_FOUND", noun: "subscription", kind: "invalid" },
  customer: { code: "CUSTOMER_NOT_FOUND", noun: "customer", kind: "invalid" },
  order: { code: "ORDER_NOT_FOUND", noun: "order", kind: "missing" },
  product: { code: "PRODUCT_NOT_FOUND", noun: "product", kind: "missing" },
  pricePlan: { code: "PRICE_NOT_FOUND", noun: "price plan of this product", kind: "missing" },
  vendor: { code: "VENDOR_NOT_FOUND", noun: "vendor", kind: "missing" },
} satisfies Record<string, { code: RefusalCode; noun: string; kind: RefusalKind }>;

export type PathSubject = keyof typeof pathSubjects;

/** The status that answers an unknown id or code in the path: senders of the contract know these statuses. */
export const unknownRecordStatus = ({ pathSubject }: RestRoute): 400 | 404 =>
  pathSubject && pathSubjects[pathSubject].kind === "invalid" ? 400 : 404;

/** The refusal of a path that names nothing of the vendor's. Another vendor's record is refused with the same words. */
export function unknownPathRefusal(route: RestRoute): Refusal {
  const { pathSubject } = route;
  invariant(pathSubject, `${route.operation} answers null only for an unknown path`);
  const { code, noun, kind } = pathSubjects[pathSubject];
  const path = lastOf(pathParametersOf(route));
  const name = path === "idOrCode" ? "id or code" : path === "vendorUuid" ? "uuid" : path === "code" ? "code" : "id";
  const fieldError = { path, code: "NOT_FOUND", message: `There is no ${noun} with this ${name}.` } as const;
  return new Refusal(kind, code, `There is no ${noun} with the ${name} in the path as ${path}.`, {
    fields: [fieldError],
  });
}

/** An error as the route answers it: a record that a service did not find is the one that the path names. */
export const withPathSubject = (error: Error, route: RestRoute): Error =>
  error instanceof Refusal && error.kind === "missing" && route.pathSubject ? unknownPathRefusal(route) : error;
