import { describe, expect, test } from "vitest";
import { queryRows } from "../hostile/query-rows.ts";
import { cookieOf, postJson } from "../support/fixtures/console-person.ts";
import { MailServer } from "../support/mail-server.ts";
import { DAY, MINUTE } from "../support/test-clock.ts";
import { startGateway } from "../support/test-gateway.ts";
import { createWorker } from "../support/test-worker.ts";

/* An invited person gets a link by mail, and sets a password by it once. */

const gateway = await startGateway({ trustedProxies: ["127.0.0.1"], publicUrl: "http://127.0.0.1:4000" });
const mails = await MailServer.start();
const worker = createWorker(gateway, {
  server: { host: "127.0.0.1", port: mails.port, secure: false, requireTLS: false },
  from: "billing@example.com",
});

let clients = 0;
const post = (path: string, body: object) =>
  postJson(gateway, path, body, { "x-forwarded-for": `203.0.113.${++clients}` });
const sendMails = () => worker.runTask("people.mail-password-links");

/** The token of the last mail to an address. */
function lastToken(email: string): string {
  const { source } = mails.received.findLast(({ to }) => to.includes(email))!;
  const text = source
    .replace(/=\r?\n/g, "")
    .replace(/=3D/gi, "=")
    .replace(/=23/g, "#");
  return /http:\/\/127\.0\.0\.1:4000\/invitation#([\w-]{43})/.exec(text)![1]!;
}

const INVITE = "mutation ($input: InvitePersonInput!) { invitePerson(input: $input) { person { id databaseId } } }";
const RESEND = "mutation ($input: PersonInput!) { resendInvitation(input: $input) { person { id } } }";
const REMOVE = "mutation ($input: PersonInput!) { removePerson(input: $input) { person { id } } }";

async function invite(email: string, role = "SUPPORT", vendor = gateway.vendor) {
  const { person } = (await gateway.queryRawData(INVITE, { input: { email, role } }, vendor)).invitePerson;
  await sendMails();
  return { ...(person as { id: string; databaseId: number }), token: lastToken(email) };
}

const accept = (token: string, password = "correct horse") => post("/console/password", { token, password });
const signIn = (email: string) => post("/console/sign-in", { email, password: "correct horse" });

describe("an invitation", () => {
  test("is accepted once, by a mail with its link, and the person signs in with the role", async () => {
    const { token, databaseId } = await invite("kim@example.com", "FINANCE");
    expect((await signIn("kim@example.com")).statusCode).toBe(403);
    const answers = await Promise.all([accept(token), accept(token)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 403]);
    const cookie = cookieOf(await signIn("kim@example.com"))!;
    const query = { query: "{ people { nodes { email role state } } }" };
    const { body } = await postJson(gateway, "/graphql", query, { cookie });
    expect(JSON.parse(body).data.people.nodes).toContainEqual({
      ...{ email: "kim@example.com", role: "FINANCE", state: "ACTIVE" },
    });
    const events = await queryRows(
      gateway,
      `select trigger, author_kind, author_id::int as author from event_log
       where vendor_id = ${gateway.vendor.id} and subject = 'PERSON' and subject_id = ${databaseId} and type = 'PERSON_JOINED'`,
    );
    expect(events).toEqual([{ trigger: "acceptInvitation", author_kind: "PERSON", author: databaseId }]);
  });

  test("exists in the mail only: not in the database, the outbox or the log", async () => {
    const { token } = await invite("secret@example.com");
    const stored = await queryRows<{ row: string }>(
      gateway,
      `select l::text as row from password_links l where vendor_id > 0
       union all select m::text from messages m where vendor_id > 0 union all select e::text from event_log e where vendor_id > 0`,
    );
    for (const { row } of stored)
      for (const form of [token, Buffer.from(token).toString("hex")]) expect(row).not.toContain(form);
    expect(gateway.logLines.join("\n")).not.toContain(token);
  });

  test("expires after seven days, and is sent again at most once a minute, with a link that replaces the old one", async () => {
    const { token, id } = await invite("late@example.com");
    const resend = async () =>
      (await gateway.sendRawGraphQL(RESEND, { input: { personId: id } })).errors?.[0]?.extensions.code;
    expect(await resend()).toBe("TOO_MANY_REQUESTS");
    gateway.clock.advance(7 * DAY);
    expect((await accept(token)).json().errorCode).toBe("PASSWORD_LINK_INVALID");
    expect(await resend()).toBeUndefined();
    await sendMails();
    const newer = lastToken("late@example.com");
    expect([newer === token, (await accept(newer)).statusCode]).toEqual([false, 200]);
    gateway.clock.advance(MINUTE);
    expect(await resend()).toBe("INVITATION_ACCEPTED");
  });

  test("is withdrawn with the person, and a new one goes to a new link", async () => {
    const { token, id } = await invite("gone@example.com");
    await gateway.queryRawData(REMOVE, { input: { personId: id } });
    expect((await accept(token)).statusCode).toBe(403);
    const tooSoon = await gateway.sendRawGraphQL(INVITE, { input: { email: "gone@example.com", role: "SUPPORT" } });
    expect(tooSoon.errors![0]!.extensions.code).toBe("TOO_MANY_REQUESTS");
    gateway.clock.advance(MINUTE);
    const again = await invite("gone@example.com");
    expect((await accept(again.token)).statusCode).toBe(200);
  });

  test("is not renewed, shortened or revealed by a request for a forgotten password", async () => {
    const { token } = await invite("forgot@example.com");
    const before = mails.received.length;
    const { statusCode, body } = await post("/console/password-link", { email: "forgot@example.com" });
    await sendMails();
    expect([statusCode, body, mails.received.length]).toEqual([200, '{"requested":true}', before]);
    gateway.clock.advance(6 * DAY);
    expect((await accept(token)).statusCode).toBe(200);
  });

  test("to one address from two vendors opens two accounts, each by its own link", async () => {
    const other = await gateway.openVendor({ name: "Other vendor" });
    const mine = await invite("two@example.com");
    const theirs = await invite("two@example.com", "OWNER", other);
    await accept(mine.token);
    const cookie = cookieOf(await signIn("two@example.com"))!;
    const { body } = await postJson(gateway, "/graphql", { query: "{ vendor { databaseId } }" }, { cookie });
    expect(JSON.parse(body).data.vendor.databaseId).toBe(gateway.vendor.id);
    await accept(theirs.token);
    expect((await signIn("two@example.com")).json()).toMatchObject({ signedIn: false, vendors: [{}, {}] });
  });
});
