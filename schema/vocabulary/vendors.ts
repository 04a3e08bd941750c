import { enumOf } from "./words.ts";

/** The delivery charges of a vendor. */
export const DeliveryChargeType = enumOf("FREE", "FIXED", "FREE_OVER_AMOUNT");
export type DeliveryChargeType = keyof typeof DeliveryChargeType;

/** The connection state of a vendor's own domain. */
export const CustomDomainStatus = enumOf("NONE", "PENDING", "CONNECTED", "FAILED");
export type CustomDomainStatus = keyof typeof CustomDomainStatus;

/** The state of an app that a vendor has installed. */
export const AppStatus = enumOf("ACTIVE", "INACTIVE");
export type AppStatus = keyof typeof AppStatus;
