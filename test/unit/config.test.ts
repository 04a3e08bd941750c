import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ConfigError, readConfig } from "../../src/config.ts";

const folder = mkdtempSync(join(tmpdir(), "recoup-config-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The errors of an environment; none if it is valid. */
function problemsOf(variables: NodeJS.ProcessEnv): string[] {
  try {
    readConfig(variables);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const SIGNING_SECRET = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
const KEY = Buffer.alloc(32, 7).toString("base64");

test("without any variable the defaults apply, with the demo vendor on the embedded database", () => {
  expect(readConfig({})).toEqual({
    port: 4000,
    host: "127.0.0.1",
    isLoopback: true,
    dataDir: ".data",
    databaseUrl: undefined,
    pooler: "NONE",
    demo: true,
    demoToken: "demo-secret-token",
    vocabulary: {},
    logLevel: "info",
    role: "both",
    secretsKeys: [],
    publicUrl: undefined,
    stripeApiUrl: undefined,
    tossApiUrl: undefined,
    trustedProxies: [],
    introspection: true,
    allowPrivateWebhooks: true,
    messages: { mail: undefined, sms: undefined, messenger: undefined },
    drainSeconds: 5,
    requestsPerMinute: 60_000,
    chargeConcurrency: undefined,
    renewalBatchSize: 50,
    poolSize: 10,
    statementTimeoutMs: 15_000,
    retention: { webhookDeliveries: 30, messages: 400 },
  });
});

test("every variable is read", () => {
  const vocabulary = join(folder, "words.json");
  writeFileSync(vocabulary, '{"PROVIDER_01": "acme"}');
  expect(
    readConfig({
      PORT: "0",
      HOST: "0.0.0.0",
      DATA_DIR: "/var/lib/recoup",
      DATABASE_URL: "postgresql://user@db/recoup",
      DATABASE_REPLICA_URL: "postgresql://user@replica/recoup",
      DATABASE_POOLER: "transaction",
      DEMO_DATA: "TRUE",
      DEMO_SECRET_TOKEN: "another-token",
      VOCABULARY_FILE: vocabulary,
      LOG_LEVEL: "silent",
      SECRETS_KEY: `${KEY}, ${Buffer.alloc(32, 8).toString("base64")}`,
      PUBLIC_URL: "HTTPS://Pay.Example.com/billing//",
      STRIPE_API_URL: "http://127.0.0.1:12111/",
      TOSS_API_URL: "http://127.0.0.1:12112/",
      TRUSTED_PROXIES: "10.0.0.0/8, ::1",
      ROLE: "worker",
      INTROSPECTION: "False",
      WEBHOOK_ALLOW_PRIVATE: "True",
      SMTP_URL: "smtp://mailer:p%40ss@mail.example.com",
      MAIL_FROM: "billing@example.com",
      SMS_URL: "http://sms-adapter:8080/messages",
      SMS_SECRET: SIGNING_SECRET,
      MESSENGER_URL: "https://messenger.example.com",
      MESSENGER_SECRET: SIGNING_SECRET,
      DRAIN_SECONDS: "0.5",
      RATE_LIMIT: "0",
      CHARGE_CONCURRENCY: "100",
      RENEWAL_BATCH_SIZE: "20",
      DATABASE_POOL_SIZE: "30",
      RETENTION_WEBHOOK_DAYS: "7",
      RETENTION_MESSAGE_DAYS: "90",
      UNKNOWN: "ignored",
    }),
  ).toEqual({
    port: 0,
    host: "0.0.0.0",
    isLoopback: false,
    dataDir: "/var/lib/recoup",
    databaseUrl: "postgresql://user@db/recoup",
    databaseReplicaUrl: "postgresql://user@replica/recoup",
    pooler: "TRANSACTION",
    demo: true,
    demoToken: "another-token",
    vocabulary: { PROVIDER_01: "acme" },
    logLevel: "silent",
    role: "worker",
    secretsKeys: [Buffer.alloc(32, 7), Buffer.alloc(32, 8)],
    publicUrl: "https://pay.example.com/billing",
    stripeApiUrl: "http://127.0.0.1:12111",
    tossApiUrl: "http://127.0.0.1:12112",
    trustedProxies: ["10.0.0.0/8", "::1"],
    introspection: false,
    allowPrivateWebhooks: true,
    messages: {
      mail: {
        server: {
          ...{ host: "mail.example.com", port: 587, secure: false, requireTLS: true },
          auth: { user: "mailer", pass: "p@ss" },
        },
        from: "billing@example.com",
      },
      sms: { url: "http://sms-adapter:8080/messages", secret: SIGNING_SECRET },
      messenger: { url: "https://messenger.example.com", secret: SIGNING_SECRET },
    },
    drainSeconds: 0.5,
    requestsPerMinute: 0,
    chargeConcurrency: 100,
    renewalBatchSize: 20,
    poolSize: 30,
    statementTimeoutMs: 15_000,
    retention: { webhookDeliveries: 7, messages: 90 },
  });
});

test("an empty variable counts as absent", () => {
  const names = [
    "PORT",
    "HOST",
    "DATA_DIR",
    "DATABASE_URL",
    "DATABASE_REPLICA_URL",
    "DEMO_DATA",
    "DEMO_SECRET_TOKEN",
    "VOCABULARY_FILE",
    "LOG_LEVEL",
    "SECRETS_KEY",
    "PUBLIC_URL",
    "STRIPE_API_URL",
    "TOSS_API_URL",
    "WEBHOOK_ALLOW_PRIVATE",
    "SMTP_URL",
    "MAIL_FROM",
    "SMS_URL",
    "SMS_SECRET",
    "MESSENGER_URL",
    "MESSENGER_SECRET",
    "TRUSTED_PROXIES",
    "ROLE",
    "DRAIN_SECONDS",
    "RATE_LIMIT",
    "CHARGE_CONCURRENCY",
    "RENEWAL_BATCH_SIZE",
    "DATABASE_POOL_SIZE",
    "STATEMENT_TIMEOUT_SECONDS",
  ];
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ""])))).toEqual(readConfig({}));
});

