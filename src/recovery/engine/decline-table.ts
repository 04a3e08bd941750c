import type { Network, PaymentGateway, ReasonClass } from "../../../schema/vocabulary.ts";

/** Version of everything in this file; each decision records it. A test pins it to the content. */
export const declinesVersion = "2026-11-23.2";

/**
 * The meaning of response codes and messages, as data. The base layer is ISO 8583 field 39 as card networks use it,
 * with the network's own letters (N7, R0 …), SEPA and ACH return codes; checked against public lists on 2026-11-21.
 * Codes are not portable between gateways: a gateway's own codes belong in the layer above this one.
 */
export const codeClasses: Readonly<Record<Exclude<ReasonClass, "UNKNOWN">, readonly string[]>> = {
  INSUFFICIENT_FUNDS: ["51", "AM04", "R01", "R09"],
  LIMIT_EXCEEDED: ["61", "65", "N3", "N4", "Z5"],
  GENERIC_REFUSAL: ["01", "02", "03", "05"],
  TECHNICAL: ["06", "19", "22", "91", "92", "96"],
  SUSPECTED_FRAUD: ["34", "59", "63", "83"],
  RESTRICTED: ["36", "62", "78", "39", "52", "53", "93", "5C", "9G"],
  FIX_DATA_FIRST: ["13", "33", "54", "82", "N7", "6P"],
  CUSTOMER_MUST_ACT: ["55", "70", "75", "86", "1A"],
  NEVER: ["04", "07", "12", "14", "15", "41", "43", "46", "57", "R0", "R1", "R3"],
  ALREADY_PAID: ["94", "ALREADY_PROCESSED_PAYMENT"],
};

/**
 * The words that Stripe sends where no network declined, or where it hides the network's code
 * (https://docs.stripe.com/declines/codes, https://docs.stripe.com/error-codes). They are no codes of any other list, so
 * that they mean the same from every gateway. Checked on 2026-11-23 in copies of the first page from A to G and of parts of
 * the rest; not found there, and so unchecked: the words of PINs other than INVALID_PIN, of revocations, of withdrawals,
 * and MERCHANT_BLACKLIST, NEW_ACCOUNT_INFORMATION_AVAILABLE, NO_ACTION_TAKEN, NOT_PERMITTED, SECURITY_VIOLATION,
 * SERVICE_NOT_ALLOWED, STOP_PAYMENT_ORDER and TRANSACTION_NOT_ALLOWED.
 */
export const wordClasses: Readonly<Partial<Record<ReasonClass, readonly string[]>>> = {
  INSUFFICIENT_FUNDS: ["INSUFFICIENT_FUNDS"],
  LIMIT_EXCEEDED: ["CARD_VELOCITY_EXCEEDED", "WITHDRAWAL_COUNT_LIMIT_EXCEEDED"],
  GENERIC_REFUSAL: [
    "APPROVE_WITH_ID",
    "CALL_ISSUER",
    "CARD_DECLINED",
    "DO_NOT_HONOR",
    "GENERIC_DECLINE",
    "NO_ACTION_TAKEN",
  ],
  TECHNICAL: ["ISSUER_NOT_AVAILABLE", "PROCESSING_ERROR", "REENTER_TRANSACTION", "TRY_AGAIN_LATER"],
  SUSPECTED_FRAUD: ["FRAUDULENT", "MERCHANT_BLACKLIST", "SECURITY_VIOLATION"],
  RESTRICTED: [
    "CARD_NOT_SUPPORTED",
    "CURRENCY_NOT_SUPPORTED",
    "NOT_PERMITTED",
    "RESTRICTED_CARD",
    "SERVICE_NOT_ALLOWED",
    "TRANSACTION_NOT_ALLOWED",
  ],
  FIX_DATA_FIRST: [
    "EXPIRED_CARD",
    "INCORRECT_CVC",
    "INCORRECT_NUMBER",
    "INCORRECT_ZIP",
    "INVALID_ACCOUNT",
    "INVALID_AMOUNT",
    "INVALID_CVC",
    "INVALID_EXPIRY_MONTH",
    "INVALID_EXPIRY_YEAR",
    "INVALID_NUMBER",
    "NEW_ACCOUNT_INFORMATION_AVAILABLE",
    "RESOURCE_MISSING",
  ],
  CUSTOMER_MUST_ACT: [
    "AUTHENTICATION_REQUIRED",
    "INCORRECT_PIN",
    "INVALID_PIN",
    "OFFLINE_PIN_REQUIRED",
    "ONLINE_OR_OFFLINE_PIN_REQUIRED",
    "PIN_TRY_EXCEEDED",
  ],
  NEVER: [
    "DO_NOT_TRY_AGAIN",
    "LOST_CARD",
    "PICKUP_CARD",
    "REVOCATION_OF_ALL_AUTHORIZATIONS",
    "REVOCATION_OF_AUTHORIZATION",
    "STOLEN_CARD",
    "STOP_PAYMENT_ORDER",
  ],
  ALREADY_PAID: ["DUPLICATE_TRANSACTION"],
};

