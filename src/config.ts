import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { z } from "zod";
import type { Pooler } from "./database/client.ts";
import { parseUrl } from "./kernel/parsed-url.ts";
import { defaultRetention, type RetentionDays } from "./kernel/retention.ts";
import { KEY_BYTES } from "./kernel/secrets/secret-vault.ts";
import { isMailAddress } from "./notifications/senders/mail.address.ts";
import type { HttpSenderSettings, MailSettings } from "./notifications/senders/message-port.ts";
import type { MessageSenderSettings } from "./notifications/senders/message-senders.ts";

/** The token that opens the demo vendor unless another is chosen: known to everyone who reads the README. */
const DEFAULT_DEMO_TOKEN = "demo-secret-token";

const booleanText = z
  .string()
  .transform((text) => text.toLowerCase())
  .pipe(z.enum(["true", "false"], "must be true or false"))
  .transform((text) => text === "true");

const base64Keys = z
  .string()
  .transform((text) => text.split(",").map((key) => Buffer.from(key.trim(), "base64")))
  .refine(
    (keys) => keys.every(({ length }) => length === KEY_BYTES),
    "must be 32 bytes in base64: `openssl rand -base64 32` creates them",
  );

const publicUrl = z
  .string()
  .refine(isPlainAddress, "must be an http or https address without user, query and fragment")
  .transform((text) => new URL(text).href.replace(/\/+$/, ""));

const smtpUrl = z
  .string()
  .refine(
    (text) => readMailServer(text) !== undefined,
    "must be like smtps://user:password@mail.example.com:465 or smtp://mail.example.com:587; only ?requireTLS=true or false may follow",
  );

const adapterUrl = z.string().refine((text) => {
  const url = parseUrl(text);
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === "";
}, "must be an http or https address without a user");

const signingSecret = z
  .string()
  .regex(
    /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/,
    'must be whsec_ and base64: `echo "whsec_$(openssl rand -base64 32)"` creates one',
  );

const networkList = z
  .string()
  .transform((text) => text.split(",").map((network) => network.trim()))
  .refine((all) => all.every(isNetwork), "must be IP addresses or networks such as 10.0.0.0/8, with commas between");

/** A whole number within a range. */
const wholeNumber = (min: number, max: number) => {
  const range = `must be from ${min} to ${max}`;
  return z.coerce.number("must be a number").int("must be a whole number").min(min, range).max(max, range);
};

/** A whole number of days, from a minimum to ten years. */
const daysFrom = (min: number) => {
  const range = `must be a whole number of days from ${min} to 3650`;
  return z.coerce.number(range).int(range).min(min, range).max(3_650, range);
};

const port = wholeNumber(0, 65_535);

