import { describe, expect, test } from "vitest";
import { queryRows } from "../hostile/query-rows.ts";
import { cookieOf, OWN_PAGE, postJson } from "../support/fixtures/console-person.ts";
import { MINUTE } from "../support/test-clock.ts";
import { startGateway } from "../support/test-gateway.ts";

/* People sign in with e-mail and password; their session is a cookie, which counts for the console's own requests only. */

const gateway = await startGateway({ trustedProxies: ["127.0.0.1"] });

let addresses = 0;

/** Another client of the internet, so that one test does not use up the limits of another. */
const newClient = () => ({ "x-forwarded-for": `203.0.113.${++addresses}` });

/** A child vendor whose first manager has an e-mail address and a password. */
async function openChild(email: string, password = "correct horse", name = "Bean Corner") {
  const { createChildVendor } = await gateway.queryRawData(
    `mutation ($input: CreateChildVendorInput!) { createChildVendor(input: $input) { child { uuid name secretKey } } }`,
    { input: { name, email, password } },
  );
  return createChildVendor.child as { uuid: string; name: string; secretKey: string };
}

const signIn = (body: object, headers: Record<string, string> = newClient()) =>
  postJson(gateway, "/console/sign-in", body, headers);

async function openSession(email: string, password = "correct horse"): Promise<string> {
  return cookieOf(await signIn({ email, password }))!;
}

const query = (cookie: string, headers: Record<string, string> = {}, body: object = { query: "{ vendor { uuid } }" }) =>
  postJson(gateway, "/graphql", body, { cookie, ...headers });

const codeOf = (body: string): string => {
  const { errorCode, errors } = JSON.parse(body);
  return errorCode ?? errors?.[0].extensions.code;
};

describe("a person", () => {
  test("signs in with e-mail and password in any case of the address, and acts for their vendor", async () => {
    const child = await openChild("Kim@example.com");
    const answer = await signIn({ email: "kim@EXAMPLE.com", password: "correct horse" });
    expect([answer.statusCode, answer.json()]).toEqual([200, { signedIn: true, vendors: [] }]);
    expect(answer.headers["cache-control"]).toBe("no-store");
    const { body } = await query(cookieOf(answer)!);
    expect(JSON.parse(body)).toEqual({ data: { vendor: { uuid: child.uuid } } });
  });

  test("is refused alike for a wrong password, an unknown address and a disabled account", async () => {
    await openChild("lee@example.com");
    await openChild("gone@example.com");
    await queryRows(
      gateway,
      "update managers set enabled = false where vendor_id > 0 and username = 'gone@example.com'",
    );
    const answers = await Promise.all(
      [
        { email: "lee@example.com", password: "wrong horse" },
        { email: "nobody@example.com", password: "correct horse" },
        { email: "gone@example.com", password: "correct horse" },
      ].map((body) => signIn(body)),
    );
    for (const answer of answers) {
      expect([answer.statusCode, codeOf(answer.body), cookieOf(answer)]).toEqual([403, "SIGN_IN_REFUSED", undefined]);
      expect({ ...answer.json(), traceId: "" }).toEqual({ ...answers[0]!.json(), traceId: "" });
    }
  });

  test("is asked for the vendor when the address and password open accounts at several", async () => {
    const [first, second] = [
      await openChild("park@example.com"),
      await openChild("park@example.com", undefined, "Tea"),
    ];
    await openChild("park@example.com", "another password");
    const credentials = { email: "park@example.com", password: "correct horse" };
    const answer = await signIn(credentials);
    expect([answer.json(), cookieOf(answer)]).toEqual([
      {
        signedIn: false,
        vendors: [
          { uuid: first.uuid, name: "Bean Corner" },
          { uuid: second.uuid, name: "Tea" },
        ],
      },
      undefined,
    ]);
    const chosen = await signIn({ ...credentials, vendor: second.uuid });
    expect(JSON.parse((await query(cookieOf(chosen)!)).body).data.vendor.uuid).toBe(second.uuid);
  });

  test.each([
    [{ email: "kim@example.com" }, "password"],
    [{ password: "x" }, "email"],
    [{ email: ["kim@example.com"], password: "x" }, "email"],
    [{ email: "kim@example.com", password: "x".repeat(256) }, "password"],
    [{ email: "kim@example.com", password: "x", vendor: "7" }, "vendor"],
  ])("is refused with %j", async (body, path) => {
    const answer = await signIn(body);
    expect([answer.statusCode, answer.json().details.fields[0].path]).toEqual([400, path]);
    expect(answer.body).not.toContain("xxxxxxxx");
  });
});