/**
 * The words of Toss Payments (https://docs.tosspayments.com/reference/error-codes). They too are codes of no other list. Most
 * declines of Korean issuers are REJECT_CARD_COMPANY, whose cause is only in the message. Checked on 2026-11-23 in copies of the
 * page and of tables made from it; FDS_ERROR, NOT_AVAILABLE_BANK and UNKNOWN_PAYMENT_ERROR were found in such tables only.
 */
export const tossWordClasses: Readonly<Partial<Record<ReasonClass, readonly string[]>>> = {
  // A limit that was exceeded or a balance that is too low: the page says both.
  INSUFFICIENT_FUNDS: ["REJECT_ACCOUNT_PAYMENT", "REJECT_CARD_PAYMENT"],
  LIMIT_EXCEEDED: [
    "EXCEED_MAX_AMOUNT",
    "EXCEED_MAX_DAILY_PAYMENT_COUNT",
    "EXCEED_MAX_MONTHLY_PAYMENT_AMOUNT",
    "EXCEED_MAX_ONE_DAY_AMOUNT",
    "EXCEED_MAX_ONE_DAY_WITHDRAW_AMOUNT",
    "EXCEED_MAX_ONE_TIME_WITHDRAW_AMOUNT",
    "EXCEED_MAX_PAYMENT_AMOUNT",
  ],
  GENERIC_REFUSAL: ["INVALID_REJECT_CARD", "REJECT_CARD_COMPANY"],
  TECHNICAL: [
    "CARD_PROCESSING_ERROR",
    "COMMON_ERROR",
    "FAILED_INTERNAL_SYSTEM_PROCESSING",
    "FAILED_PAYMENT_INTERNAL_SYSTEM_PROCESSING",
    "NOT_AVAILABLE_BANK",
    "NOT_AVAILABLE_PAYMENT",
    "PROVIDER_ERROR",
    "UNKNOWN_PAYMENT_ERROR",
  ],
  SUSPECTED_FRAUD: ["FDS_ERROR"],
  RESTRICTED: ["NOT_SUPPORTED_CARD_TYPE", "NOT_SUPPORTED_METHOD", "RESTRICTED_TRANSFER_ACCOUNT"],
  FIX_DATA_FIRST: [
    "BELOW_MINIMUM_AMOUNT",
    "BILLING_KEY_NOT_FOUND",
    "INVALID_ACCOUNT_INFO_RE_REGISTER",
    "INVALID_BILL_KEY_REQUEST",
    "INVALID_CARD_EXPIRATION",
    "INVALID_CARD_NUMBER",
    "NOT_FOUND_BILLING",
    "NOT_MATCHES_CUSTOMER_KEY",
  ],
  // The payer has to call the issuer, or to register the card there.
  CUSTOMER_MUST_ACT: ["EXCEED_MAX_AUTH_COUNT", "INVALID_PASSWORD", "NOT_REGISTERED_CARD_COMPANY"],
  NEVER: ["INVALID_CARD_LOST_OR_STOLEN", "INVALID_STOPPED_CARD"],
  ALREADY_PAID: ["DUPLICATED_ORDER_ID"],
};

/** A code that means something else on one network in some countries. */
export interface RegionalClass {
  code: string;
  network: Network;
  /** ISO 3166-1 alpha-2 codes. */
  countries: readonly string[];
  reason: ReasonClass;
}