const environment = z.object({
  PORT: port.default(4000),
  HOST: z.string().min(1, "must not be empty").default("127.0.0.1"),
  DATA_DIR: z.string().min(1, "must not be empty").default(".data"),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/\S+$/, "must be a postgres:// address; leave it out for the embedded database")
    .optional(),
  DATABASE_REPLICA_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/[^\s,/]+(\/[^\s]*)?$/, "must be the postgres:// address of one server")
    .optional(),
  DATABASE_POOLER: z
    .enum(["none", "transaction", "transaction-prepared"], "must be none, transaction or transaction-prepared")
    .default("none"),
  DEMO_DATA: booleanText.optional(),
  DEMO_SECRET_TOKEN: z
    .string()
    .min(8, "must have at least 8 characters")
    .regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces")
    .default(DEFAULT_DEMO_TOKEN),
  VOCABULARY_FILE: z.string().min(1, "must not be empty").optional(),
  LOG_LEVEL: z
    .enum(
      ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
      "must be one of fatal, error, warn, info, debug, trace, silent",
    )
    .default("info"),
  SECRETS_KEY: base64Keys.optional(),
  ROLE: z.enum(["gateway", "worker", "both"], "must be gateway, worker or both").default("both"),
  PUBLIC_URL: publicUrl.optional(),
  STRIPE_API_URL: publicUrl.optional(),
  TOSS_API_URL: publicUrl.optional(),
  TRUSTED_PROXIES: networkList.optional(),
  INTROSPECTION: booleanText.default(true),
  WEBHOOK_ALLOW_PRIVATE: booleanText.optional(),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: z.string().refine(isMailAddress, "must be a plain e-mail address such as billing@example.com").optional(),
  SMS_URL: adapterUrl.optional(),
  SMS_SECRET: signingSecret.optional(),
  MESSENGER_URL: adapterUrl.optional(),
  MESSENGER_SECRET: signingSecret.optional(),
  METRICS_PORT: port.optional(),
  RETENTION_WEBHOOK_DAYS: daysFrom(1).default(defaultRetention.webhookDeliveries),
  RETENTION_MESSAGE_DAYS: daysFrom(30).default(defaultRetention.messages),
  RATE_LIMIT: z.coerce
    .number("must be a number")
    .int("must be a whole number")
    .min(0, "must be at least 0")
    .max(100_000_000, "must be at most 100000000")
    .default(60_000),
  CHARGE_CONCURRENCY: wholeNumber(1, 500).optional(),
  RENEWAL_BATCH_SIZE: wholeNumber(1, 500).default(50),
  DATABASE_POOL_SIZE: wholeNumber(2, 500).default(10),
  STATEMENT_TIMEOUT_SECONDS: wholeNumber(1, 3_600).default(15),
  DRAIN_SECONDS: z.coerce
    .number("must be a number")
    .min(0, "must be from 0 to 600")
    .max(600, "must be from 0 to 600")
    .default(5),
});

/** Checked settings of one process. */
export interface Config {
  port: number;
  host: string;
  /** Whether only this machine can reach the host. */
  isLoopback: boolean;
  dataDir: string;
  /** Absent: the embedded database. */
  databaseUrl: string | undefined;
  /** The address of a streaming replica of the database at `databaseUrl`. Absent: all reads go to that. */
  databaseReplicaUrl: string | undefined;
  /** What stands before the server. */
  pooler: Pooler;
  /** Connections of one process to the database. */
  poolSize: number;
  /** Time that a statement may take. */
  statementTimeoutMs: number;
  /** Whether the gateway creates the demo vendor, its token and its data. */
  demo: boolean;
  demoToken: string;
  /** The words of a vocabulary file as they stand in it; rest-compat checks them. */
  vocabulary: unknown;
  logLevel: string;
  /** Whether the process answers requests, does what time brings, or both. */
  role: "gateway" | "worker" | "both";
  /** The encryption keys of secrets: the first encrypts, the others decrypt until all secrets are encrypted anew. */
  secretsKeys: readonly Buffer[];
  /** Under which address browsers reach the gateway, without a slash at its end. Absent: where it listens. */
  publicUrl: string | undefined;
  /** The address of Stripe's interface: a proxy, or a stand-in for tests. Absent: Stripe itself. */
  stripeApiUrl: string | undefined;
  /** The address of Toss Payments' interface: a proxy, or a stand-in for tests. Absent: Toss Payments itself. */
  tossApiUrl: string | undefined;
  /** Addresses and networks of proxies whose X-Forwarded-For says who the client is. */
  trustedProxies: readonly string[];
  /** Whether callers may introspect the schema. */
  introspection: boolean;
  /** Whether webhooks of sandboxes may go to loopback and private addresses. */
  allowPrivateWebhooks: boolean;
  /** The senders of messages to customers. */
  messages: MessageSenderSettings;
  /** How long requests are still accepted after SIGTERM, while `/readyz` answers 503. */
  drainSeconds: number;
  /** The port of `/metrics`, `/livez` and `/readyz` for operators, beside the gateway's or the worker's. Absent: none. */
  metricsPort: number | undefined;
  /** How long ended records stay before workers delete them. */
  retention: RetentionDays;
  /** The most renewals of a vendor that one worker charges at the same time. Absent: what its payment gateways take. */
  chargeConcurrency: number | undefined;
  /** The most renewals of a vendor that one worker claims in one transaction. */
  renewalBatchSize: number;
  /** The requests that a key or a person may send in a minute, over all gateways. 0: no limit. */
  requestsPerMinute: number;
}

