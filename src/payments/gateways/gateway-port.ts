import type {
  DisputeState,
  GatewayAdapter,
  Network,
  PaymentGateway,
  PaymentMethod,
} from "../../../schema/vocabulary.ts";
import type { Amount } from "../../kernel/amounts.ts";
import type { GatewayWindow, PayerReturn, WindowOrder } from "./gateway.window.ts";

/** A vendor's account at a gateway, its secrets opened. */
export interface AdapterAccount {
  vendorId: number;
  gateway: PaymentGateway;
  credentials: string | null;
  /** The public key with which browsers open the gateway's window; null if it has none. */
  clientKey: string | null;
  callbackSecret: string;
}

/** A card as its owner typed it. It is passed to the gateway and never stored. */
export interface Card {
  number: string;
  expiryMonth: number;
  expiryYear: number;
}

/** The instrument to charge: a card, a stored token, or neither where the method alone is enough. */
export type Instrument = { kind: "CARD"; card: Card } | { kind: "TOKEN"; token: string } | { kind: "NONE" };

/** A charge, or with an amount of zero the confirmation of a method that is to be stored. */
export interface ChargeRequest {
  /** However often the same key is sent, it is charged once. */
  idempotencyKey: string;
  /** The merchant's reference for the order. */
  orderReference: string;
  /** The subject of the charge and its attempt; the charge can be found by it when its idempotency key is lost. */
  subject: string;
  attempt: number;
  amount: Amount;
  currency: string;
  method: PaymentMethod;
  instrument: Instrument;
  /** True if the gateway stores the instrument for later charges. */
  storeInstrument: boolean;
  /** True if the payer is absent: no confirmation is possible. */
  isOffSession: boolean;
  /** The address of the payer's browser after a confirmation. */
  returnUrl: string | null;
  requestedAt: Date;
}

/** The instrument as the gateway reports it; only its token can be charged. */
export interface ReportedInstrument {
  /** Masked to its last four digits, of which some gateways mask the last. */
  cardNumber: string | null;
  network: Network | null;
  /** The token of the stored instrument; null if it was not to be stored, or is not stored yet. */
  token: string | null;
  /** Tells the same instrument again. */
  fingerprint: string | null;
  /** The start of the month after the last one in which it is valid, in UTC; null if the gateway does not report it. */
  expiresAt: Date | null;
}

/** The outcome of a charge, as its gateway reports it. */
export type ChargeOutcome =
  | ({ kind: "APPROVED"; reference: string; receiptUrl: string } & ReportedInstrument)
  | ({
      kind: "DECLINED";
      reference: string | null;
      code: string;
      adviceCode: string | null;
      message: string;
    } & ReportedInstrument)
  /** The payer has to confirm it at an address. */
  | { kind: "CHALLENGE"; reference: string; url: string }
  /** The payer has to pay into an account. */
  | { kind: "DEPOSIT"; reference: string; account: Record<string, string> }
  /** It never was charged, and never will be under this key. */
  | { kind: "CLOSED" }
  /** The gateway does not know the key yet, so the outcome is unknown. */
  | { kind: "UNKNOWN" };

/** A charge that a gateway has in its books for a subject. */
export interface FoundCharge {
  idempotencyKey: string;
  amount: Amount;
  currency: string;
  outcome: ChargeOutcome;
}

/** The facts by which a gateway finds a charge again. */
export interface ChargeIdentity {
  idempotencyKey: string;
  /** The gateway's name of the charge; null if no answer has named it yet. */
  reference: string | null;
  /** The subject of the charge; null for a payment from before subjects were recorded. */
  subject: string | null;
  amount: Amount;
  currency: string;
  /** True if a stored method is charged; otherwise the payer chooses the instrument. */
  usesStoredMethod: boolean;
  /** The address at which the payer confirms the charge; null without one. */
  pageUrl: string | null;
}

/** A charge that is to be closed. */
export interface ClosableCharge extends ChargeIdentity {
  /** The token of the stored method that is charged; null without one, or if it is stored no more. */
  token: string | null;
}

/** A refund of a charge. */
export interface RefundRequest {
  idempotencyKey: string;
  /** The gateway's name of the charge. */
  chargeReference: string;
  amount: Amount;
  currency: string;
  requestedAt: Date;
}

