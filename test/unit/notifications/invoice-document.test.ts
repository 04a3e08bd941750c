import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { extractText } from "unpdf";
import type { Language } from "../../../schema/vocabulary.ts";
import { toAmount } from "../../../src/kernel/amounts.ts";
import { renderDocument } from "../../../src/notifications/rendering/document-renderer.ts";
import {
  toInvoiceContent,
  toInvoiceDocument,
  type InvoiceMessageFacts,
} from "../../../src/notifications/invoices/invoice-message.content.ts";
import { renderMessage } from "../../../src/notifications/rendering/message-renderer.ts";

/* The PDF and the mail of an invoice. `PREVIEW=folder` saves them, to be looked at. */

const ISSUED = new Date("2026-03-01T09:30:00.000Z");

type Line = InvoiceMessageFacts["lines"][number];

const line = (name: string, amount: string, fields: Partial<Line> = {}): Line => ({
  ...{ type: "SKU", name, planName: "월간 구독", optionLabel: "", discountName: null, quantity: 1 },
  ...{ amount: toAmount(amount), ...fields },
});

const korean: InvoiceMessageFacts = {
  invoice: {
    ...{ id: 1042, status: "SENT", sentAt: ISSUED, publishMethods: ["EMAIL"], region: null },
    ...{ memo: "이번 달도 이용해 주셔서 감사합니다.\n문의는 언제든지 답장으로 주세요.", instantAmount: null },
    ...{ customerId: 7, customerName: "김하늘", email: "sky@example.com", phone: "01012345678", customerRegion: "KR" },
    ...{ additionalRecipients: [], orderId: 41, orderCode: "order_aEYqWAMi4", currency: "KRW" },
    ...{ amount: toAmount("148500"), paidAmount: toAmount("0") },
    purchaseDeadline: new Date("2026-03-10T05:00:00.000Z"),
  },
  lines: [
    line("한빛 클라우드 팀 요금제", "99000", { quantity: 3 }),
    line("기술 지원 (주말 포함)", "50000", { planName: "기술 지원 (주말 포함)", optionLabel: "전화" }),
    line("설치비", "16000", { type: "FEE" }),
    line("할인", "-30000", { type: "DISCOUNT", discountName: "First purchase" }),
    line("부가세", "13500", { type: "TAX" }),
  ],
  shop: { name: "한빛서점", email: "help@hanbit.example", zoneId: "Asia/Seoul" },
  payUrl:
    "https://pay.example.com/checkout/WzIsMSwxNzc0OTQ5NDAwMDAwLCJrbyIse31d.Y9Zqc6KHvmga-yu7UMSZSQtlLDAFxu--Fqmr8_X62Uo",
};

const english: InvoiceMessageFacts = {
  ...korean,
  invoice: {
    ...korean.invoice,
    ...{
      customerName: "Anna Weiß",
      currency: "USD",
      memo: "",
      amount: toAmount("1250.5"),
      paidAmount: toAmount("250.5"),
    },
  },
  lines: [
    line("Team plan", "1150.5", { quantity: 12, planName: "Yearly" }),
    line("Set-up & training – “remote”", "100", { planName: "Once", optionLabel: "Zoë’s café" }),
  ],
  shop: { name: "Hanbit Books", email: "", zoneId: "America/New_York" },
};

async function render(facts: InvoiceMessageFacts, language: Language, name?: string) {
  const content = toInvoiceContent(facts, language);
  const pdf = await renderDocument(toInvoiceDocument(facts, content, ISSUED));
  const mail = renderMessage(content, "EMAIL");
  const folder = process.env["PREVIEW"];
  if (folder !== undefined && name !== undefined) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/${name}.pdf`, pdf);
    writeFileSync(`${folder}/${name}.html`, mail.htmlBody ?? "");
  }
  const { text, totalPages } = await extractText(new Uint8Array(pdf), { mergePages: true });
  return { pdf, text, totalPages, mail };
}

describe("the PDF of an invoice", () => {
  test("has the Korean text of the invoice, which a reader can extract", async () => {
    const { text, totalPages, pdf } = await render(korean, "KOREAN", "korean");
    expect(totalPages).toBe(1);
    for (const part of [
      ...[
        "청구서",
        "한빛서점",
        "받는 분",
        "김하늘",
        "발행일",
        "2026년 3월 1일",
        "1042",
        "order_aEYqWAMi4",
        "결제 기한",
      ],
      ...[
        "한빛 클라우드 팀 요금제",
        "월간 구독, × 3",
        "₩99,000",
        "전화, × 1",
        "설치비",
        "첫 구매 할인",
        "-₩30,000",
        "부가세",
      ],
      ...["합계", "₩148,500", "이번 달도 이용해 주셔서 감사합니다.", "결제하기", "문의: help@hanbit.example", "1 / 1"],
    ])
      expect(text).toContain(part);
    // The font is embedded as a subset.
    expect(pdf.length).toBeLessThan(200_000);
  });

  test("has the English text, with an amount that is paid already", async () => {
    const { text } = await render(english, "ENGLISH", "english");
    for (const part of [
      ...["Invoice", "Hanbit Books", "Bill to", "Anna Weiß", "March 1, 2026", "Team plan", "Yearly, × 12", "$1,150.50"],
      ...["Set-up & training – “remote”", "Once, Zoë’s café, × 1", "$250.50", "$1,000.00", "Pay now"],
    ])
      expect(text).toContain(part);
  });

  test("continues on further pages when the lines do not fit, and numbers them", async () => {
    const lines = Array.from({ length: 120 }, (_, index) => line(`상품 ${index + 1}`, "1000"));
    const { text, totalPages } = await render({ ...korean, lines }, "KOREAN", "long");
    expect(totalPages).toBeGreaterThan(3);
    for (const part of ["상품 1\n", "상품 120", `${totalPages} / ${totalPages}`]) expect(text).toContain(part);
  });

  test("takes hostile names: long words, control characters and letters that the font lacks", async () => {
    const customerName = `${"가".repeat(300)}\u0000\r\n(Tj) 😀 مرحبا <b>`;
    const facts = {
      ...korean,
      invoice: { ...korean.invoice, customerName, memo: "x".repeat(4_000) },
      lines: [line(`${"W".repeat(500)}\n\\) Tj`, "1", { planName: "y".repeat(255) })],
    };
    const { text, totalPages, mail } = await render(facts, "KOREAN", "hostile");
    expect(totalPages).toBeGreaterThanOrEqual(1);
    expect(text).toContain("가가가");
    expect(mail.htmlBody).toContain("&lt;b&gt;");
    expect(mail.htmlBody).not.toContain("<b>");
  });
});

test("the mail of an invoice has the same lines in text and HTML", async () => {
  const { mail } = await render(korean, "KOREAN");
  expect(mail.subjectLine).toBe("한빛서점 청구서 ₩148,500");
  for (const part of [
    "한빛 클라우드 팀 요금제",
    "월간 구독, × 3",
    "첫 구매 할인",
    "-₩30,000",
    "₩148,500",
    "결제하기",
  ]) {
    expect(mail.textBody).toContain(part);
    expect(mail.htmlBody).toContain(part);
  }
});
