import type { RecurringInterval } from "../../schema/vocabulary.ts";
import type { ChargedInterval, CheckoutTexts } from "./checkout.texts.ts";

const units: Record<RecurringInterval, string> = { DAY: "day", WEEK: "week", MONTH: "month", YEAR: "year" };

const toCycle = ({ count, unit }: ChargedInterval): string =>
  count === 1 ? `every ${units[unit]}` : `every ${count} ${units[unit]}s`;

/** The English texts of the checkout. */
export const english: CheckoutTexts = {
  title: (code) => `Order ${code}`,
  languages: "Language",
  order: "Order",
  item: "Item",
  quantity: "Quantity",
  amount: "Amount",
  total: "Total",
  alreadyPaid: "Already paid",
  toPay: "Amount due",
  memo: "A note from the shop",
  deadline: "Please pay by",
  trial: (count, unit) => `Free trial: ${count} ${units[unit]}${count === 1 ? "" : "s"}`,
  upcoming: {
    title: "What will be charged later",
    trial: (until) => `The trial is free until ${until}.`,
    cycle: toCycle,
    charge: (price, cycle, first) =>
      price === null
        ? `After that, you pay for what you use ${toCycle(cycle)}, next on ${first}.`
        : `${price} will be charged ${toCycle(cycle)}, next on ${first}, by the payment method that you choose here.`,
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
    INSTANT: "Due now",
  },
  discounts: { "First purchase": "First purchase discount" },
  states: {
    PAYABLE: { title: "Pay your order", text: "Please check the order and choose a payment method." },
    METHOD_REQUIRED: {
      title: "Confirm your order",
      text: "Nothing is charged today. The payment method that you choose is stored for the next payment.",
    },
    CONFIRMATION_REQUIRED: {
      title: "Please confirm the payment",
      text: "Your bank needs to confirm that it is you. Nothing is charged until you confirm, and you can still choose another payment method.",
    },
    DEPOSIT_AWAITED: {
      title: "Waiting for your transfer",
      text: "Please transfer the amount. The order is paid when the transfer arrives, and you can still choose another payment method.",
    },
    IN_PROGRESS: {
      title: "The payment is in progress",
      text: "Its outcome is not known yet. Please do not pay by another method, and check again in a moment.",
    },
    NO_PAYMENT_METHOD: { title: "Payment is not available yet", text: "This shop does not accept payments here yet." },
    PAID: { title: "This order is paid", text: "Thank you. There is nothing left to pay." },
    REFUNDED: { title: "This order was refunded", text: "The amount that you paid was refunded." },
    CANCELLED: { title: "This order was cancelled", text: "It can no longer be paid." },
    PAST_DEADLINE: {
      title: "The payment deadline has passed",
      text: "The order was not paid in time. Please ask the shop for a new one.",
    },
    NOTHING_DUE: { title: "There is nothing to pay", text: "The amount of the order is zero." },
  },
  cardPage: {
    title: "Please enter your card on the payment page",
    text: "The card is entered on the secure page of our payment provider. Nothing is charged until you pay there, and you can still choose another payment method.",
  },
  openCardPage: "Open the payment page",
  cardWindow: {
    title: "The payment window opens",
    text: "You enter your card in the secure window of the payment service. If it does not open, use the button below.",
    needsScript: "The payment window needs JavaScript. Please allow it in your browser.",
    closed: "The payment window could not be opened. Please try again, or pay in another way.",
    open: "Open the payment window",
    back: "Back to the order",
  },
  linkErrors: {
    TAMPERED: {
      title: "This link is not valid",
      text: "It may have been cut off or changed. Please open the complete link, or ask the shop for a new one.",
    },
    EXPIRED: {
      title: "This link has expired",
      text: "For your safety it was valid for a limited time only. Please ask the shop for a new one.",
    },
    CLOSED: { title: "This shop is closed", text: "It does not accept payments at the moment." },
    FOREIGN: {
      title: "This request did not come from our page",
      text: "Another site sent it in your name, so nothing was done. Please open the link itself and pay there.",
    },
    FAILED: {
      title: "Something went wrong",
      text: "The error is ours, and this page charged nothing. Please try again in a moment.",
    },
  },
  cancel: "Cancel and go back to the shop",
  back: "Go back to the shop",
  leaveWithoutPaying: "Go back to the shop without paying",
  quantities: "Change the quantity",
  update: "Update the amount",
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
    CARD_BILL: "Card, stored for the next payments",
    CELLPHONE_BILL: "Mobile phone, stored for the next payments",
    CMS_BILL: "Direct debit, stored for the next payments",
    ONLINE_WALLET: "Online wallet",
  },
  number: "Card number",
  expiry: "Expiry date",
  expiryHint: "MM/YY",
  terms: "Terms of the shop",
  agree: (title) => `I agree: ${title}`,
  optional: "optional",
  pay: (amount) => `Pay ${amount}`,
  store: "Confirm",
  confirm: "Continue to confirm",
  again: "Check again",
  account: "Account for the transfer",
  accountParts: { bankName: "Bank", accountNumber: "Account", accountName: "Holder" },
  formErrors: {
    METHOD: "Please choose a payment method.",
    NO_NUMBER: "Please enter the card number: it is empty.",
    NUMBER: "Please check the card number: it is not a valid card number.",
    NO_EXPIRY: "Please enter the month and the year in which the card expires: they are empty.",
    EXPIRY: "Please enter the month and the year in which the card expires, such as 08/29.",
    EXPIRED: "The card has expired. Please use another card.",
    TERMS: "Please agree to the terms of the shop.",
  },
  paymentFailed: "The payment failed",
  failures: {
    FUNDS: "The account has insufficient funds. Nothing was charged. Please use another card, or try again later.",
    LIMIT: "The limit of the card is reached. Nothing was charged. Please use another card, or try again later.",
    BANK: "The bank declined the payment. Nothing was charged. Please use another card, or ask your bank.",
    TECHNICAL: "The bank could not be reached. Nothing was charged. Please try again in a moment.",
    RESTRICTED: "The card cannot be used for this payment. Nothing was charged. Please use another card.",
    DATA: "The card has expired, or its details are wrong. Nothing was charged. Please check them, or use another card.",
    CONFIRM: "The payment was not confirmed. Nothing was charged. Please try again, and confirm it with your bank.",
    CARD: "This card cannot be used. Nothing was charged. Please use another card.",
    ALREADY_PAID: "The bank reports that this payment was made before. Please ask the shop before you pay again.",
  },
  paymentErrors: {
    PRICE_CHANGED: {
      title: "The amount has changed",
      text: "Nothing was charged. Please check the new amount, and pay again if you agree.",
    },
    OUT_OF_STOCK: { title: "Sold out", text: "There is not enough in stock. Nothing was charged." },
    SUBSCRIBED: {
      title: "You have this subscription already",
      text: "A product of this order can be subscribed to only once. Nothing was charged.",
    },
    OTHER_METHOD: {
      title: "This payment method is not available",
      text: "Nothing was charged. Please choose another payment method.",
    },
    QUANTITY: { title: "The quantity is not possible", text: "Please choose a quantity that the shop offers." },
    TOO_MANY_DECLINES: {
      title: "Too many cards were declined",
      text: "Nothing was charged. To protect card holders, this order accepts no more cards for one day. Please choose another payment method, come back tomorrow, or write to the shop.",
    },
  },
  contact: "Questions? Write to",
  trace: "Reference number of this incident",
};