/**
 * Regions where strong customer authentication is required by law: the European Economic Area, the United Kingdom, and
 * their neighbours.
 */
const STRONG_AUTHENTICATION =
  "AD AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MT NL NO PL PT RO SE SI SK SM VA".split(
    " ",
  );

/** Codes of the base layer that a network uses otherwise in a region. */
export const codeClassesInRegion: readonly RegionalClass[] = [
  { code: "65", network: "MASTERCARD", countries: STRONG_AUTHENTICATION, reason: "CUSTOMER_MUST_ACT" },
];

/**
 * The meaning of codes of single gateways, which override the base layer. The service's own gateway uses ISO 8583 and
 * adds the codes that only it can know.
 */
export const gatewayClasses: Readonly<
  Partial<Record<PaymentGateway, Partial<Record<ReasonClass, readonly string[]>>>>
> = {
  HOUSE: { TECHNICAL: ["TIMEOUT", "UNREACHABLE"], FIX_DATA_FIRST: ["NO_SUCH_METHOD"] },
};

/**
 * Merchant advice codes that decide by themselves; the others only delay (see the rulebook). The words are Stripe's
 * (https://docs.stripe.com/declines/card#retrying-issuer-declines), sent where the network gives no code.
 */
export const adviceClasses: Readonly<Record<string, ReasonClass>> = {
  "01": "FIX_DATA_FIRST",
  "03": "NEVER",
  "21": "NEVER",
  CONFIRM_CARD_DATA: "FIX_DATA_FIRST",
  DO_NOT_TRY_AGAIN: "NEVER",
};

/** Messages of gateways that send no usable code; the first match decides. */
export const messageClasses: readonly (readonly [RegExp, ReasonClass])[] = [
  // The instrument that is blocked or lost here is not a card.
  [
    /(?:시스템|서버|전산|네트워크)[\s가-힣]{0,8}(?:정지|중단)|\b(?:connection|communication|link|session|response)\b[^.]{0,60}\blost\b|\blost (?:the )?(?:connection|communication|link|session|response)\b/i,
    "TECHNICAL",
  ],
  [
    /분실|도난|해지|정지|\b(?:lost|stolen)\b|pick ?up card|closed account|account closed|do not try again|revo(?:cation|ked) (?:of )?authori[sz]ation/i,
    "NEVER",
  ],
  [
    /이미\s*(?:처리|결제|승인)|already (?:paid|processed)|duplicate (?:transaction|transmission|payment)/i,
    "ALREADY_PAID",
  ],
  [
    /유효\s*기간|카드\s*번호\s*(?:오류|확인)|expired card|card (?:has )?expired|(?:invalid|incorrect) (?:card |account )?number|invalid expir/i,
    "FIX_DATA_FIRST",
  ],
  [
    /본인\s*인증|비밀번호|authentication (?:is )?required|requires authentication|incorrect pin|wrong pin/i,
    "CUSTOMER_MUST_ACT",
  ],
  [
    /잔[액고]\s*(?:[이가]\s*)?부족|insufficient (?:funds?|balance)|not sufficient funds|not enough balance/i,
    "INSUFFICIENT_FUNDS",
  ],
  [
    /한도\s*(?:를\s*)?초과|(?:limit|amount|frequency|count) exceeded|exceed(?:s|ed)? .{0,60}(?:limit|count|amount)/i,
    "LIMIT_EXCEEDED",
  ],
  [/부정\s*(?:사용|거래)|(?:suspected|possible) fraud|fraudulent/i, "SUSPECTED_FRAUD"],
  [/거래\s*제한|사용\s*제한|restricted card|card (?:is )?restricted|not permitted/i, "RESTRICTED"],
  [
    /time[ -]?out|unavailable|system (?:error|malfunction)|시스템\s*(?:오류|장애|점검)|통신\s*(?:오류|장애)|응답\s*(?:지연|시간\s*초과)|issuer (?:is )?down/i,
    "TECHNICAL",
  ],
  [/do not hono[u]?r|generic decline|card declined|거절/i, "GENERIC_REFUSAL"],
];
