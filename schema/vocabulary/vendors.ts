import { words } from "./words.ts";

/** How a vendor charges for delivery. */
export const DeliveryChargeType = words("FREE", "FIXED", "FREE_OVER_AMOUNT");
export type DeliveryChargeType = keyof typeof DeliveryChargeType;

/** How far a vendor's own domain is connected. */
export const CustomDomainStatus = words("NONE", "PENDING", "CONNECTED", "FAILED");
export type CustomDomainStatus = keyof typeof CustomDomainStatus;

/** Whether an app that a vendor has is in use. */
export const AppStatus = words("ACTIVE", "INACTIVE");
export type AppStatus = keyof typeof AppStatus;
