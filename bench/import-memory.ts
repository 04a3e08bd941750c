import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/*
 * `npm run bench:import`: the time and the largest memory of `recoup import`, for files of 10,000 and 100,000 rows and for the
 * second one again, all of whose rows are known then: of customers, their stored methods and subscriptions, and of tries of past
 * payments. `npm run bench:import -- 100000 customers methods` measures some files of one size only. DATABASE_URL names a server;
 * by default the embedded one is used.
 */

const folder = await mkdtemp(join(tmpdir(), "recoup-bench-"));
await chmod(folder, 0o755);
const env = { DATA_DIR: folder, ...process.env };
const program = (name: string) => join(import.meta.dirname, `../src/commands/${name}.js`);
const { stdout } = await promisify(execFile)(
  process.execPath,
  [program("vendor-create"), "--name", "Bench", "--json"],
  { env },
);
const { vendor } = JSON.parse(stdout) as { vendor: string };

/** A kind of file: its option, its first line, and a row of it. */
interface FileOfKind {
  option: string;
  header: string;
  toRow: (name: string, index: number) => string;
}

const customers: FileOfKind = {
  option: "--customers",
  header: "partnerId,name,email,phone,region,customFields.tier",
  toRow: (name, index) =>
    `${name}-${index},Customer ${index},customer${index}@example.com,+8210${String(index).padStart(8, "0")},KR,gold`,
};

const methods: FileOfKind = {
  option: "--payment-methods",
  header: "partnerId,customerId,paymentGateway,paymentMethod,gatewayCustomerId,gatewayMethodId,network,paymentInfo",
  toRow: (name, index) =>
    `${name}-${index},${name}-${index},HOUSE,CARD_BILL,cus_${name}${index},pm_${name}${index},VISA,VISA ****4242`,
};

const subscriptions: FileOfKind = {
  option: "--subscriptions",
  header: "partnerId,customerId,priceId,paymentMethodId,nextPaymentDate,chargedCount",
  toRow: (name, index) =>
    `${name}-${index},${name}-${index},MONTHLY,${name}-${index},${nextPaymentDates[index % nextPaymentDates.length] ?? ""},12`,
};

const nextMonth = new Date(Date.now() + 40 * 86_400_000);
const nextPaymentDates = Array.from({ length: 28 }, (_, day) =>
  new Date(Date.UTC(nextMonth.getUTCFullYear(), nextMonth.getUTCMonth(), day + 1, 3)).toISOString(),
);

const products: FileOfKind = {
  option: "--products",
  header: "partnerId,type,name",
  toRow: () => "COFFEE,BOX,Coffee",
};

const plans: FileOfKind = {
  option: "--price-plans",
  header: "partnerId,productId,type,price,plan.name,recurring.interval",
  toRow: () => "MONTHLY,COFFEE,FLAT,18900,Every month,MONTH",
};

/** Payments with four tries, a third of them recovered by the last one. */
const tries: FileOfKind = {
  option: "--failed-payments",
  header:
    "payment_id,payer_id,time,amount,currency,country,time_zone,gateway,network,code,message,advice_code,approved",
  toRow: (name, index) => {
    const payment = index >> 2;
    const at = new Date(Date.UTC(2026, 0, 1 + (index % 4) * 3, payment % 24, payment % 60));
    const isApproved = index % 4 === 3 && payment % 3 === 0;
    const decline = isApproved ? ",," : "51,Insufficient funds,";
    return `${name}-${payment},payer-${payment % 5000},${at.toISOString()},19900,KRW,KR,Asia/Seoul,HOUSE,VISA,${decline},${String(isApproved)}`;
  },
};

/** Writes a file whose ids begin with a name. */
async function writeRows({ header, toRow }: FileOfKind, name: string, count: number, noun = ""): Promise<string> {
  const file = join(folder, `${noun}${name}.csv`);
  const stream = createWriteStream(file);
  stream.write(`${header}\n`);
  for (let index = 0; index < count; index++) if (!stream.write(`${toRow(name, index)}\n`)) await once(stream, "drain");
  stream.end();
  await once(stream, "finish");
  return file;
}

/** Runs an import. @returns the counts of its file. */
async function runImport(option: string, file: string, onStart: (pid: number) => void = () => undefined) {
  const refused = join(folder, "refused.jsonl");
  const words = ["import", "--vendor", vendor, option, file, "--refused", refused, "--json"];
  if (option === subscriptions.option) words.push("--switch-over", new Date().toISOString());
  const child = spawn(process.execPath, [program("recoup"), ...words], { env, stdio: ["ignore", "pipe", "inherit"] });
  if (child.pid !== undefined) onStart(child.pid);
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await once(child, "close");
  return (JSON.parse(output) as { files: { created: number; known: number; refused: number }[] }).files[0]!;
}

/** Runs an import and prints its time and the largest memory of its process. */
async function measure(title: string, option: string, file: string): Promise<void> {
  const started = performance.now();
  let largest = 0;
  let timer: NodeJS.Timeout | undefined;
  const { created, known, refused } = await runImport(option, file, (pid) => {
    timer = setInterval(() => {
      void readFile(`/proc/${String(pid)}/status`, "utf8").then(
        (status) => (largest = Math.max(largest, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)),
        () => undefined,
      );
    }, 200);
  });
  clearInterval(timer);
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `${title}: ${seconds.toFixed(0)} s, ${largest.toFixed(0)} MB at most; ${created} created, ${known} known, ${refused} refused`,
  );
}

const kinds = { customers, methods, subscriptions, tries };
type Noun = keyof typeof kinds;
const words = process.argv.slice(2);
const sizes = words.map(Number).filter(Number.isSafeInteger);
const nouns = words.filter((word): word is Noun => Object.hasOwn(kinds, word));

for (const kind of [products, plans]) await runImport(kind.option, await writeRows(kind, kind.option.slice(2), 1));
for (const count of sizes.length > 0 ? sizes : [10_000, 100_000])
  for (const noun of nouns.length > 0 ? nouns : (Object.keys(kinds) as Noun[])) {
    const { option } = kinds[noun];
    const file = await writeRows(kinds[noun], String(count), count, noun);
    await measure(`${count} ${noun}`, option, file);
    if (count > 10_000) await measure(`${count} ${noun} again`, option, file);
  }
await rm(folder, { recursive: true, force: true });
