import type { RecurringInterval } from "../../schema/vocabulary.ts";
import type { CheckoutTexts } from "./checkout.texts.ts";

const units: Record<RecurringInterval, string> = { DAY: "day", WEEK: "week", MONTH: "month", YEAR: "year" };

/** What the checkout says in English. */
export const english: CheckoutTexts = {
  title: (code) => `Order ${code}`,
  languages: "Language",
  order: "Order",
  item: "Item",
  quantity: "Quantity",
  amount: "Amount",
  total: "Total",
  alreadyPaid: "Already paid",
  toPay: "To pay",
  memo: "A note from the shop",
  deadline: "Please pay by",
  trial: (count, unit) => `Free trial: ${count} ${units[unit]}${count === 1 ? "" : "s"}`,
  upcoming: {
    title: "What will be charged later",
    trial: (until) => `The trial is free until ${until}.`,
    charge: (price, { count, unit }, first) => {
      const cycle = count === 1 ? `every ${units[unit]}` : `every ${count} ${units[unit]}s`;
      return price === null
        ? `After that, you pay for what you use ${cycle}, next on ${first}.`
        : `${price} will be charged ${cycle}, next on ${first}, by the payment method that you choose here.`;
    },
    until: (end) => `The subscription ends by itself on ${end}.`,
    stop: (email) =>
      `You can cancel at any time before the next charge: ${email === "" ? "ask the shop" : `write to ${email}`}.`,
  },
  lines: {
    FEE: "Fee",
    DISCOUNT: "Discount",
    TAX: "Tax",
    SHIPPING: "Delivery",
    ADDS: "Added items",
    OFFLINE: "Sale in the shop",
    INSTANT: "To pay now",
  },
  discounts: { "First purchase": "First purchase discount" },
  states: {
    PAYABLE: { title: "Pay your order", text: "Please check the order, and choose how to pay." },
    METHOD_NEEDED: {
      title: "Confirm your order",
      text: "Nothing is charged today. The way to pay that you choose is kept for the next payment.",
    },
    TO_CONFIRM: {
      title: "Please confirm the payment",
      text: "Your bank wants to know that it is you. Nothing is charged until you confirm, and you can still pay in another way.",
    },
    DEPOSIT_AWAITED: {
      title: "We wait for your transfer",
      text: "Please transfer the amount. The order is paid once it arrives, and you can still pay in another way.",
    },
    UNDER_WAY: {
      title: "The payment is being made",
      text: "Its outcome is not known yet. Please do not pay in any other way, and look again in a moment.",
    },
    NO_WAY_TO_PAY: { title: "Payment is not open yet", text: "This shop does not take payments here so far." },
    PAID: { title: "This order is paid", text: "Thank you. There is nothing more to pay." },
    REFUNDED: { title: "This order was refunded", text: "What was paid has been given back." },
    CANCELLED: { title: "This order was cancelled", text: "It cannot be paid any more." },
    PAST_DEADLINE: {
      title: "The time to pay is over",
      text: "The order should have been paid earlier. Please ask the shop for a new one.",
    },
    NOTHING_TO_PAY: { title: "There is nothing to pay", text: "The order costs nothing." },
  },
  linkErrors: {
    TAMPERED: {
      title: "This link is not valid",
      text: "It may have been cut off or changed on its way. Please open the whole link, or ask the shop for a new one.",
    },
    EXPIRED: {
      title: "This link has expired",
      text: "For your safety a payment link holds for a day. Please ask the shop for a new one.",
    },
    CLOSED: { title: "This shop is closed", text: "It takes no payments at the moment." },
    FOREIGN: {
      title: "This did not come from our page",
      text: "Another site sent it in your name, so nothing was done. Please open the link itself and pay there.",
    },
    FAILED: {
      title: "Something went wrong",
      text: "The fault is ours, and nothing was charged by this page. Please try again in a moment.",
    },
  },
  cancel: "Cancel and go back to the shop",
  back: "Go back to the shop",
  leaveWithoutPaying: "Go back to the shop without paying",
  quantities: "Change the quantity",
  update: "Update the sum",
  between: (least, most) => `from ${least} to ${most}`,
  payBy: "Pay by",
  methods: {
    CARD: "Card",
    VBANK: "Virtual account",
    BANK: "Deposit into the shop's account",
    BANK_TRANSFER: "Bank transfer",
    CELLPHONE: "Mobile phone",
    SIMPLE_PAY: "Simple pay",
    CMS: "Direct debit",
    CARD_BILL: "Card, kept for the next payments",
    CELLPHONE_BILL: "Mobile phone, kept for the next payments",
    CMS_BILL: "Direct debit, kept for the next payments",
    ONLINE_WALLET: "Online wallet",
  },
  number: "Card number",
  expiry: "Good through",
  expiryHint: "MM/YY",
  terms: "Terms of the shop",
  agree: (title) => `I agree: ${title}`,
  optional: "optional",
  pay: (amount) => `Pay ${amount}`,
  store: "Confirm",
  confirm: "Go on to confirm",
  again: "Look again",
  account: "Where to transfer it",
  accountParts: { bankName: "Bank", accountNumber: "Account", accountName: "Holder" },
  formErrors: {
    METHOD: "Please choose how to pay.",
    NO_NUMBER: "Please enter the card number: it is empty.",
    NUMBER: "Please check the card number: it is not one that a card has.",
    NO_EXPIRY: "Please enter the month and the year until which the card is good: they are empty.",
    EXPIRY: "Please give the month and the year until which the card is good, such as 08/29.",
    EXPIRED: "The card has expired. Please use another one.",
    TERMS: "Please agree to the terms of the shop.",
  },
  paymentFailed: "The payment did not go through",
  failures: {
    FUNDS:
      "There is not enough money in the account. Nothing was charged. Please use another card, or try again later.",
    LIMIT: "The card's limit is reached. Nothing was charged. Please use another card, or try again later.",
    BANK: "The bank declined the payment. Nothing was charged. Please use another card, or ask your bank.",
    TECHNICAL: "The bank could not be reached. Nothing was charged. Please try again in a moment.",
    RESTRICTED: "The card is not made for this payment. Nothing was charged. Please use another card.",
    DATA: "The card has expired, or its details are wrong. Nothing was charged. Please check them, or use another card.",
    CONFIRM: "The payment was not confirmed. Nothing was charged. Please try again, and confirm it with your bank.",
    CARD: "This card cannot be used. Nothing was charged. Please use another card.",
    TWICE: "The bank took this for a payment that it has already seen. Please ask the shop before you pay again.",
  },
  paymentErrors: {
    PRICE_CHANGED: {
      title: "The sum has changed",
      text: "Nothing was charged. Please look at the new sum, and pay again if you agree.",
    },
    OUT_OF_STOCK: { title: "Sold out", text: "There is not enough of it left. Nothing was charged." },
    SUBSCRIBED: {
      title: "You have this subscription already",
      text: "A product of this order can be subscribed to only once. Nothing was charged.",
    },
    OTHER_WAY: { title: "This way to pay is not open", text: "Nothing was charged. Please choose another one." },
    QUANTITY: { title: "The quantity is not possible", text: "Please choose one that the shop offers." },
    TOO_MANY: {
      title: "Too many cards were declined",
      text: "Nothing was charged. To protect card holders this order takes no more cards for a day. Please choose another way to pay, come back tomorrow, or write to the shop.",
    },
  },
  contact: "Questions? Write to",
  trace: "Number of this incident",
};
