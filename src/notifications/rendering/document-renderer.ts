import { buffer } from "node:stream/consumers";
import PDFDocument from "pdfkit";
import { documentFonts } from "./document-fonts.ts";
import type { ContentLine, MessageDocument } from "./message.content.ts";
import { languageTagOf } from "./message.language.ts";
import { toOneLine } from "./message.text.ts";

/**
 * A word that is too long for a line costs pdfkit the square of its length. Scripts that break between any two letters have no
 * such words.
 */
const LONG_WORD = /(?:(?![\p{sc=Hangul}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])\S){60}(?=\S)/gu;

const breakLongWords = (text: string): string => text.replace(LONG_WORD, "$& ");

const toLine = (text: string): string => breakLongWords(toOneLine(text));

type Pdf = InstanceType<typeof PDFDocument>;

/** A4 in points, with margins in which printers can print. */
const PAGE = { width: 595, height: 842, margin: 50, footer: 30 };
const WIDTH = PAGE.width - 2 * PAGE.margin;
const BOTTOM = PAGE.height - PAGE.margin - PAGE.footer;
const AMOUNT_WIDTH = 130;
const LABEL_WIDTH = WIDTH - AMOUNT_WIDTH - 12;
const FACT_LABEL_WIDTH = 110;
const COLORS = { text: "#111827", quiet: "#4b5563", line: "#d1d5db", link: "#1d4ed8" };

/** Renders a document as a PDF of A4 pages. Its date is the issue, so that one document always has the same text. */
export async function renderDocument(document: MessageDocument): Promise<Buffer> {
  const { title, content, issuedAt } = document;
  const pdf = new PDFDocument({
    size: "A4",
    margin: PAGE.margin,
    bufferPages: true,
    lang: languageTagOf(content.language),
    displayTitle: true,
    info: { Title: title, Author: content.sender, CreationDate: issuedAt, ModDate: issuedAt },
  });
  const bytes = buffer(pdf);
  const { regular, bold } = documentFonts();
  pdf.registerFont("regular", regular).registerFont("bold", bold);
  writeHead(pdf, document);
  for (const line of content.lines) writeRow(pdf, line, "regular");
  pdf.moveDown(0.3);
  for (const total of content.totals) writeRow(pdf, total, "bold");
  pdf.moveDown(1.5);
  writeEnd(pdf, document);
  writePageNumbers(pdf);
  pdf.end();
  return bytes;
}

function writeHead(pdf: Pdf, { title, content, parties }: MessageDocument): void {
  pdf.font("regular").fontSize(10).fillColor(COLORS.quiet).text(toLine(content.sender), { width: WIDTH });
  pdf.font("bold").fontSize(22).fillColor(COLORS.text).text(title, { width: WIDTH });
  pdf.moveDown(1);
  for (const [label, value] of [...parties, ...content.facts]) {
    const top = pdf.y;
    pdf.font("regular").fontSize(10).fillColor(COLORS.quiet);
    pdf.text(label, PAGE.margin, top, { width: FACT_LABEL_WIDTH - 10 });
    const afterLabel = pdf.y;
    pdf.fillColor(COLORS.text);
    pdf.text(toLine(value), PAGE.margin + FACT_LABEL_WIDTH, top, { width: WIDTH - FACT_LABEL_WIDTH });
    pdf.y = Math.max(pdf.y, afterLabel) + 3;
  }
  pdf.x = PAGE.margin;
  pdf.moveDown(1);
  writeRule(pdf);
}

/** A line with its amount at the right. A line that does not fit on the page begins the next one. */
function writeRow(pdf: Pdf, { label, detail, amount }: ContentLine, font: "regular" | "bold"): void {
  pdf.font(font).fontSize(11);
  const name = toLine(label);
  const addition = toLine(detail);
  const nameHeight = pdf.heightOfString(name, { width: LABEL_WIDTH });
  pdf.font("regular").fontSize(9);
  const detailHeight = addition === "" ? 0 : pdf.heightOfString(addition, { width: LABEL_WIDTH });
  if (pdf.y + nameHeight + detailHeight + 12 > BOTTOM) pdf.addPage();
  const top = pdf.y + 6;
  pdf.font(font).fontSize(11).fillColor(COLORS.text);
  pdf.text(name, PAGE.margin, top, { width: LABEL_WIDTH });
  if (addition !== "") {
    pdf.font("regular").fontSize(9).fillColor(COLORS.quiet);
    pdf.text(addition, PAGE.margin, top + nameHeight, { width: LABEL_WIDTH });
  }
  pdf.font(font).fontSize(11).fillColor(COLORS.text);
  pdf.text(amount, PAGE.width - PAGE.margin - AMOUNT_WIDTH, top, { width: AMOUNT_WIDTH, align: "right" });
  pdf.x = PAGE.margin;
  pdf.y = top + nameHeight + detailHeight + 6;
  if (font === "regular") writeRule(pdf);
}

/** The note of the seller, the link, and whom to ask. */
function writeEnd(pdf: Pdf, { content, remarks }: MessageDocument): void {
  if (pdf.y + 80 > BOTTOM) pdf.addPage();
  pdf.font("regular").fontSize(10).fillColor(COLORS.text);
  for (const remark of remarks) pdf.text(breakLongWords(remark), { width: WIDTH }).moveDown(0.8);
  if (content.action) {
    const { label, url } = content.action;
    pdf.font("bold").fillColor(COLORS.link).text(label, { width: WIDTH, link: url, underline: true }).moveDown(0.8);
  }
  pdf.font("regular").fontSize(9).fillColor(COLORS.quiet);
  for (const note of content.notes) pdf.text(toLine(note), { width: WIDTH });
}

function writeRule(pdf: Pdf): void {
  pdf
    .moveTo(PAGE.margin, pdf.y)
    .lineTo(PAGE.width - PAGE.margin, pdf.y)
    .lineWidth(0.5)
    .strokeColor(COLORS.line)
    .stroke();
}

function writePageNumbers(pdf: Pdf): void {
  const { count } = pdf.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page);
    // Text below the margin would begin a new page.
    pdf.page.margins.bottom = 0;
    pdf.font("regular").fontSize(8).fillColor(COLORS.quiet);
    pdf.text(`${page + 1} / ${count}`, PAGE.margin, PAGE.height - PAGE.margin, { width: WIDTH, align: "center" });
  }
}
