import type { ReactNode } from "react";
import type { PermissionArea } from "../generated/operations.ts";
import { useVendor } from "./vendor.tsx";

interface PermittedProps {
  area: PermissionArea;
  children: ReactNode;
}

/** What only those see who may use mutations of an area. The gateway checks each of them again. */
export function Permitted({ area, children }: PermittedProps) {
  return useVendor().permittedAreas.includes(area) && children;
}
