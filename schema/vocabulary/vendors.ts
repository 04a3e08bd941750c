import { enumOf } from "./words.ts";

/** How a vendor charges for delivery. */
export const DeliveryChargeType = enumOf("FREE", "FIXED", "FREE_OVER_AMOUNT");
export type DeliveryChargeType = keyof typeof DeliveryChargeType;

/** How far a vendor's own domain is connected. */
export const CustomDomainStatus = enumOf("NONE", "PENDING", "CONNECTED", "FAILED");
export type CustomDomainStatus = keyof typeof CustomDomainStatus;

/** Whether an app that a vendor has is in use. */
export const AppStatus = enumOf("ACTIVE", "INACTIVE");
export type AppStatus = keyof typeof AppStatus;
