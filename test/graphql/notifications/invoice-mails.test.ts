import { extractText } from "unpdf";
import { beforeEach, describe, expect, test } from "vitest";
import { queryRows } from "../../hostile/query-rows.ts";
import { HOUR, MINUTE } from "../../support/test-clock.ts";
import {
  createMessageDispatcher,
  FROM,
  headersOf,
  MailServer,
  sendMessages,
  type ReceivedMail,
} from "../../support/mail-server.ts";
import { numberEvents } from "../../support/number-events.ts";
import { startGateway, type TestVendor } from "../../support/test-gateway.ts";
import { TestPayments } from "../../support/test-payments.ts";
import { createWorker } from "../../support/test-worker.ts";

/* Invoices are delivered by a real mail server; the state of an invoice follows from what the server answered. */

const NOW = "2026-03-01T09:30:00.000Z";
const gateway = await startGateway({ now: NOW, publicUrl: "https://pay.example.com" });
const mails = await MailServer.start();
const dispatcher = createMessageDispatcher(gateway, mails.settings);
const worker = createWorker(gateway);

let vendor: TestVendor;
let payments: TestPayments;
async function openVendor(sandbox: boolean): Promise<void> {
  vendor = await gateway.openVendor({ sandbox, name: "한빛서점" });
  payments = await TestPayments.start(gateway, vendor);
}

beforeEach(async () => {
  gateway.clock.setTo(NOW);
  await openVendor(false);
  await sendMessages(gateway, createMessageDispatcher(gateway));
  mails.take();
  mails.refuse = () => undefined;
});

/** The attached PDF of a mail. */
function pdfOf({ source }: ReceivedMail): Uint8Array {
  const part = source.slice(source.indexOf("application/pdf"));
  const [, base64 = ""] = /\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(part) ?? [];
  return new Uint8Array(Buffer.from(base64, "base64"));
}

const deliver = () => sendMessages(gateway, dispatcher);

async function createCustomer(fields: object = {}): Promise<number> {
  const input = { name: "김하늘", email: "sky@example.com", phone: "01012345678", ...fields };
  const { customer } = await payments.runMutation("createCustomer", input, "customer { databaseId }");
  return customer.databaseId;
}

async function sendInvoice(customerId: number, fields: object = {}): Promise<number> {
  const { invoice } = await payments.runMutation(
    "createInvoice",
    {
      ...{ customerId: String(customerId), items: [{ productName: "디자인 & <작업>", price: "30000" }] },
      ...{ publishMethods: ["EMAIL"], ...fields },
    },
    "invoice { databaseId status }",
  );
  expect(invoice.status).toBe("SENT");
  return invoice.databaseId;
}

const readInvoice = async (id: number) =>
  (
    await gateway.queryData(
      "query ($id: ID!) { invoice(id: $id) { status order { databaseId } } }",
      { id: String(id) },
      vendor,
    )
  ).invoice!;

const outbox = async () =>
  (
    await gateway.queryData(
      `{ outbox(first: 50) { nodes { kind channel state recipient language subjectLine text html attachmentNames attempts
        lastError nextAttemptAt dueAt endedAt customer { databaseId } invoice { databaseId } order { databaseId } } } }`,
      {},
      vendor,
    )
  ).outbox.nodes;

const events = () =>
  queryRows<{ type: string; reason: string | null }>(
    gateway,
    `select type, reason from event_log where vendor_id = ${vendor.id} and (type like 'MESSAGE%' or type like 'INVOICE%') order by id`,
  );

