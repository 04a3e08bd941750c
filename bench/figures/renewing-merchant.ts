import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import postgres from "postgres";
import { openDatabase } from "../../src/database/client.ts";
import { createRepositories } from "../../src/graphql/repositories.ts";
import { createServices } from "../../src/graphql/services.ts";
import { projectFile } from "../../src/kernel/project-files.ts";
import { SecretVault } from "../../src/kernel/secrets/secret-vault.ts";
import { required } from "../../src/kernel/required-values.ts";
import { openBenchStore } from "../support/bench-store.ts";
import { DECLINED_KEY, startTossStandIn } from "./toss-stand-in.ts";

/** A merchant whose subscriptions are all due for renewal, at a stand-in of Toss Payments. */
export interface RenewingMerchant {
  databaseUrl: string;
  /** The address of the same database for a superuser. */
  superuserUrl: string;
  sql: postgres.Sql;
  /** The number of orders that the payment gateway charged more than once. */
  countChargedTwice(): number;
  /** Starts a worker in a process of its own. @returns what stops it. */
  launchWorker(): () => Promise<void>;
  close(): Promise<void>;
}

/** The subscriptions of a merchant, and its payment gateway. */
export interface RenewalTerms {
  subscriptions: number;
  /** The time in which the payment gateway answers. */
  gatewayMs: number;
  /** One renewal of so many is declined; none if it is left out. */
  declinedEvery?: number | undefined;
}

/** Imports subscriptions with billing keys, as a merchant does, and moves the merchant's clock past their next payment. */
export async function openRenewingMerchant(terms: RenewalTerms): Promise<RenewingMerchant> {
  const { store, superuserUrl, remove } = await openBenchStore();
  const secretsKey = randomBytes(32);
  const toss = await startTossStandIn(terms.gatewayMs);
  const environment = {
    ...process.env,
    DATABASE_URL: store.url,
    SECRETS_KEY: secretsKey.toString("base64"),
    TOSS_API_URL: toss.url,
    ROLE: "worker",
    LOG_LEVEL: "error",
  };
  const sql = postgres(store.url, { max: 1, onnotice: () => undefined });
  const vendorUuid = await createMerchant(store.url, new SecretVault([secretsKey]));
  await importSubscriptions(vendorUuid, environment, terms);
  await numberImportedEvents(store.url, vendorUuid);
  await sql`analyze`;
  await sql`update vendors set clock_ahead_ms = ${2 * 86_400_000}`;
  return {
    databaseUrl: store.url,
    superuserUrl,
    sql,
    countChargedTwice: toss.countChargedTwice,
    launchWorker: () => {
      const worker = spawn(process.execPath, [projectFile("dist/src/main.js")], {
        env: environment,
        stdio: ["ignore", "ignore", "inherit"],
      });
      process.once("exit", () => worker.kill());
      return async () => {
        const exited = new Promise((resolve) => worker.once("exit", resolve));
        worker.kill("SIGTERM");
        await exited;
      };
    },
    close: async () => {
      await sql.end();
      await toss.close();
      await remove();
    },
  };
}

/** Numbers the events of the import, which are none of a renewal. */
async function numberImportedEvents(url: string, vendorUuid: string): Promise<void> {
  const database = openDatabase({ url });
  try {
    const vendor = required(await createRepositories(database.handle).vendors.byUuid(vendorUuid), "the vendor");
    const numberNext = () =>
      database.transaction((handle) =>
        createServices(handle, new Date(), {}).eventSequences.numberEvents(vendor.id, 500),
      );
    while ((await numberNext()).length > 0);
  } finally {
    await database.close();
  }
}

async function createMerchant(url: string, vault: SecretVault): Promise<string> {
  const database = openDatabase({ url });
  try {
    return await database.transaction(async (handle) => {
      const { vendors, gatewayAccounts } = createServices(handle, new Date(), { vault });
      const terms = { name: "Bench", zoneId: "Asia/Seoul", currency: "KRW", country: "KR", sandbox: true };
      const id = await vendors.createVendor(terms);
      await gatewayAccounts.configure(
        { id, sandbox: true },
        { gateway: "PROVIDER_02", adapter: "TOSS", credentials: "test_sk_bench0123456789" },
      );
      return required(await createRepositories(handle).vendors.byId(id), "the vendor").uuid;
    });
  } finally {
    await database.close();
  }
}

/** Imports a customer, a stored method and a subscription for each renewal, due tomorrow. */
async function importSubscriptions(
  vendorUuid: string,
  environment: NodeJS.ProcessEnv,
  { subscriptions, declinedEvery }: RenewalTerms,
): Promise<void> {
  const numbers = Array.from({ length: subscriptions }, (_, index) => index);
  const now = Date.now();
  const nextPaymentDate = new Date(now + 86_400_000).toISOString();
  const rowsByOption = {
    "--customers": numbers.map((number) => ({
      ...{ partnerId: `c${number}`, name: `Customer ${number}`, email: `customer${number}@example.com` },
      phone: `010${String(number).padStart(8, "0")}`,
    })),
    "--products": [{ partnerId: "journal", type: "SOFTWARE", name: "Journal" }],
    "--price-plans": [
      {
        ...{ partnerId: "monthly", productId: "journal", type: "FLAT", price: "10000" },
        ...{ plan: { name: "Monthly" }, recurring: { interval: "MONTH" } },
      },
    ],
    "--payment-methods": numbers.map((number) => ({
      ...{
        partnerId: `m${number}`,
        customerId: `c${number}`,
        paymentGateway: "PROVIDER_02",
        paymentMethod: "CARD_BILL",
      },
      gatewayCustomerId: `customer${number}`,
      gatewayMethodId: `${declinedEvery !== undefined && number % declinedEvery === 0 ? DECLINED_KEY : "approved"}${number}`,
    })),
    "--subscriptions": numbers.map((number) => ({
      ...{ partnerId: `s${number}`, customerId: `c${number}`, priceId: "monthly", paymentMethodId: `m${number}` },
      nextPaymentDate,
    })),
  };
  const folder = await mkdtemp(join(tmpdir(), "recoup-rows-"));
  const words = ["import", "--vendor", vendorUuid, "--switch-over", new Date(now + 60_000).toISOString()];
  words.push("--refused", join(folder, "refused.jsonl"));
  for (const [option, rows] of Object.entries(rowsByOption)) {
    const file = join(folder, `${option.slice(2)}.jsonl`);
    await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    words.push(option, file);
  }
  const recoup = projectFile("dist/src/commands/recoup.js");
  await promisify(execFile)(process.execPath, [recoup, ...words, "--json"], { env: environment });
  await rm(folder, { recursive: true });
}
