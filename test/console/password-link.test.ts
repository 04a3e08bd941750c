import { describe, expect, test } from "vitest";
import { queryRows } from "../hostile/query-rows.ts";
import { cookieOf, postJson } from "../support/fixtures/console-person.ts";
import { MailServer } from "../support/mail-server.ts";
import { HOUR, MINUTE } from "../support/test-clock.ts";
import { startGateway } from "../support/test-gateway.ts";
import { createWorker } from "../support/test-worker.ts";

/* A person who forgot the password gets a link by mail. Only the mail has its token. */

const gateway = await startGateway({ trustedProxies: ["127.0.0.1"], publicUrl: "http://127.0.0.1:4000" });
const mails = await MailServer.start();
const worker = createWorker(gateway, {
  server: { host: "127.0.0.1", port: mails.port, secure: false, requireTLS: false },
  from: "billing@example.com",
});

let clients = 0;
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  postJson(gateway, path, body, { "x-forwarded-for": `203.0.113.${++clients}`, ...headers });

const openChild = (email: string, country = "US") =>
  gateway.queryRawData(
    "mutation ($input: CreateChildVendorInput!) { createChildVendor(input: $input) { child { uuid } } }",
    { input: { name: "Bean Corner", email, password: "correct horse", country } },
  );
const signIn = (email: string, password: string) => post("/console/sign-in", { email, password });
const sendMails = () => worker.runTask("people.mail-password-links");

/** The text of a mail without its encoding of long lines and of special characters. */
const textOf = (source: string) =>
  source
    .replace(/=\r?\n/g, "")
    .replace(/=3D/gi, "=")
    .replace(/=23/g, "#");

/** The token of the last mail to an address. */
function lastToken(email: string): string {
  const mail = mails.received.findLast(({ to }) => to.includes(email));
  return /http:\/\/127\.0\.0\.1:4000\/password#([\w-]{43})/.exec(textOf(mail!.source))![1]!;
}

async function requestToken(email: string): Promise<string> {
  const { statusCode, body } = await post("/console/password-link", { email });
  expect([statusCode, body]).toEqual([200, '{"requested":true}']);
  await sendMails();
  return lastToken(email);
}

describe("a link to set a password", () => {
  test("sets it once, and ends all sessions of the person", async () => {
    await openChild("kim@example.com");
    const cookie = cookieOf(await signIn("kim@example.com", "correct horse"))!;
    const token = await requestToken("kim@example.com");
    const set = () => post("/console/password", { token, password: "a new password" });
    const answers = await Promise.all([set(), set(), set()]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403, 403]);
    expect((await set()).json().errorCode).toBe("PASSWORD_LINK_INVALID");
    const ended = await post("/graphql", { query: "{ vendor { uuid } }" }, { cookie });
    expect(ended.json().errors[0].extensions.code).toBe("SESSION_ENDED");
    expect((await signIn("kim@example.com", "correct horse")).statusCode).toBe(403);
    expect((await signIn("kim@example.com", "a new password")).statusCode).toBe(200);
  });

  test("is replaced by a newer one, and expires after an hour", async () => {
    await openChild("lee@example.com");
    const [older, newer] = [await requestToken("lee@example.com"), await requestToken("lee@example.com")];
    const set = (token: string) => post("/console/password", { token, password: "a new password" });
    expect((await set(older)).statusCode).toBe(403);
    gateway.clock.advance(HOUR);
    expect((await set(newer)).statusCode).toBe(403);
    expect((await signIn("lee@example.com", "correct horse")).statusCode).toBe(200);
  });

  test("refuses a password that is too short, and can be used again", async () => {
    await openChild("short@example.com");
    const token = await requestToken("short@example.com");
    const refused = await post("/console/password", { token, password: "seven77" });
    expect([refused.statusCode, refused.json().details.fields[0].path]).toEqual([400, "password"]);
    expect(refused.body).not.toContain("seven77");
    expect((await post("/console/password", { token, password: "eight888" })).statusCode).toBe(200);
  });

  test("exists in the mail only: not in the database, the outbox or the log", async () => {
    await openChild("secret@example.com");
    const token = await requestToken("secret@example.com");
    const stored = await queryRows<{ row: string }>(
      gateway,
      `select l::text as row from password_links l where vendor_id > 0
       union all select m::text from messages m where vendor_id > 0 union all select e::text from event_log e where vendor_id > 0`,
    );
    for (const { row } of stored)
      for (const form of [token, Buffer.from(token).toString("hex")]) expect(row).not.toContain(form);
    expect(gateway.logLines.join("\n")).not.toContain(token);
  });
});

describe("a request for a link", () => {
  test("is answered alike for an unknown address, which gets no mail", async () => {
    const before = mails.received.length;
    const started = performance.now();
    const { statusCode, body } = await post("/console/password-link", { email: "nobody@example.com" });
    expect([statusCode, body]).toEqual([200, '{"requested":true}']);
    expect(performance.now() - started).toBeGreaterThan(390);
    await sendMails();
    expect(mails.received).toHaveLength(before);
  });

  test("is refused to a page of another origin, and after ten for an address", async () => {
    const foreign = await post(
      "/console/password-link",
      { email: "x@example.com" },
      { origin: "https://attacker.example" },
    );
    expect(foreign.json().errorCode).toBe("CROSS_SITE_REQUEST");
    const from = { "x-forwarded-for": "198.51.100.7" };
    const answers = await Promise.all(
      Array.from({ length: 11 }, () => post("/console/password-link", { email: "bombed@example.com" }, from)),
    );
    expect(
      answers
        .map(({ statusCode }) => statusCode)
        .sort()
        .slice(-2),
    ).toEqual([200, 429]);
  });

  test("is mailed in the language of the vendor's country", async () => {
    await openChild("seoul@example.com", "KR");
    await requestToken("seoul@example.com");
    expect(mails.received.at(-1)!.source).toContain("Auto-Submitted: auto-generated");
    const subject = /^Subject: (.*)$/m.exec(mails.received.at(-1)!.source)![1]!;
    const encoded = /=\?UTF-8\?B\?(.+)\?=/.exec(subject)![1]!;
    expect(Buffer.from(encoded, "base64").toString()).toBe("새 비밀번호 설정");
  });

  test("is tried again when the mail server does not accept mails, and then has another token", async () => {
    await openChild("later@example.com");
    mails.refuse = (recipient) => (recipient === "later@example.com" ? { status: 451, text: "later" } : undefined);
    await post("/console/password-link", { email: "later@example.com" });
    await sendMails();
    expect(mails.received.some(({ to }) => to.includes("later@example.com"))).toBe(false);
    mails.refuse = () => undefined;
    gateway.clock.advance(MINUTE);
    await sendMails();
    const token = lastToken("later@example.com");
    expect((await post("/console/password", { token, password: "a new password" })).statusCode).toBe(200);
  });
});
