import { createContext, use } from "react";
import type { SignedInVendorQuery } from "../generated/operations.ts";

/** The vendor whose data the token reaches, and the areas whose mutations are permitted. */
export type SignedInVendor = SignedInVendorQuery["vendor"] & Pick<SignedInVendorQuery, "permittedAreas">;

export const VendorContext = createContext<SignedInVendor | undefined>(undefined);

export function useVendor(): SignedInVendor {
  const vendor = use(VendorContext);
  if (!vendor) throw new Error("There is no signed-in vendor here.");
  return vendor;
}
