import type { Network, PaymentGateway, PaymentMethod } from "../../../schema/vocabulary.ts";
import type { Amount } from "../../kernel/amounts.ts";

/** A vendor's account at a gateway, its secrets opened. */
export interface AdapterAccount {
  vendorId: number;
  gateway: PaymentGateway;
  credentials: string | null;
  callbackSecret: string;
}

/** A card as its holder typed it. It is handed to the gateway and kept nowhere. */
export interface Card {
  number: string;
  expiryMonth: number;
  expiryYear: number;
}

/** What is charged: a card, what the gateway keeps under a token, or neither, where the method alone says enough. */
export type Instrument = { kind: "CARD"; card: Card } | { kind: "TOKEN"; token: string } | { kind: "NONE" };

/** A charge, or with an amount of zero the confirmation of a method that is to be stored. */
export interface ChargeRequest {
  /** However often the same key is sent, it is charged once. */
  idempotencyKey: string;
  /** What the merchant calls the order. */
  orderReference: string;
  /** What is charged, and which attempt this is: the charge can be found by it when its key is lost. */
  subject: string;
  attempt: number;
  amount: Amount;
  currency: string;
  method: PaymentMethod;
  instrument: Instrument;
  /** Whether the gateway is to keep the instrument, so that it can be charged again. */
  storeInstrument: boolean;
  /** Whether the payer is not there: nobody can be asked to confirm. */
  isOffSession: boolean;
  /** Where the payer's browser goes after a confirmation. */
  returnUrl: string | null;
  requestedAt: Date;
}

/** The instrument as the gateway told of it; nothing in it can be charged but the token. */
export interface ReportedInstrument {
  /** Masked to its last four digits. */
  cardNumber: string | null;
  network: Network | null;
  /** Under what it is kept; null where it was not to be, or is not yet. */
  token: string | null;
  /** Tells the same instrument again. */
  fingerprint: string | null;
}

/** What became of a charge, as its gateway knows it. */
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
  /** The gateway has not heard of the key so far. */
  | { kind: "UNHEARD" };

/** A charge that a gateway has in its books for a subject. */
export interface FoundCharge {
  idempotencyKey: string;
  amount: Amount;
  currency: string;
  outcome: ChargeOutcome;
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

/** What became of a refund. */
export type RefundOutcome =
  { kind: "REFUNDED"; reference: string } | { kind: "REFUSED"; code: string; message: string } | { kind: "UNHEARD" };

/** A message of a gateway to us: the key of the charge it tells of. What it says beyond that is looked up. */
export interface GatewayCallback {
  idempotencyKey: string;
}

/**
 * What every gateway can do. A call that is not answered in time, or not in a way that can be read, throws a GatewayFault:
 * then nobody knows what became of it until the gateway is asked.
 */
export interface GatewayPort {
  charge(account: AdapterAccount, request: ChargeRequest): Promise<ChargeOutcome>;
  /** Stores a method without charging it. */
  storeMethod(account: AdapterAccount, request: ChargeRequest): Promise<ChargeOutcome>;
  /** What became of a key. It changes nothing. */
  lookUpCharge(account: AdapterAccount, idempotencyKey: string): Promise<ChargeOutcome>;
  /** What became of a key; one that was not charged so far will never be: a charge still on its way is refused. */
  closeCharge(account: AdapterAccount, idempotencyKey: string): Promise<ChargeOutcome>;
  /** Whether charges can be searched by their subject; where not, an operator has to look them up after a restore. */
  canSearch(account: AdapterAccount): boolean;
  /** All charges of a subject, whatever became of them. It changes nothing. */
  searchCharges(account: AdapterAccount, subject: string): Promise<FoundCharge[]>;
  refund(account: AdapterAccount, request: RefundRequest): Promise<RefundOutcome>;
  lookUpRefund(account: AdapterAccount, idempotencyKey: string): Promise<RefundOutcome>;
  /** Reads a callback. @throws a Refusal: CALLBACK_REFUSED where its signature is not the gateway's, another where it cannot be read. */
  readCallback(account: AdapterAccount, message: RawCallback): GatewayCallback;
}

/** A callback as it came. */
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
