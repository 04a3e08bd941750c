import { TOTP } from "otpauth";
import { describe, expect, test } from "vitest";
import { queryRows } from "../hostile/query-rows.ts";
import { cookieOf, openPersonSession, postJson } from "../support/fixtures/console-person.ts";
import { HOUR, MINUTE } from "../support/test-clock.ts";
import { startGateway } from "../support/test-gateway.ts";

/* A second factor: an app's code beside the password, each accepted once. */

const gateway = await startGateway({ trustedProxies: ["127.0.0.1"] });
const PASSWORD = "correct horse";

let clients = 0;
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  postJson(gateway, path, body, { "x-forwarded-for": `203.0.113.${++clients % 250}`, ...headers });
const signIn = (email: string, rest: object = {}, headers?: Record<string, string>) =>
  post("/console/sign-in", { email, password: PASSWORD, ...rest }, headers);

/** The code that an app shows now, or some steps of 30 seconds later. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret }).generate({ timestamp: gateway.clock.now().getTime() + steps * 30_000 });

/** Adds a person with a factor. The codes of this moment are used up afterwards. */
async function openWithFactor(email: string, role: "OWNER" | "SUPPORT" = "SUPPORT") {
  const person = await openPersonSession(gateway, gateway.vendor.id, { email, role });
  const headers = { cookie: person.cookie };
  const { secret, uri } = (await post("/console/second-factor/start", { password: PASSWORD }, headers)).json();
  const confirmed = await post("/console/second-factor/confirm", { code: codeOf(secret) }, headers);
  expect(confirmed.statusCode).toBe(200);
  const recoveryCodes: string[] = confirmed.json().recoveryCodes;
  gateway.clock.advance(MINUTE);
  return { ...person, headers, secret: String(secret), uri: String(uri), recoveryCodes };
}

