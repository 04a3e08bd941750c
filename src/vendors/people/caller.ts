import type { KeyScope, PersonRole } from "../../../schema/vocabulary.ts";
import type { EventAuthor } from "../../events/authors/event-author.ts";
import type { SessionTokenContent } from "../keys/session-token.codec.ts";
import {
  paymentLinkPermissions,
  permissionsOfScopes,
  rolePermissions,
  type Permissions,
} from "./mutation.permissions.ts";

/** Who sends a request or does work: the author of its events, and what it may do through the schema. */
export interface Caller {
  author: EventAuthor;
  /** Undefined for callers that do not use the schema: they may do nothing through it. */
  permissions: Permissions | undefined;
}

const outsideOfSchema = (kind: EventAuthor["kind"]): Caller => ({
  author: { kind, id: null },
  permissions: undefined,
});

/** A worker. */
export const workerCaller = outsideOfSchema("WORKER");

/** A payer on a page of the checkout. */
export const payerCaller = outsideOfSchema("PAYER");

/** A payment gateway that calls back. */
export const paymentGatewayCaller = outsideOfSchema("PAYMENT_GATEWAY");

/** The operator of the installation, who may do everything. */
export const operatorCaller: Caller = {
  author: { kind: "OPERATOR", id: null },
  permissions: rolePermissions.OWNER,
};

/** The payment link of an order, which needs no token. */
export const paymentLinkCaller: Caller = { author: payerCaller.author, permissions: paymentLinkPermissions };

/** A program with a key. */
export const toKeyCaller = (keyId: number, scopes: readonly KeyScope[]): Caller => ({
  author: { kind: "KEY", id: keyId },
  permissions: permissionsOfScopes(scopes),
});

/** A page in a browser with a token that a key created for it. */
export const toBrowserSessionCaller = ({ keyId, sessionId, scopes }: SessionTokenContent): Caller => ({
  author: { kind: "KEY", id: keyId, sessionId },
  permissions: permissionsOfScopes(scopes),
});

/** A person with a session. */
export const toPersonCaller = (personId: number, role: PersonRole): Caller => ({
  author: { kind: "PERSON", id: personId },
  permissions: rolePermissions[role],
});