describe("a sent invoice", () => {
  test("is delivered once to the customer and the additional recipients, with a link to pay it", async () => {
    await gateway.queryData(
      `mutation { updateMessageSettings(input: { senderName: "한빛 청구팀", replyTo: "ask@hanbit.example" }) { settings { senderName } } }`,
      {},
      vendor,
    );
    const customer = await createCustomer({ additionalRecipients: ["office@example.com", "sky@example.com"] });
    const invoiceId = await sendInvoice(customer, {
      memoToCustomer: "감사합니다",
      purchaseDeadline: "2026-03-10T05:00:00Z",
    });
    await deliver();
    await deliver();
    const received = mails.take();
    expect(received.map(({ from, to }) => [from, ...to])).toEqual([
      [FROM, "sky@example.com"],
      [FROM, "office@example.com"],
    ]);
    const headers = headersOf(received[0]!);
    expect(headers).toMatchObject({
      to: "sky@example.com",
      "reply-to": "ask@hanbit.example",
      "auto-submitted": "auto-generated",
      "message-id": expect.stringMatching(/^<[0-9a-f-]{36}@recoup[.]example>$/),
    });
    expect(headers["from"]).toContain(`<${FROM}>`);
    const messages = await outbox();
    expect(messages.map(({ state, recipient }) => [state, recipient]).toSorted()).toEqual([
      ["SENT", "office@example.com"],
      ["SENT", "sky@example.com"],
    ]);
    const { order } = await readInvoice(invoiceId);
    expect(messages[0]).toMatchObject({
      ...{ kind: "INVOICE", channel: "EMAIL", language: "KOREAN", subjectLine: "한빛서점 청구서 ₩30,000" },
      ...{ attempts: 1, lastError: null, nextAttemptAt: null, dueAt: NOW, endedAt: NOW },
      ...{ customer: { databaseId: customer }, invoice: { databaseId: invoiceId }, order },
    });
    const attached = /filename[*]?[^\r\n]*pdf/i.exec(received[0]!.source);
    expect(attached).not.toBeNull();
    expect(messages[0]!.attachmentNames).toEqual([`청구서-${invoiceId}.pdf`]);
    const { text: pdfText } = await extractText(pdfOf(received[0]!), { mergePages: true });
    expect(pdfText).toContain("디자인 & <작업>");
    expect(pdfText).toContain("₩30,000");
    const { text, html } = messages[0]!;
    expect(text).toContain("디자인 & <작업>");
    expect(text).toContain("₩30,000");
    expect(text).toContain("결제 기한: 2026년 3월 10일");
    expect(html).toContain("디자인 &amp; &lt;작업&gt;");
    expect(html).not.toContain("<작업>");
    const link = /https:\/\/pay[.]example[.]com(\/checkout\/\S+)/.exec(text!)![1]!;
    const page = await gateway.gateway.server.inject({ method: "GET", url: link });
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain("디자인");
    expect((await events()).map(({ type }) => type)).toEqual(["INVOICE_SENT", "MESSAGE_SENT", "MESSAGE_SENT"]);
    expect((await readInvoice(invoiceId)).status).toBe("SENT");
  });

  test("is written in English when the customer's region speaks neither language of the checkout", async () => {
    await sendInvoice(await createCustomer({ region: "DE", name: "Anna Weiß" }));
    await deliver();
    const [message] = await outbox();
    expect(message).toMatchObject({ language: "ENGLISH", subjectLine: "Invoice from 한빛서점: ₩30,000" });
    expect(message!.text).toContain("Dear Anna Weiß,");
  });

  test("becomes SEND_FAIL when the server refuses the only recipient, and SENT when it is sent again", async () => {
    mails.refuse = () => ({ status: 550, text: "No such user here" });
    const invoiceId = await sendInvoice(await createCustomer());
    await deliver();
    expect((await readInvoice(invoiceId)).status).toBe("SEND_FAIL");
    expect(await outbox()).toMatchObject([
      { state: "FAILED", attempts: 1, lastError: expect.stringContaining("No such user here") },
    ]);
    expect(await events()).toMatchObject([
      { type: "INVOICE_SENT" },
      { type: "MESSAGE_FAILED", reason: expect.stringContaining("No such user here") },
      { type: "INVOICE_SEND_FAILED", reason: expect.stringContaining("No such user here") },
    ]);
    mails.refuse = () => undefined;
    gateway.clock.advance(HOUR);
    await payments.runMutation("sendInvoice", { invoiceId: String(invoiceId) }, "invoice { status }");
    await deliver();
    expect((await readInvoice(invoiceId)).status).toBe("SENT");
    expect(mails.take()).toHaveLength(1);
    expect((await outbox()).map(({ state }) => state)).toEqual(["SENT", "FAILED"]);
  });

  test("stays SENT when one of its recipients gets it", async () => {
    mails.refuse = (recipient) => (recipient === "sky@example.com" ? { status: 550, text: "Unknown" } : undefined);
    const invoiceId = await sendInvoice(await createCustomer({ additionalRecipients: ["office@example.com"] }));
    await deliver();
    expect((await outbox()).map(({ state }) => state).toSorted()).toEqual(["FAILED", "SENT"]);
    expect((await readInvoice(invoiceId)).status).toBe("SENT");
  });

  test("is attempted again after growing pauses while the server refuses for now, and fails after a day", async () => {
    mails.refuse = () => ({ status: 451, text: "Try again later" });
    const invoiceId = await sendInvoice(await createCustomer());
    await deliver();
    await deliver();
    const [first] = await outbox();
    expect(first).toMatchObject({
      state: "QUEUED",
      attempts: 1,
      lastError: expect.stringContaining("Try again later"),
    });
    const pause = Date.parse(first!.nextAttemptAt!) - Date.parse(NOW);
    expect(pause).toBeGreaterThanOrEqual(MINUTE);
    expect(pause).toBeLessThanOrEqual(1.1 * MINUTE);
    for (let hour = 0; hour < 40; hour++) {
      gateway.clock.advance(HOUR);
      await deliver();
    }
    expect(await outbox()).toMatchObject([{ state: "FAILED", nextAttemptAt: null }]);
    expect((await readInvoice(invoiceId)).status).toBe("SEND_FAIL");
  });

  test("is not sent any more when it was paid before an attempt succeeded", async () => {
    mails.refuse = () => ({ status: 451, text: "Try again later" });
    const invoiceId = await sendInvoice(await createCustomer());
    await deliver();
    const { order } = await readInvoice(invoiceId);
    await payments.payOrder(order!.databaseId);
    mails.refuse = () => undefined;
    gateway.clock.advance(HOUR);
    await deliver();
    expect(mails.take()).toEqual([]);
    expect(await outbox()).toMatchObject([
      { state: "CANCELED", lastError: "The invoice does not wait for a payment." },
    ]);
    expect((await readInvoice(invoiceId)).status).toBe("PAID");
  });

  test("stays OVER_DUE when its delivery fails after the deadline", async () => {
    mails.refuse = () => ({ status: 451, text: "Try again later" });
    const deadline = new Date(Date.parse(NOW) + HOUR).toISOString();
    const invoiceId = await sendInvoice(await createCustomer(), { purchaseDeadline: deadline });
    await deliver();
    gateway.clock.advance(2 * HOUR);
    await worker.runTask("invoices.pass-deadline");
    mails.refuse = () => ({ status: 550, text: "Unknown" });
    await deliver();
    expect((await outbox()).map(({ state }) => state)).toEqual(["FAILED"]);
    expect((await readInvoice(invoiceId)).status).toBe("OVER_DUE");
  });

  test("becomes SEND_FAIL when the customer has no address on any channel", async () => {
    const customer = await createCustomer();
    await queryRows(gateway, `update customers set email = '' where vendor_id = ${vendor.id} and id = ${customer}`);
    const invoiceId = await sendInvoice(customer);
    await deliver();
    expect(await outbox()).toMatchObject([
      { state: "FAILED", recipient: "", lastError: "The customer has no e-mail address." },
    ]);
    expect((await readInvoice(invoiceId)).status).toBe("SEND_FAIL");
  });

  test("stays SENT when the installation has no sender for its channels: another program may deliver it", async () => {
    const invoiceId = await sendInvoice(await createCustomer(), { publishMethods: ["SMS", "MESSENGER"] });
    await deliver();
    expect((await outbox()).map(({ state, channel }) => [state, channel]).toSorted()).toEqual([
      ["CANCELED", "MESSENGER"],
      ["CANCELED", "SMS"],
    ]);
    expect((await readInvoice(invoiceId)).status).toBe("SENT");
    expect((await events()).map(({ type }) => type)).toEqual(["INVOICE_SENT"]);
  });

  test("queues nothing when the vendor has disabled its kind", async () => {
    const { updateMessageSettings } = await gateway.queryData(
      `mutation { updateMessageSettings(input: { disabledKinds: [INVOICE, INVOICE] }) { settings { senderName replyTo disabledKinds } } }`,
      {},
      vendor,
    );
    expect(updateMessageSettings.settings).toEqual({ senderName: null, replyTo: null, disabledKinds: ["INVOICE"] });
    await sendInvoice(await createCustomer());
    await deliver();
    expect(await outbox()).toEqual([]);
  });
});