describe("a second factor", () => {
  test("is offered against the password, counts after a code, and is required at each sign-in", async () => {
    const { cookie, id } = await openPersonSession(gateway, gateway.vendor.id, {
      email: "kim@example.com",
      role: "READ_ONLY",
    });
    const headers = { cookie };
    const wrong = await post("/console/second-factor/start", { password: "wrong horse" }, headers);
    expect([wrong.statusCode, wrong.json().errorCode]).toEqual([403, "SIGN_IN_REFUSED"]);
    const { secret, uri } = (await post("/console/second-factor/start", { password: PASSWORD }, headers)).json();
    expect(uri).toMatch(/^otpauth:\/\/totp\/Recoup:.*kim%40example\.com.*secret=[A-Z2-7]{32}/);
    expect((await signIn("kim@example.com")).json().signedIn).toBe(true);
    expect((await post("/console/second-factor/confirm", { code: "000000" }, headers)).statusCode).toBe(403);
    const { recoveryCodes } = (await post("/console/second-factor/confirm", { code: codeOf(secret) }, headers)).json();
    expect(new Set(recoveryCodes).size).toBe(10);
    expect((await post("/console/second-factor", {}, headers)).json()).toEqual({ isOn: true, recoveryCodesLeft: 10 });

    gateway.clock.advance(MINUTE);
    const needed = await signIn("kim@example.com");
    expect([needed.json(), cookieOf(needed)]).toEqual([{ signedIn: false, vendors: [], codeNeeded: true }, undefined]);
    expect((await signIn("kim@example.com", { code: codeOf(secret) })).json().signedIn).toBe(true);
    const [event] = await queryRows(
      gateway,
      `select trigger, facts, author_id::int as author from event_log where vendor_id = ${gateway.vendor.id} and type = 'PERSON_SECOND_FACTOR_CHANGED'`,
    );
    expect(event).toEqual({ trigger: "confirmSecondFactor", facts: { from: "OFF", to: "ON" }, author: id });
  });

  test("ends the person's other sessions when it is switched on, and those of nobody else", async () => {
    const [own, other] = [
      await openPersonSession(gateway, gateway.vendor.id, { email: "two@example.com", role: "SUPPORT" }),
      await openPersonSession(gateway, gateway.vendor.id, { email: "colleague@example.com", role: "SUPPORT" }),
    ];
    const elsewhere = cookieOf(await signIn("two@example.com"))!;
    const isOpen = async (cookie: string) => (await post("/console/second-factor", {}, { cookie })).statusCode === 200;
    expect([await isOpen(own.cookie), await isOpen(elsewhere)]).toEqual([true, true]);
    const headers = { cookie: own.cookie };
    const { secret } = (await post("/console/second-factor/start", { password: PASSWORD }, headers)).json();
    expect((await post("/console/second-factor/confirm", { code: "000000" }, headers)).statusCode).toBe(403);
    expect(await isOpen(elsewhere)).toBe(true);
    expect((await post("/console/second-factor/confirm", { code: codeOf(secret) }, headers)).statusCode).toBe(200);
    expect([await isOpen(own.cookie), await isOpen(elsewhere), await isOpen(other.cookie)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test("accepts each code once, also of two sign-ins at the same moment, and codes of 30 seconds around", async () => {
    const { secret } = await openWithFactor("once@example.com");
    const code = codeOf(secret);
    const answers = await Promise.all([1, 2, 3].map(() => signIn("once@example.com", { code })));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 403, 403]);
    const again = await signIn("once@example.com", { code });
    expect([again.statusCode, again.json().errorCode, cookieOf(again)]).toEqual([
      403,
      "SIGN_IN_CODE_REFUSED",
      undefined,
    ]);
    expect((await signIn("once@example.com", { code: codeOf(secret, -1) })).statusCode).toBe(403);
    expect((await signIn("once@example.com", { code: codeOf(secret, 2) })).statusCode).toBe(403);
    expect((await signIn("once@example.com", { code: codeOf(secret, 1) })).statusCode).toBe(200);
  });

  test("accepts each recovery code once, in any form of writing", async () => {
    const { recoveryCodes, headers } = await openWithFactor("lost@example.com");
    const [code = ""] = recoveryCodes;
    const answers = await Promise.all([1, 2].map(() => signIn("lost@example.com", { code: code.toLowerCase() })));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 403]);
    expect((await post("/console/second-factor", {}, headers)).json().recoveryCodesLeft).toBe(9);
  });

  test("does not help a wrong password, and is not asked for it", async () => {
    const { secret } = await openWithFactor("both@example.com");
    const answer = await post("/console/sign-in", {
      email: "both@example.com",
      password: "wrong",
      code: codeOf(secret),
    });
    expect(answer.json().errorCode).toBe("SIGN_IN_REFUSED");
    expect((await signIn("both@example.com", { code: codeOf(secret) })).statusCode).toBe(200);
  });

  test("is guessed ten times at most from one network, though the password is right", async () => {
    await openWithFactor("guessed@example.com");
    const from = { "x-forwarded-for": "198.51.100.9" };
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt++) {
      statuses.push((await signIn("guessed@example.com", { code: "000000" }, from)).statusCode);
      statuses.push((await signIn("guessed@example.com", {}, from)).statusCode);
    }
    expect(statuses.slice(-2)).toEqual([429, 429]);
  });

  test("is switched off with a code only, and cannot be replaced while it is on", async () => {
    const { secret, headers } = await openWithFactor("off@example.com");
    const start = await post("/console/second-factor/start", { password: PASSWORD }, headers);
    expect(start.json().errorCode).toBe("SECOND_FACTOR_ON");
    expect((await post("/console/second-factor/remove", { code: "123456" }, headers)).statusCode).toBe(403);
    expect((await post("/console/second-factor/remove", { code: codeOf(secret) }, headers)).statusCode).toBe(200);
    expect((await signIn("off@example.com")).json().signedIn).toBe(true);
  });

  test("is encrypted, and its recovery codes are hashed: none of them is in the database or the log", async () => {
    const { secret, recoveryCodes } = await openWithFactor("stored@example.com");
    const rows = await queryRows<{ row: string }>(
      gateway,
      `select f::text as row from second_factors f where vendor_id > 0
       union all select e::text from event_log e where vendor_id > 0`,
    );
    const stored = rows.map(({ row }) => row).join() + gateway.logLines.join();
    for (const text of [secret, Buffer.from(secret).toString("hex"), ...recoveryCodes])
      expect(stored).not.toContain(text);
  });

  test("is not changed from a page of another origin, without a session, or by a token", async () => {
    const { secret, headers } = await openWithFactor("csrf@example.com");
    const body = { code: codeOf(secret) };
    const foreign = await post("/console/second-factor/remove", body, {
      ...headers,
      origin: "https://attacker.example",
    });
    expect(foreign.json().errorCode).toBe("CROSS_SITE_REQUEST");
    const others: Record<string, string>[] = [{}, { "secret-token": gateway.vendor.token }];
    for (const other of others)
      expect((await post("/console/second-factor/remove", body, other)).json().errorCode).toBe("SESSION_ENDED");
  });
});

describe("an owner", () => {
  const RESET =
    "mutation ($input: PersonInput!) { resetSecondFactor(input: $input) { person { email hasSecondFactor } } }";

  test("resets the factor of a colleague, and nobody else does", async () => {
    const person = await openWithFactor("phone@example.com");
    const owner = await openPersonSession(gateway, gateway.vendor.id, { email: "boss@example.com", role: "OWNER" });
    const reset = async (sender: object) =>
      (await post("/graphql", { query: RESET, variables: { input: { personId: person.id } } }, { ...sender })).json();
    expect((await reset(person.headers)).errors[0].extensions.code).toBe("PERMISSION_DENIED");
    const { data } = await reset({ cookie: owner.cookie });
    expect(data.resetSecondFactor.person).toEqual({ email: "phone@example.com", hasSecondFactor: false });
    expect((await signIn("phone@example.com")).json().signedIn).toBe(true);
  });

  test("cannot lose the factor to a key with fewer permissions", async () => {
    const owner = await openWithFactor("kept@example.com", "OWNER");
    const create = `mutation { createApiKey(input: { name: "admin", scopes: [ADMIN] }) { token } }`;
    const { token } = (await gateway.queryRawData(create)).createApiKey;
    const { errors } = await gateway.sendRawGraphQL(RESET, { input: { personId: owner.id } }, { token });
    expect(errors![0]!.extensions.code).toBe("PERMISSION_DENIED");
    gateway.clock.advance(HOUR);
    expect((await signIn("kept@example.com")).json().codeNeeded).toBe(true);
  });
});