describe("a session", () => {
  test("has a cookie that scripts cannot read and other sites do not send, by TLS with the prefix of its host", async () => {
    await openChild("cookie@example.com");
    const credentials = { email: "cookie@example.com", password: "correct horse" };
    const plain = await signIn(credentials);
    expect(String(plain.headers["set-cookie"])).toMatch(
      /^recoup-session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const secure = await signIn(credentials, {
      ...newClient(),
      host: "pay.example.com",
      origin: "https://pay.example.com",
      "x-forwarded-proto": "https",
    });
    expect(String(secure.headers["set-cookie"])).toMatch(
      /^__Host-recoup-session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    // Another host of the domain could have set a cookie of the plain name.
    const tossed = await query(cookieOf(plain)!, { host: "pay.example.com", origin: "https://pay.example.com" });
    expect([tossed.statusCode, codeOf(tossed.body)]).toEqual([403, "TOKEN_MISSING"]);
  });

  test("is stored as a hash", async () => {
    await openChild("hash@example.com");
    const token = (await openSession("hash@example.com")).split("=")[1]!;
    const rows = await queryRows<{ stored: string }>(
      gateway,
      "select s::text as stored from sessions s where vendor_id > 0",
    );
    for (const { stored } of rows)
      for (const form of [token, Buffer.from(token).toString("hex"), Buffer.from(token, "base64url").toString("hex")])
        expect(stored).not.toContain(form);
  });

  test("ends when its person signs out, so that a stolen cookie is worth nothing", async () => {
    await openChild("out@example.com");
    const cookie = await openSession("out@example.com");
    const answer = await postJson(gateway, "/console/sign-out", {}, { cookie });
    expect(answer.headers["set-cookie"]).toBe("recoup-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict");
    const { statusCode, body, headers } = await query(cookie);
    expect([statusCode, codeOf(body)]).toEqual([403, "SESSION_ENDED"]);
    expect(headers["set-cookie"]).toContain("Max-Age=0");
  });

  test("ends after an hour without use, and after twelve hours with it", async () => {
    await openChild("idle@example.com");
    const [idle, used] = [await openSession("idle@example.com"), await openSession("idle@example.com")];
    for (let minutes = 0; minutes < 12 * 60 - 30; minutes += 30) {
      expect((await query(used)).statusCode).toBe(200);
      gateway.clock.advance(30 * MINUTE);
    }
    expect(codeOf((await query(idle)).body)).toBe("SESSION_ENDED");
    expect((await query(used)).statusCode).toBe(200);
    gateway.clock.advance(30 * MINUTE);
    expect(codeOf((await query(used)).body)).toBe("SESSION_ENDED");
    await openSession("idle@example.com");
    const rows = await queryRows(
      gateway,
      "select from sessions s join managers m on m.vendor_id = s.vendor_id and m.id = s.manager_id where m.username = 'idle@example.com'",
    );
    expect(rows).toHaveLength(1);
  });

  test("saves its use at most once a minute", async () => {
    await openChild("uses@example.com");
    const cookie = await openSession("uses@example.com");
    const countUpdates = () => gateway.statements.filter(({ text }) => text.startsWith('update "sessions"')).length;
    const before = countUpdates();
    await query(cookie);
    gateway.clock.advance(MINUTE - 1);
    await query(cookie);
    expect(countUpdates() - before).toBe(0);
    gateway.clock.advance(1);
    await query(cookie);
    await query(cookie);
    expect(countUpdates() - before).toBe(1);
  });

  test("ends with the account or the vendor that is disabled", async () => {
    const child = await openChild("disabled@example.com");
    const cookie = await openSession("disabled@example.com");
    const setEnabled = (enabled: boolean) =>
      gateway.queryRawData(
        "mutation ($input: SetChildVendorEnabledInput!) { setChildVendorEnabled(input: $input) { child { uuid } } }",
        { input: { vendorUuid: child.uuid, enabled } },
      );
    await setEnabled(false);
    expect(codeOf((await query(cookie)).body)).toBe("SESSION_ENDED");
    expect((await signIn({ email: "disabled@example.com", password: "correct horse" })).statusCode).toBe(403);
    await setEnabled(true);
    expect((await query(cookie)).statusCode).toBe(200);
  });

  test("is a new one at each sign-in, which ends the one of the browser before (fixation)", async () => {
    await openChild("victim@example.com");
    await openChild("attacker@example.com");
    const planted = await openSession("attacker@example.com");
    const answer = await signIn(
      { email: "victim@example.com", password: "correct horse" },
      { ...newClient(), cookie: planted },
    );
    expect(cookieOf(answer)).not.toBe(planted);
    expect(codeOf((await query(planted)).body)).toBe("SESSION_ENDED");
    const invented = `recoup-session=${"x".repeat(43)}`;
    await signIn({ email: "victim@example.com", password: "correct horse" }, { ...newClient(), cookie: invented });
    expect(codeOf((await query(invented)).body)).toBe("SESSION_ENDED");
  });
});

describe("a page of another origin", () => {
  test.each([
    ["another site", { "sec-fetch-site": "cross-site", origin: "https://attacker.example" }],
    ["another port of this machine", { "sec-fetch-site": "same-site", origin: "http://127.0.0.1:3000" }],
    ["another port in a browser without fetch metadata", { origin: "http://127.0.0.1:3000" }],
    ["another site in a browser without fetch metadata", { origin: "https://attacker.example" }],
    ["a page without an origin", { origin: "null" }],
    ["an address that a user typed", { "sec-fetch-site": "none", origin: "null" }],
  ])("cannot use a session or sign in from %s", async (_page, headers) => {
    await openChild(`csrf-${++addresses}@example.com`);
    const email = `csrf-${addresses}@example.com`;
    const cookie = await openSession(email);
    const answers = [
      await query(cookie, headers),
      await signIn({ email, password: "correct horse" }, { ...newClient(), ...headers }),
      await postJson(gateway, "/console/sign-out", {}, { cookie, ...headers }),
    ];
    for (const { statusCode, body } of answers) expect([statusCode, codeOf(body)]).toEqual([403, "CROSS_SITE_REQUEST"]);
    expect((await query(cookie)).statusCode).toBe(200);
  });

  test("cannot post a form, nor query by a link, nor call REST with a session", async () => {
    await openChild("form@example.com");
    const cookie = await openSession("form@example.com");
    const { server } = gateway.gateway;
    const form = await server.inject({
      method: "POST",
      url: "/graphql",
      headers: { ...OWN_PAGE, cookie, "content-type": "application/x-www-form-urlencoded" },
      payload: "query=%7Bvendor%7Bname%7D%7D",
    });
    expect(form.statusCode).toBe(415);
    const link = await server.inject({
      url: "/graphql?query=%7Bvendor%7Bname%7D%7D",
      headers: { ...OWN_PAGE, cookie },
    });
    expect([link.statusCode, codeOf(link.body)]).toEqual([403, "TOKEN_MISSING"]);
    const rest = await server.inject({ url: "/api/v1/orders", headers: { ...OWN_PAGE, cookie } });
    expect([rest.statusCode, codeOf(rest.body)]).toEqual([403, "TOKEN_MISSING"]);
    const stream = await query(cookie, { accept: "text/event-stream" }, { query: "subscription { events { name } }" });
    expect([stream.statusCode, codeOf(stream.body)]).toEqual([403, "TOKEN_MISSING"]);
  });

  test("cannot read whether somebody is signed in", async () => {
    const answer = await postJson(gateway, "/console/sign-out", {}, { origin: "http://127.0.0.1:3000" });
    expect(answer.headers["access-control-allow-credentials"]).toBeUndefined();
    expect(answer.statusCode).toBe(403);
  });
});

describe("a token beside a cookie", () => {
  test("goes first, so that a program with a cookie jar acts for its token", async () => {
    await openChild("both@example.com");
    const cookie = await openSession("both@example.com");
    const { body } = await query(cookie, { "secret-token": gateway.vendor.token, origin: "https://attacker.example" });
    const { vendor } = await gateway.queryData("{ vendor { uuid } }");
    expect(JSON.parse(body).data.vendor).toEqual(vendor);
  });
});

describe("guessing passwords", () => {
  const wrong = (email: string) => ({ email, password: "wrong horse" });

  test("is refused after ten failures for an account from a network, also with the right password", async () => {
    await openChild("guessed@example.com");
    const client = newClient();
    const codes = await Promise.all(
      Array.from({ length: 12 }, async () => codeOf((await signIn(wrong("guessed@example.com"), client)).body)),
    );
    expect(codes.filter((code) => code === "SIGN_IN_REFUSED")).toHaveLength(10);
    const right = { email: "guessed@example.com", password: "correct horse" };
    const refused = await signIn(right, client);
    expect([refused.statusCode, codeOf(refused.body)]).toEqual([429, "TOO_MANY_REQUESTS"]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(600);
    // The account's owner signs in from elsewhere meanwhile.
    expect((await signIn(right)).statusCode).toBe(200);
  });

  test("is counted alike for an unknown address, in any case of its letters", async () => {
    const client = newClient();
    const emails = ["ghost@example.com", "GHOST@example.com"];
    const answers = await Promise.all(
      Array.from({ length: 11 }, (_, index) => signIn(wrong(emails[index % 2]!), client)),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(1);
  });

  test("of one account from many networks is refused after a hundred failures", async () => {
    const codes = await Promise.all(
      Array.from({ length: 101 }, async () => codeOf((await signIn(wrong("spread@example.com"))).body)),
    );
    expect(codes.filter((code) => code === "TOO_MANY_REQUESTS")).toHaveLength(1);
  });

  test("of many accounts from one network is refused after thirty calls in a minute", async () => {
    const client = newClient();
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, index) => signIn(wrong(`user${index}@example.com`), client)),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(2);
  });

  test("takes the same time for known and unknown addresses", async () => {
    await openChild("timed@example.com");
    const timeOf = async (email: string) => {
      const times: number[] = [];
      for (let round = 0; round < 5; round++) {
        const started = performance.now();
        await signIn(wrong(email));
        times.push(performance.now() - started);
      }
      return times.sort((a, b) => a - b)[2]!;
    };
    const [known, unknown] = [await timeOf("timed@example.com"), await timeOf("unknown@example.com")];
    expect(Math.min(known, unknown)).toBeGreaterThan(390);
    expect(Math.abs(known - unknown)).toBeLessThan(150);
  });
});

test("passwords and session tokens appear in no line of the log", async () => {
  await openChild("log@example.com", "a password for the log");
  const cookie = await openSession("log@example.com", "a password for the log");
  await signIn({ email: "log@example.com", password: "a wrong password for the log" });
  await query(cookie);
  const log = gateway.logLines.join("\n");
  expect(log).not.toContain("password for the log");
  expect(log).not.toContain(cookie.split("=")[1]!);
  expect(log).not.toContain("log@example.com");
});
