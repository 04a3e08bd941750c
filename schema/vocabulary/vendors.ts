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

/** What a person may do for a vendor. */
export const PersonRole = enumOf("OWNER", "FINANCE", "SUPPORT", "READ_ONLY");
export type PersonRole = keyof typeof PersonRole;

/** The state of a person's account. */
export const PersonState = enumOf("INVITED", "ACTIVE", "REMOVED");
export type PersonState = keyof typeof PersonState;

/** The purpose of a link by which a person sets a password. */
export const PasswordLinkPurpose = enumOf("RESET", "INVITATION");
export type PasswordLinkPurpose = keyof typeof PasswordLinkPurpose;

/** Whether a cell takes new families of vendors, and whether it takes writes at all. Not part of the API. */
export const CellState = enumOf("OPEN", "DRAINING", "MOVING");
export type CellState = keyof typeof CellState;

/** What a key may be used for. */
export const KeyScope = enumOf("READ", "WRITE", "RECOVERY", "ADMIN", "SESSIONS");
export type KeyScope = keyof typeof KeyScope;

/** A part of the API whose mutations are permitted together. */
export const PermissionArea = enumOf("SUPPORT", "MONEY", "CATALOGUE", "RECOVERY", "ADMIN", "SESSIONS");
export type PermissionArea = keyof typeof PermissionArea;
