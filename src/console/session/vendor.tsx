import { createContext, use } from "react";
import type { SignedInVendorQuery } from "../generated/operations.ts";

/** The vendor whose data the token reaches. */
export type SignedInVendor = SignedInVendorQuery["vendor"];

export const VendorContext = createContext<SignedInVendor | undefined>(undefined);

export function useVendor(): SignedInVendor {
  const vendor = use(VendorContext);
  if (!vendor) throw new Error("There is no signed-in vendor here.");
  return vendor;
}
