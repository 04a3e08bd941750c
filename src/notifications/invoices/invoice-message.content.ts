import type { Language } from "../../../schema/vocabulary.ts";
import { english } from "../../checkout/checkout.english.ts";
import { formatDay, formatInstant, formatMoney } from "../../checkout/checkout.formats.ts";
import { korean } from "../../checkout/checkout.korean.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { amountDue } from "../../orders/order.payability.ts";
import type { SentInvoice, SentInvoiceLine } from "./invoice-message.repository.ts";
import type { ContentLine, MessageContent, MessageDocument } from "../rendering/message.content.ts";
import { languageTagOf } from "../rendering/message.language.ts";

/** The facts of an invoice's message. */
export interface InvoiceMessageFacts {
  invoice: SentInvoice;
  lines: readonly SentInvoiceLine[];
  shop: { name: string; email: string; zoneId: string };
  /** The link to the checkout; null if none can be made. */
  payUrl: string | null;
}

/** The texts of an invoice's message in one language. */
interface InvoiceTexts {
  title: (shop: string, amount: string) => string;
  greeting: (customer: string, shop: string) => string;
  memo: (memo: string) => string;
  invoiceNumber: string;
  order: string;
  deadline: string;
  total: string;
  alreadyPaid: string;
  toPay: string;
  pay: string;
  contact: (email: string) => string;
  noLink: string;
  short: (amount: string, deadline: string | null) => string;
  document: string;
  fileName: (invoiceId: number) => string;
  customer: string;
  issued: string;
}

const texts: Record<Language, InvoiceTexts> = {
  KOREAN: {
    title: (shop, amount) => `${shop} 청구서 ${amount}`,
    greeting: (customer, shop) => `${customer}님, 안녕하세요.\n${shop}에서 보내 드리는 청구서입니다.`,
    memo: (memo) => `${korean.memo}\n${memo}`,
    invoiceNumber: "청구서 번호",
    order: korean.order,
    deadline: korean.deadline,
    total: korean.total,
    alreadyPaid: korean.alreadyPaid,
    toPay: korean.toPay,
    pay: "결제하기",
    contact: (email) => `문의: ${email}`,
    noLink: "결제 방법은 판매자에게 문의해 주세요.",
    short: (amount, deadline) =>
      deadline === null ? `청구 금액은 ${amount}입니다.` : `청구 금액은 ${amount}입니다. 결제 기한: ${deadline}`,
    document: "청구서",
    fileName: (id) => `청구서-${id}.pdf`,
    customer: "받는 분",
    issued: "발행일",
  },
  ENGLISH: {
    title: (shop, amount) => `Invoice from ${shop}: ${amount}`,
    greeting: (customer, shop) => `Dear ${customer},\nthis is your invoice from ${shop}.`,
    memo: (memo) => `${english.memo}\n${memo}`,
    invoiceNumber: "Invoice number",
    order: english.order,
    deadline: english.deadline,
    total: english.total,
    alreadyPaid: english.alreadyPaid,
    toPay: english.toPay,
    pay: "Pay now",
    contact: (email) => `Questions: ${email}`,
    noLink: "Please ask the seller how to pay.",
    short: (amount, deadline) =>
      deadline === null ? `Your invoice is ${amount}.` : `Your invoice is ${amount}, due by ${deadline}.`,
    document: "Invoice",
    fileName: (id) => `invoice-${id}.pdf`,
    customer: "Bill to",
    issued: "Date",
  },
};

/** Composes the message of an invoice. */
export function toInvoiceContent(
  { invoice, lines, shop, payUrl }: InvoiceMessageFacts,
  language: Language,
): MessageContent {
  const code = languageTagOf(language);
  const { currency, amount, paidAmount, instantAmount, purchaseDeadline } = invoice;
  const words = texts[language];
  const money = (value: Amount) => formatMoney(value, currency, code);
  const due = amountDue({ amount, paidAmount }, instantAmount);
  const deadline = purchaseDeadline && formatInstant(purchaseDeadline, shop.zoneId, code);
  const total = (label: string, value: Amount): ContentLine => ({ label, detail: "", amount: money(value) });
  return {
    language,
    sender: shop.name,
    title: words.title(shop.name, money(due)),
    paragraphs: [words.greeting(invoice.customerName, shop.name), ...(invoice.memo ? [words.memo(invoice.memo)] : [])],
    placeholders: { name: invoice.customerName, shop: shop.name, amount: money(due) },
    facts: [
      [words.invoiceNumber, String(invoice.id)],
      [words.order, invoice.orderCode],
      ...(deadline === null ? [] : [[words.deadline, deadline] as const]),
    ],
    lines: lines.filter(isVisible).map((line) => ({
      label: lineName(line, language),
      detail: lineDetail(line),
      amount: money(line.amount),
    })),
    totals: [
      total(words.total, amount),
      ...(paidAmount.gt(0) ? [total(words.alreadyPaid, paidAmount)] : []),
      ...(due.eq(amount) ? [] : [total(words.toPay, due)]),
    ],
    action: payUrl === null ? null : { label: words.pay, url: payUrl },
    notes: [...(payUrl === null ? [words.noLink] : []), ...(shop.email === "" ? [] : [words.contact(shop.email)])],
    short: words.short(money(due), deadline),
  };
}

/** Composes the document of an invoice from the content of its message. */
export function toInvoiceDocument(
  { invoice, shop }: InvoiceMessageFacts,
  content: MessageContent,
  issuedAt: Date,
): MessageDocument {
  const words = texts[content.language];
  return {
    fileName: words.fileName(invoice.id),
    title: words.document,
    issuedAt,
    content,
    parties: [
      [words.customer, invoice.customerName],
      [words.issued, formatDay(issuedAt, shop.zoneId, languageTagOf(content.language))],
    ],
    remarks: invoice.memo ? [words.memo(invoice.memo)] : [],
  };
}

/** Fees, discounts and taxes of zero are not shown. */
const isVisible = ({ type, amount }: SentInvoiceLine): boolean => type === "SKU" || !amount.eq(0);

function lineName({ type, name, discountName }: SentInvoiceLine, language: Language): string {
  if (type === "SKU" || type === "FEE") return name;
  const { lines, discounts } = language === "KOREAN" ? korean : english;
  return (type === "DISCOUNT" && discounts[discountName ?? ""]) || lines[type];
}

/** A line that was created by name and price has a plan of the same name. */
const lineDetail = ({ type, name, planName, optionLabel, quantity }: SentInvoiceLine): string =>
  type === "SKU"
    ? [planName === name ? "" : planName, optionLabel, `× ${quantity}`].filter((part) => part !== "").join(", ")
    : "";