/** Settings that cannot be: every one of them, in words. */
export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(`The settings are wrong:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
  }
}

type Environment = Record<string, string | undefined>;

/** Reads the environment. @throws ConfigError with all that is wrong, at once. */
export function readConfig(variables: NodeJS.ProcessEnv): Config {
  const presentVariables = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const parsed = environment.safeParse(presentVariables);
  const errors = parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}.`);
  const vocabulary = readVocabulary(presentVariables["VOCABULARY_FILE"], errors);
  errors.push(
    ...incompletePairs(presentVariables),
    ...replicaWithoutDatabase(presentVariables),
    ...timeoutBehindPooler(presentVariables),
  );
  if (isDemoExposed(presentVariables)) {
    errors.push(
      `HOST is ${String(presentVariables["HOST"])}, which other machines can reach, but the default demo token is public. Set DEMO_SECRET_TOKEN, or DEMO_DATA=false.`,
    );
  }
  if (!parsed.success || errors.length > 0) throw new ConfigError(errors);
  const settings = parsed.data;
  return {
    port: settings.PORT,
    host: settings.HOST,
    isLoopback: isLoopback(settings.HOST),
    dataDir: settings.DATA_DIR,
    databaseUrl: settings.DATABASE_URL,
    databaseReplicaUrl: settings.DATABASE_REPLICA_URL,
    pooler: POOLERS[settings.DATABASE_POOLER],
    poolSize: settings.DATABASE_POOL_SIZE,
    statementTimeoutMs: settings.STATEMENT_TIMEOUT_SECONDS * 1000,
    demo: settings.DEMO_DATA ?? settings.DATABASE_URL === undefined,
    demoToken: settings.DEMO_SECRET_TOKEN,
    vocabulary,
    logLevel: settings.LOG_LEVEL,
    role: settings.ROLE,
    secretsKeys: settings.SECRETS_KEY ?? [],
    publicUrl: settings.PUBLIC_URL,
    stripeApiUrl: settings.STRIPE_API_URL,
    tossApiUrl: settings.TOSS_API_URL,
    trustedProxies: settings.TRUSTED_PROXIES ?? [],
    introspection: settings.INTROSPECTION,
    allowPrivateWebhooks:
      settings.WEBHOOK_ALLOW_PRIVATE ?? (settings.DATABASE_URL === undefined && isLoopback(settings.HOST)),
    messages: {
      mail: toMailSettings(settings.SMTP_URL, settings.MAIL_FROM),
      sms: toHttpSender(settings.SMS_URL, settings.SMS_SECRET),
      messenger: toHttpSender(settings.MESSENGER_URL, settings.MESSENGER_SECRET),
    },
    drainSeconds: settings.DRAIN_SECONDS,
    metricsPort: settings.METRICS_PORT,
    retention: { webhookDeliveries: settings.RETENTION_WEBHOOK_DAYS, messages: settings.RETENTION_MESSAGE_DAYS },
    chargeConcurrency: settings.CHARGE_CONCURRENCY,
    renewalBatchSize: settings.RENEWAL_BATCH_SIZE,
    requestsPerMinute: settings.RATE_LIMIT,
  };
}

/** Settings of which neither has a meaning without the other. */
const POOLERS: Readonly<Record<"none" | "transaction" | "transaction-prepared", Pooler>> = {
  none: "NONE",
  transaction: "TRANSACTION",
  "transaction-prepared": "TRANSACTION_PREPARED",
};