test("a sandbox's invoice lies in the outbox with its text, and no server gets it", async () => {
  await openVendor(true);
  const invoiceId = await sendInvoice(await createCustomer(), { publishMethods: ["EMAIL", "SMS"] });
  await deliver();
  expect(mails.take()).toEqual([]);
  const messages = await outbox();
  expect(messages.map(({ state, channel }) => [state, channel]).toSorted()).toEqual([
    ["SENT", "EMAIL"],
    ["SENT", "SMS"],
  ]);
  const sms = messages.find(({ channel }) => channel === "SMS")!;
  expect(sms).toMatchObject({ recipient: "01012345678", subjectLine: null, html: null });
  expect(sms.text).toMatch(/^\[한빛서점\] 청구 금액은 ₩30,000입니다[.]\nhttps:\/\/pay[.]example[.]com\/checkout\//);
  expect((await readInvoice(invoiceId)).status).toBe("SENT");
});

test("hostile names begin no header, and no second recipient", async () => {
  await gateway.queryData(
    `mutation { updateMessageSettings(input: { senderName: "Shop\\r\\nBcc: victim@example.com" }) { settings { senderName } } }`,
    {},
    vendor,
  );
  const customer = await createCustomer({ name: "<script>alert(1)</script>" });
  await sendInvoice(customer);
  await queryRows(
    gateway,
    `update customers set additional_recipients = array['a@example.com, b@example.com', 'x@example.com>' || chr(13) || chr(10) || 'DATA']
      where vendor_id = ${vendor.id} and id = ${customer}`,
  );
  await deliver();
  const received = mails.take();
  expect(received.map(({ to }) => to)).toEqual([["sky@example.com"]]);
  const headers = headersOf(received[0]!);
  expect(headers).not.toHaveProperty("bcc");
  expect(received[0]!.source).not.toMatch(/^Bcc:/m);
  const messages = await outbox();
  expect(messages.map(({ state }) => state).toSorted()).toEqual(["FAILED", "FAILED", "SENT"]);
  const sent = messages.find(({ state }) => state === "SENT")!;
  expect(sent.html).not.toContain("<script>");
  expect(sent.html).toContain("&lt;script&gt;");
});

test("a server that is away delays a message, and a slow one sends it once", async () => {
  const away = createMessageDispatcher(gateway, {
    mail: { server: { host: "127.0.0.1", port: 1, secure: false, requireTLS: false }, from: FROM },
  });
  await sendInvoice(await createCustomer());
  await sendMessages(gateway, away);
  expect(await outbox()).toMatchObject([{ state: "QUEUED", attempts: 1 }]);
  gateway.clock.advance(HOUR);
  let accept = () => {};
  mails.delay = () => new Promise<void>((resolve) => (accept = resolve));
  await dispatcher.runTurn();
  await expect.poll(() => mails.received.length).toBe(1);
  expect(await outbox()).toMatchObject([{ state: "SENDING", attempts: 2 }]);
  expect(await dispatcher.runTurn()).toBe(0);
  accept();
  mails.delay = () => Promise.resolve();
  await dispatcher.waitForAttempts();
  expect(await outbox()).toMatchObject([{ state: "SENT", attempts: 2 }]);
  expect(mails.take()).toHaveLength(1);
});

test("a vendor with many messages does not hold up a vendor with one while the server is slow", async () => {
  const customer = await createCustomer();
  for (let count = 0; count < 12; count++) await sendInvoice(customer);
  await openVendor(false);
  await sendInvoice(await createCustomer({ email: "other@example.com" }));
  const waiting: (() => void)[] = [];
  let isSlow = true;
  mails.delay = () => (isSlow ? new Promise<void>((resolve) => waiting.push(resolve)) : Promise.resolve());
  await numberEvents(gateway);
  await dispatcher.runTurn();
  await dispatcher.runTurn();
  await expect.poll(() => mails.received.length).toBe(5);
  expect(mails.received.map(({ to }) => to[0]).toSorted()).toEqual([
    "other@example.com",
    ...Array.from({ length: 4 }, () => "sky@example.com"),
  ]);
  isSlow = false;
  for (const accept of waiting) accept();
  await dispatcher.waitForAttempts();
  await deliver();
  expect(mails.take()).toHaveLength(13);
});
