import { createHmac } from "node:crypto";
import { GatewayFault, type AdapterAccount, type ChargeIdentity } from "../gateway-port.ts";
import type { GatewayWindow, WindowOrder } from "../gateway.window.ts";
import { toOrderId } from "./toss-order-id.ts";

/**
 * The purpose of a visit to Toss's window: to register a card, which is then charged, or to pay once
 * (https://docs.tosspayments.com/sdk/v2/js).
 */
type WindowKind = "billing" | "payment";

type WindowCharge = Pick<ChargeIdentity, "subject" | "idempotencyKey">;

/** The reference of a charge whose window is open. Toss knows nothing of it until the payer comes back. */
export const toWindowReference = (charge: WindowCharge, kind: WindowKind): string =>
  `${kind}-window ${toOrderId(charge)}`;

/** The purpose of an open window; undefined for the reference of a payment. */
export function windowKindOf(reference: string | null): WindowKind | undefined {
  const [, kind] = /^(billing|payment)-window /.exec(reference ?? "") ?? [];
  return kind as WindowKind | undefined;
}

/** The address at which the window opens: the return address itself, whose page runs Toss's script. */
export function toWindowUrl(returnUrl: string): string {
  const url = new URL(returnUrl);
  url.searchParams.delete("returned");
  url.searchParams.set("window", "1");
  return url.href;
}

/**
 * The customer key of a charge: up to 50 characters that nobody can guess
 * (https://docs.tosspayments.com/reference#authkey로-카드-빌링키-발급). It is derived, so that it is known again when the payer returns.
 */
export const toCustomerKey = ({ callbackSecret }: AdapterAccount, charge: WindowCharge): string =>
  `c-${createHmac("sha256", callbackSecret).update(toOrderId(charge)).digest("base64url")}`;

/** https://docs.tosspayments.com/sdk/v2/js#초기화-메서드 */
const SCRIPT_URL = "https://js.tosspayments.com/v2/standard";

/** Opens the window in the same tab. If it cannot be opened, the page's own link tries again. */
const STARTER = `
const { clientKey, customerKey, call, parameters } = JSON.parse(document.getElementById("gateway-window").dataset.request);
TossPayments(clientKey).payment({ customerKey })[call](parameters).catch(() => {
  document.getElementById("window-closed").hidden = false;
});
`;

/** The hosts of Toss's windows: https://docs.tosspayments.com/reference/using-api/http-protocol lists those of one product. */
const ORIGINS = ["https://*.tosspayments.com", "https://*.toss.im"];

/** The window in which a payer registers a card or pays; null if none is open. */
export function toWindow(
  account: AdapterAccount,
  charge: ChargeIdentity,
  { orderName, returnUrl }: WindowOrder,
): GatewayWindow | null {
  const kind = windowKindOf(charge.reference);
  if (!kind) return null;
  const visit = { method: "CARD", successUrl: returnUrl, failUrl: returnUrl, windowTarget: "self" };
  return {
    scriptUrl: SCRIPT_URL,
    starter: STARTER,
    origins: ORIGINS,
    request: {
      clientKey: requireClientKey(account),
      customerKey: toCustomerKey(account, charge),
      ...(kind === "billing"
        ? { call: "requestBillingAuth", parameters: visit }
        : {
            call: "requestPayment",
            parameters: {
              ...visit,
              amount: { currency: charge.currency, value: charge.amount.toNumber() },
              orderId: toOrderId(charge),
              orderName,
            },
          }),
    },
  };
}

/** The client key of an account. @throws a GatewayFault without one. */
export function requireClientKey({ clientKey }: AdapterAccount): string {
  if (clientKey === null)
    throw new GatewayFault("NOT_SENT", "The account has no client key for the gateway's window; configure it.");
  return clientKey;
}
