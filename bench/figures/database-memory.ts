import { readdir, readFile } from "node:fs/promises";
import postgres from "postgres";
import { openDatabase } from "../../src/database/client.ts";
import { projectFile } from "../../src/kernel/project-files.ts";
import { required } from "../../src/kernel/required-values.ts";
import { openBenchStore } from "../support/bench-store.ts";
import { startMeasuredProcess } from "../support/measured-process.ts";
import { seedOrders } from "../support/orders-seed.ts";
import { addVendors, createToken } from "../support/vendor-seed.ts";

/** The memory of all processes of PostgreSQL in megabytes: before, after documents that come once, and after each came three more times. */
export interface DatabaseMemory {
  documents: number;
  before: number;
  afterOnce: number;
  afterRepeats: number;
}

const DOCUMENTS = 2_500;
const CONCURRENT = 8;

/** Sends different documents for a page of orders: the gateway reads each by a statement of its own. */
export async function measureDatabaseMemory(): Promise<DatabaseMemory> {
  const { store, remove } = await openBenchStore();
  const { token, serverPid } = await seed(store.url);
  const environment = { DATABASE_URL: store.url, PORT: "0", LOG_LEVEL: "warn", RATE_LIMIT: "0" };
  const gateway = await startMeasuredProcess([projectFile("dist/src/main.js")], environment);
  const sendAll = async (first: number, count: number, times = 1): Promise<void> => {
    let next = first;
    const sendNext = async (): Promise<void> => {
      while (next < first + count) {
        const document = documentOf(next++);
        for (let time = 0; time < times; time++) await send(gateway.address, token, document);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT }, sendNext));
  };
  try {
    // Connections that have read a page already have the system's catalogue in memory.
    await sendAll(DOCUMENTS, 100);
    const before = await memoryOf(serverPid);
    await sendAll(0, DOCUMENTS);
    const afterOnce = await memoryOf(serverPid);
    await sendAll(0, DOCUMENTS, 3);
    return { documents: DOCUMENTS, before, afterOnce, afterRepeats: await memoryOf(serverPid) };
  } finally {
    await gateway.stop();
    await remove();
  }
}

const LEAVES = ["code", "type", "productName", "currency", "paidAmount", "returnedAmount", "createdAt"];
const CUSTOMER_LEAVES = ["code", "name", "email"];
const PRODUCT_LEAVES = ["code", "name"];

/** The document of a number: its bits say which fields are selected. */
function documentOf(number: number): string {
  let bits = number;
  const takeLeaves = (leaves: readonly string[]): string =>
    leaves
      .filter(() => {
        const isTaken = bits & 1;
        bits >>= 1;
        return isTaken;
      })
      .join(" ");
  return `{ orders(first: 5) { nodes { databaseId ${takeLeaves(LEAVES)} customer { databaseId ${takeLeaves(CUSTOMER_LEAVES)} }
    items { databaseId quantity amount price { databaseId price } product { databaseId ${takeLeaves(PRODUCT_LEAVES)} } } } } }`;
}

async function send(address: string, token: string, query: string): Promise<void> {
  const answer = await fetch(`${address}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", "secret-token": token },
    body: JSON.stringify({ query }),
  });
  const text = await answer.text();
  if (!answer.ok || text.includes('"errors"')) throw new Error(`A document was refused: ${text.slice(0, 300)}`);
}

/** A vendor with some orders, and the process of the server that has all others. */
async function seed(url: string): Promise<{ token: string; serverPid: string }> {
  const database = openDatabase({ url });
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    const vendorIds = await addVendors(database, 1);
    await seedOrders(sql, { vendorIds, ordersEach: 100, lines: 3, customersEach: 100, productsEach: 20 });
    const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const serverPid = await parentOf(String(required(backend, "the server").pid));
    return { token: await createToken(database, required(vendorIds[0], "the vendor")), serverPid };
  } finally {
    await sql.end();
    await database.close();
  }
}

async function parentOf(pid: string): Promise<string> {
  return required(/PPid:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1], "the parent");
}

/** The proportional memory of a server's processes: what they share counts once. */
async function memoryOf(serverPid: string): Promise<number> {
  let kilobytes = 0;
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name)))
    try {
      if (pid !== serverPid && (await parentOf(pid)) !== serverPid) continue;
      const memory = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(memory)?.[1]);
    } catch (error) {
      // A process that ended in between.
      if (!["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  return Math.round(kilobytes / 1024);
}