/** The outcome of a refund. */
export type RefundOutcome =
  { kind: "REFUNDED"; reference: string } | { kind: "REFUSED"; code: string; message: string } | { kind: "UNKNOWN" };

/**
 * The subject of a callback: the idempotency key of a charge, a dispute, or nothing that concerns us. All other contents are looked up
 * at the gateway.
 */
export type GatewayCallback =
  { kind: "CHARGE"; idempotencyKey: string } | { kind: "DISPUTE"; reference: string } | { kind: "IGNORED" };

/** A dispute of a charge, as its gateway reports it. */
export interface ReportedDispute {
  /** The gateway's name of the dispute. */
  reference: string;
  /** The gateway's name of the charge. */
  chargeReference: string;
  /** Null if the bank holds no money: it only inquires, or the dispute was prevented. */
  state: DisputeState | null;
  /** The payer's reason, in the gateway's word. */
  reason: string;
  amount: Amount;
  currency: string;
  /** Until when the merchant can send evidence. */
  respondBy: Date | null;
}

/**
 * The operations that every gateway adapter implements. A call without an answer in time, or with an unreadable answer,
 * throws a GatewayFault: the outcome is then unknown until a look-up.
 */
export interface GatewayPort {
  charge(account: AdapterAccount, request: ChargeRequest): Promise<ChargeOutcome>;
  /** Stores a method without charging it. */
  storeMethod(account: AdapterAccount, request: ChargeRequest): Promise<ChargeOutcome>;
  /** Completes a charge whose payer came back from a page or window of the gateway: it is charged now, or looked up. */
  completeCharge(account: AdapterAccount, charge: ChargeIdentity, payerReturn: PayerReturn): Promise<ChargeOutcome>;
  /** The window in which a payer confirms a charge; null if the gateway has a page at the charge's address. */
  describeWindow(account: AdapterAccount, charge: ChargeIdentity, order: WindowOrder): GatewayWindow | null;
  /** Looks up a charge, without side effects. */
  lookUpCharge(account: AdapterAccount, charge: ChargeIdentity): Promise<ChargeOutcome>;
  /**
   * Looks up a charge and closes its idempotency key: if it was not charged yet, the gateway refuses a charge that
   * arrives later.
   */
  closeCharge(account: AdapterAccount, charge: ClosableCharge): Promise<ChargeOutcome>;
  /** Whether charges can be searched by their subject; where not, an operator has to look them up after a restore. */
  canSearch(account: AdapterAccount): boolean;
  /** Finds all charges of a subject, whatever their outcome, without side effects. */
  searchCharges(account: AdapterAccount, subject: string): Promise<FoundCharge[]>;
  /**
   * Has the gateway forget a stored method: it cannot be charged any more. One that it does not know is forgotten too.
   * @returns false if the gateway has no call for it.
   */
  detachMethod(account: AdapterAccount, token: string): Promise<boolean>;
  refund(account: AdapterAccount, request: RefundRequest): Promise<RefundOutcome>;
  lookUpRefund(account: AdapterAccount, request: RefundRequest): Promise<RefundOutcome>;
  /** Looks up a dispute; null if it concerns no charge of ours. */
  lookUpDispute(account: AdapterAccount, reference: string): Promise<ReportedDispute | null>;
  /** Reads a callback. @throws a Refusal: CALLBACK_REFUSED where its signature is not the gateway's, another where it cannot be read. */
  readCallback(account: AdapterAccount, message: RawCallback): GatewayCallback;
}

/** An adapter before the guard: it answers what the gateway sent, which the guard validates. */
export type RawGateway = {
  [Call in keyof GatewayPort]: GatewayPort[Call] extends (...call: infer Arguments) => Promise<unknown>
    ? (...call: Arguments) => Promise<unknown>
    : GatewayPort[Call];
};

/** A callback as received. */
export interface RawCallback {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
  receivedAt: Date;
}

/** Whether the call may have had an effect, or certainly had none. */
export type GatewayFaultKind = "UNKNOWN" | "NOT_SENT";

/** A call of a gateway that was not answered as it should be. */
export class GatewayFault extends Error {
  override readonly name = "GatewayFault";
  constructor(
    readonly kind: GatewayFaultKind,
    message: string,
  ) {
    super(message);
  }
}

/** The gateway ports by adapter. */
export type Gateways = Readonly<Record<GatewayAdapter, GatewayPort>>;
