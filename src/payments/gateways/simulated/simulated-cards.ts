import type { Network } from "../../../../schema/vocabulary.ts";

/** The behaviours of the simulated gateway for a charge. */
export type TestCardBehaviour =
  | "APPROVE"
  /** Declines with the code, the advice and the message of its card. */
  | "DECLINE"
  /** The payer confirms it first. */
  | "CHALLENGE"
  /** Answers after a while, yet in time. */
  | "SLOW"
  /** Charges, and does not answer. */
  | "SILENT_AFTER_CHARGE"
  /** Neither charges nor answers. */
  | "SILENT"
  /** Fails before it charges, or after. */
  | "FAIL"
  | "FAIL_AFTER_CHARGE"
  /** Charges, does not answer, and leaves look-ups unanswered for a while too. */
  | "DOWN_AFTER_CHARGE"
  /** Charges, and sends an unreadable answer. */
  | "GARBAGE"
  /** Approves; its callback comes before the answer, twice, long after, or after one that reports the opposite. */
  | "CALLBACK_FIRST"
  | "CALLBACK_TWICE"
  | "CALLBACK_LATE"
  | "CALLBACK_DISORDERED"
  /** Approves, and stores no method for later charges. */
  | "NOT_STORED"
  /** Approves while its payer is there; later the merchant's charges are declined so many times. */
  | "DECLINE_LATER";

/** A card number that selects a behaviour. */
export interface TestCard {
  number: string;
  behaviour: TestCardBehaviour;
  network: Network;
  code?: string;
  adviceCode?: string;
  message?: string;
  /** Number of the merchant's charges that are declined. Defaults to all. */
  times?: number;
}

const decliningCard = (number: string, code: string, message: string, adviceCode?: string): TestCard => ({
  number,
  behaviour: "DECLINE",
  network: number.startsWith("5") ? "MASTERCARD" : "VISA",
  code,
  message,
  ...(adviceCode !== undefined && { adviceCode }),
});

const cardWithBehaviour = (number: string, behaviour: TestCardBehaviour): TestCard => ({
  number,
  behaviour,
  network: "VISA",
});

/** All test cards. Any other number that passes the Luhn check is approved. */
const testCards: readonly TestCard[] = [
  cardWithBehaviour("4242424242424242", "APPROVE"),
  { number: "5555555555554444", behaviour: "APPROVE", network: "MASTERCARD" },
  { number: "378282246310005", behaviour: "APPROVE", network: "AMEX" },
  decliningCard("4000000000000515", "51", "Insufficient funds."),
  decliningCard("4000000000000614", "61", "Withdrawal limit exceeded."),
  decliningCard("4000000000000051", "05", "Do not honour."),
  decliningCard("4000000000000911", "91", "Issuer unavailable."),
  decliningCard("4000000000000598", "59", "Suspected fraud."),
  decliningCard("4000000000000622", "62", "Restricted card."),
  decliningCard("4000000000000549", "54", "Expired card."),
  decliningCard("4000000000000556", "55", "Incorrect PIN."),
  decliningCard("4000000000000416", "41", "Lost card."),
  decliningCard("4000000000000945", "94", "Duplicate transaction."),
  decliningCard("4000000000009995", "X99", "Unknown decline reason."),
  decliningCard("5100000000020246", "51", "Insufficient funds.", "24"),
  decliningCard("5100000000020303", "51", "Insufficient funds.", "30"),
  decliningCard("5100000000020030", "05", "Do not honour.", "03"),
  cardWithBehaviour("4000000000030009", "CHALLENGE"),
  cardWithBehaviour("4000000000040016", "SLOW"),
  cardWithBehaviour("4000000000040024", "SILENT_AFTER_CHARGE"),
  cardWithBehaviour("4000000000040032", "SILENT"),
  cardWithBehaviour("4000000000050015", "FAIL"),
  cardWithBehaviour("4000000000050023", "FAIL_AFTER_CHARGE"),
  cardWithBehaviour("4000000000050031", "GARBAGE"),
  cardWithBehaviour("4000000000050049", "DOWN_AFTER_CHARGE"),
  cardWithBehaviour("4000000000060014", "CALLBACK_FIRST"),
  cardWithBehaviour("4000000000060022", "CALLBACK_TWICE"),
  cardWithBehaviour("4000000000060030", "CALLBACK_LATE"),
  cardWithBehaviour("4000000000060048", "CALLBACK_DISORDERED"),
  cardWithBehaviour("4000000000080004", "NOT_STORED"),
  { ...decliningCard("4000000000070039", "51", "Insufficient funds."), behaviour: "DECLINE_LATER", times: 3 },
  { ...decliningCard("4000000000070518", "51", "Insufficient funds."), behaviour: "DECLINE_LATER" },
  { ...decliningCard("4000000000070419", "41", "Lost card."), behaviour: "DECLINE_LATER" },
];

const testCardsByNumber = new Map(testCards.map((card) => [card.number, card]));

/** The behaviour that the card number selects. */
export const findTestCard = (number: string): TestCard =>
  testCardsByNumber.get(number) ?? { ...cardWithBehaviour(number, "APPROVE"), network: networkOf(number) };

function networkOf(number: string): Network {
  if (/^4/.test(number)) return "VISA";
  if (/^(?:5[1-5]|2[2-7])/.test(number)) return "MASTERCARD";
  return /^3[47]/.test(number) ? "AMEX" : "OTHER";
}