test.each([
  [{}, true],
  [{ DATABASE_URL: "postgres://db/x" }, false],
  [{ DATABASE_URL: "postgres://db/x", DEMO_DATA: "true" }, true],
  [{ DEMO_DATA: "false" }, false],
])("with %o the demo vendor stays: %s", (variables, demo) => {
  expect(readConfig(variables).demo).toBe(demo);
});

test.each([
  ["smtps://mail.example.com", { host: "mail.example.com", port: 465, secure: true, requireTLS: false }],
  ["smtp://127.0.0.1:2525", { host: "127.0.0.1", port: 2525, secure: false, requireTLS: false }],
  ["smtp://[2001:db8::1]:25/", { host: "2001:db8::1", port: 25, secure: false, requireTLS: true }],
  ["smtp://mail.internal?requireTLS=false", { host: "mail.internal", port: 587, secure: false, requireTLS: false }],
])("SMTP_URL %s is read", (SMTP_URL, server) => {
  expect(readConfig({ SMTP_URL, MAIL_FROM: "a@example.com" }).messages.mail).toEqual({ server, from: "a@example.com" });
});

describe("a wrong variable", () => {
  test.each<[NodeJS.ProcessEnv, string]>([
    [{ SMTP_URL: "smtp://mail.example.com" }, "SMTP_URL needs MAIL_FROM too."],
    [{ SMS_SECRET: SIGNING_SECRET }, "SMS_SECRET needs SMS_URL too."],
    [
      { SMTP_URL: "smtp://mail.example.com?tls=no", MAIL_FROM: "a@example.com" },
      "SMTP_URL must be like smtps://user:password@mail.example.com:465 or smtp://mail.example.com:587; only ?requireTLS=true or false may follow.",
    ],
    [
      { SMTP_URL: "smtp://mail.example.com", MAIL_FROM: "Billing <a@example.com>" },
      "MAIL_FROM must be a plain e-mail address such as billing@example.com.",
    ],
    [{ SMS_URL: "ftp://sms", SMS_SECRET: SIGNING_SECRET }, "SMS_URL must be an http or https address without a user."],
    [
      { SMS_URL: "https://sms.example.com", SMS_SECRET: "secret" },
      'SMS_SECRET must be whsec_ and base64: `echo "whsec_$(openssl rand -base64 32)"` creates one.',
    ],
    [{ PORT: "http" }, "PORT must be a number."],
    [{ PORT: "1.5" }, "PORT must be a whole number."],
    [{ PORT: "-1" }, "PORT must be from 0 to 65535."],
    [{ PORT: "65536" }, "PORT must be from 0 to 65535."],
    [{ DATABASE_REPLICA_URL: "postgres://replica/x" }, "DATABASE_REPLICA_URL needs DATABASE_URL too."],
    [
      { DATABASE_URL: "postgres://db/x", DATABASE_REPLICA_URL: "postgres://one,two/x" },
      "DATABASE_REPLICA_URL must be the postgres:// address of one server.",
    ],
    [
      { DATABASE_URL: "mysql://db/x" },
      "DATABASE_URL must be a postgres:// address; leave it out for the embedded database.",
    ],
    [
      { DATABASE_URL: "postgres://" },
      "DATABASE_URL must be a postgres:// address; leave it out for the embedded database.",
    ],
    ...["pay.example.com", "ftp://pay.example.com", "https://user@pay.example.com", "https://pay.example.com/?a"].map(
      (address): [NodeJS.ProcessEnv, string] => [
        { PUBLIC_URL: address },
        "PUBLIC_URL must be an http or https address without user, query and fragment.",
      ],
    ),
    [{ DRAIN_SECONDS: "601" }, "DRAIN_SECONDS must be from 0 to 600."],
    [{ RATE_LIMIT: "-1" }, "RATE_LIMIT must be at least 0."],
    [{ CHARGE_CONCURRENCY: "0" }, "CHARGE_CONCURRENCY must be from 1 to 500."],
    [{ RENEWAL_BATCH_SIZE: "0" }, "RENEWAL_BATCH_SIZE must be from 1 to 500."],
    [{ DATABASE_POOL_SIZE: "1" }, "DATABASE_POOL_SIZE must be from 2 to 500."],
    [{ DATABASE_POOL_SIZE: "2.5" }, "DATABASE_POOL_SIZE must be a whole number."],
    [{ STATEMENT_TIMEOUT_SECONDS: "0" }, "STATEMENT_TIMEOUT_SECONDS must be from 1 to 3600."],
    [
      { STATEMENT_TIMEOUT_SECONDS: "30", DATABASE_POOLER: "transaction" },
      "STATEMENT_TIMEOUT_SECONDS has no effect behind a transaction pooler: set statement_timeout for the role instead.",
    ],
    [{ CHARGE_CONCURRENCY: "many" }, "CHARGE_CONCURRENCY must be a number."],
    [{ RATE_LIMIT: "1.5" }, "RATE_LIMIT must be a whole number."],
    [{ DATABASE_POOLER: "session" }, "DATABASE_POOLER must be none, transaction or transaction-prepared."],
    [{ DEMO_DATA: "yes" }, "DEMO_DATA must be true or false."],
    [{ DEMO_SECRET_TOKEN: "short" }, "DEMO_SECRET_TOKEN must have at least 8 characters."],
    [{ DEMO_SECRET_TOKEN: "with a blank" }, "DEMO_SECRET_TOKEN must be printable ASCII without spaces."],
    [{ DEMO_SECRET_TOKEN: "비밀토큰비밀토큰" }, "DEMO_SECRET_TOKEN must be printable ASCII without spaces."],
    [{ LOG_LEVEL: "loud" }, "LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent."],
    [{ SECRETS_KEY: "short" }, "SECRETS_KEY must be 32 bytes in base64: `openssl rand -base64 32` creates them."],
  ])("%o is refused with the sentence: %s", (variables, problem) => {
    expect(problemsOf(variables)).toEqual([problem]);
  });

  test("is never repeated: it may be a secret", () => {
    const secret = "postgress://user:hunter2@db/x";
    expect(
      problemsOf({ DATABASE_URL: secret, SECRETS_KEY: "hunter2", DEMO_SECRET_TOKEN: "hunter2" }).join(),
    ).not.toContain("hunter2");
  });
});