const pairs = [
  ["SMTP_URL", "MAIL_FROM"],
  ["SMS_URL", "SMS_SECRET"],
  ["MESSENGER_URL", "MESSENGER_SECRET"],
] as const;

/** A replica of the embedded database does not exist. */
const replicaWithoutDatabase = (variables: Environment): string[] =>
  variables["DATABASE_REPLICA_URL"] !== undefined && variables["DATABASE_URL"] === undefined
    ? ["DATABASE_REPLICA_URL needs DATABASE_URL too."]
    : [];

const timeoutBehindPooler = ({ STATEMENT_TIMEOUT_SECONDS, DATABASE_POOLER }: Environment): string[] =>
  STATEMENT_TIMEOUT_SECONDS !== undefined && (DATABASE_POOLER ?? "none") !== "none"
    ? [
        "STATEMENT_TIMEOUT_SECONDS has no effect behind a transaction pooler: set statement_timeout for the role instead.",
      ]
    : [];

const incompletePairs = (variables: Environment): string[] =>
  pairs.flatMap(([first, second]) => {
    if ((variables[first] === undefined) === (variables[second] === undefined)) return [];
    const [present, missing] = variables[first] === undefined ? [second, first] : [first, second];
    return [`${present} needs ${missing} too.`];
  });

const toMailSettings = (url: string | undefined, from: string | undefined): MailSettings | undefined => {
  const server = url === undefined ? undefined : readMailServer(url);
  return server && from !== undefined ? { server, from } : undefined;
};

const toHttpSender = (url: string | undefined, secret: string | undefined): HttpSenderSettings | undefined =>
  url !== undefined && secret !== undefined ? { url, secret } : undefined;

/** A part of a URL without its escapes; a part with a wrong escape stays as it is. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Reads the address of a mail server; undefined for another text. */
function readMailServer(text: string): MailSettings["server"] | undefined {
  const url = parseUrl(text);
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === "" || !/^\/?$/.test(url.pathname)) return undefined;
  if (!/^(?:\?requireTLS=(?:true|false))?$/.test(url.search)) return undefined;
  const secure = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // Without TLS, mails and the password could be read on the way; on this machine there is none.
  const requireTLS = !secure && (url.search === "" ? !isLoopback(url.hostname) : url.search.endsWith("=true"));
  return {
    ...{ host, port: Number(url.port) || (secure ? 465 : 587), secure, requireTLS },
    ...(url.username !== "" && { auth: { user: decode(url.username), pass: decode(url.password) } }),
  };
}

/**
 * Whether the demo vendor's token is usable from outside; checked on the raw settings, so that it is reported with the
 * other errors.
 */
function isDemoExposed({
  HOST = "127.0.0.1",
  DATABASE_URL,
  DEMO_DATA,
  DEMO_SECRET_TOKEN = DEFAULT_DEMO_TOKEN,
}: Environment): boolean {
  const demo = DEMO_DATA === undefined ? DATABASE_URL === undefined : DEMO_DATA.toLowerCase() === "true";
  return demo && DEMO_SECRET_TOKEN === DEFAULT_DEMO_TOKEN && !isLoopback(HOST);
}

/** Whether only this machine can reach the address. */
const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);

/** Whether a path can be put after it. */
function isPlainAddress(text: string): boolean {
  const url = parseUrl(text);
  return url !== undefined && /^https?:$/.test(url.protocol) && url.href === url.origin + url.pathname;
}

/** Whether a text is an IP address, with or without the length of a network's prefix. */
function isNetwork(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const bits = isIP(address) === 4 ? 32 : 128;
  return (
    isIP(address) > 0 &&
    rest.length === 0 &&
    (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits))
  );
}

function readVocabulary(path: string | undefined, problems: string[]): unknown {
  if (path === undefined) return {};
  try {
    return JSON.parse(readFileSync(path, "utf8")) as unknown;
  } catch (error) {
    problems.push(`VOCABULARY_FILE ${path} cannot be read: ${(error as Error).message}.`);
    return {};
  }
}