describe("HOST", () => {
  const reachable = (host: string) =>
    `HOST is ${host}, which other machines can reach, but the default demo token is public. Set DEMO_SECRET_TOKEN, or DEMO_DATA=false.`;

  test.each([
    "0.0.0.0",
    "::",
    "192.168.0.7",
    "example.com",
    "localhost.example.com",
    "127.0.0.1.example.com",
    "1127.0.0.1",
    "::2",
  ])("%s is refused with the default demo token, also when that is set explicitly", (host) => {
    expect(problemsOf({ HOST: host })).toEqual([reachable(host)]);
    expect(problemsOf({ HOST: host, DEMO_SECRET_TOKEN: "demo-secret-token" })).toEqual([reachable(host)]);
    expect(problemsOf({ HOST: host, DATABASE_URL: "postgres://db/x", DEMO_DATA: "true" })).toEqual([reachable(host)]);
  });

  test.each(["127.0.0.1", "127.1.2.3", "localhost", "LOCALHOST", "::1", "[::1]"])(
    "%s is reachable from this machine only, so it is accepted",
    (host) => {
      expect(readConfig({ HOST: host }).host).toBe(host);
    },
  );

  test.each([{ DEMO_DATA: "false" }, { DEMO_SECRET_TOKEN: "another-token" }, { DATABASE_URL: "postgres://db/x" }])(
    "may be any address with %o",
    (variables) => {
      expect(problemsOf({ HOST: "0.0.0.0", ...variables })).toEqual([]);
    },
  );
});

describe("the vocabulary file", () => {
  const problem = (path: string) =>
    expect.stringMatching(new RegExp(`^VOCABULARY_FILE ${path.replaceAll(".", "[.]")} cannot be read: .+[.]$`));

  test("that does not exist is refused with its path", () => {
    const path = join(folder, "nothing.json");
    expect(problemsOf({ VOCABULARY_FILE: path })).toEqual([problem(path)]);
  });

  test("that is a folder, or no JSON, is refused with its path", () => {
    const path = join(folder, "broken.json");
    writeFileSync(path, "{ not json");
    expect(problemsOf({ VOCABULARY_FILE: path })).toEqual([problem(path)]);
    expect(problemsOf({ VOCABULARY_FILE: folder })).toEqual([problem(folder)]);
  });
});

test("all errors are reported together", () => {
  const path = join(folder, "nothing.json");
  const problems = problemsOf({ PORT: "http", LOG_LEVEL: "loud", VOCABULARY_FILE: path, HOST: "0.0.0.0" });
  expect(problems).toEqual([
    "PORT must be a number.",
    "LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.",
    expect.stringContaining(path),
    expect.stringContaining("HOST is 0.0.0.0"),
  ]);
});

test("the error lists the problems one a line", () => {
  expect(new ConfigError(["A is wrong.", "B is wrong."]).message).toBe(
    "The settings are wrong:\n  - A is wrong.\n  - B is wrong.",
  );
});
