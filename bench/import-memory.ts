import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectFile } from "../src/kernel/project-files.ts";

/*
 * `npm run bench:import`: the time and the largest memory of `recoup import`, for files of 10,000 and 100,000 rows and for the
 * second one again, all of whose rows are known then: of customers, and of tries of past payments. DATABASE_URL names a server; by
 * default the embedded one is used.
 */

const folder = await mkdtemp(join(tmpdir(), "recoup-bench-"));
await chmod(folder, 0o755);
const env = { DATA_DIR: folder, ...process.env };
const recoup = projectFile("dist/src/commands/recoup.js");
const { stdout } = await promisify(execFile)(
  process.execPath,
  [recoup, "vendor", "create", "--name", "Bench", "--json"],
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

async function writeRows({ header, toRow }: FileOfKind, name: string, count: number): Promise<string> {
  const file = join(folder, `${name}.csv`);
  const stream = createWriteStream(file);
  stream.write(`${header}\n`);
  for (let index = 0; index < count; index++) if (!stream.write(`${toRow(name, index)}\n`)) await once(stream, "drain");
  stream.end();
  await once(stream, "finish");
  return file;
}

/** Runs an import and reads the largest memory of its process. */
async function measure(title: string, option: string, file: string): Promise<void> {
  const started = performance.now();
  const refused = join(folder, "refused.jsonl");
  const words = ["import", "--vendor", vendor, option, file, "--refused", refused, "--json"];
  const child = spawn(process.execPath, [recoup, ...words], { env, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  let largest = 0;
  const timer = setInterval(() => {
    void readFile(`/proc/${String(child.pid)}/status`, "utf8").then(
      (status) => (largest = Math.max(largest, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)),
      () => undefined,
    );
  }, 200);
  await once(child, "close");
  clearInterval(timer);
  const seconds = (performance.now() - started) / 1000;
  const { created, known, refused: refusedRows } = JSON.parse(output).files[0];
  console.log(
    `${title}: ${seconds.toFixed(0)} s, ${largest.toFixed(0)} MB at most; ${created} created, ${known} known, ${refusedRows} refused`,
  );
}

for (const [noun, kind] of [
  ["customers", customers],
  ["tries", tries],
] as const) {
  const small = await writeRows(kind, `small-${noun}`, 10_000);
  const large = await writeRows(kind, `large-${noun}`, 100_000);
  await measure(`10,000 ${noun}`, kind.option, small);
  await measure(`100,000 ${noun}`, kind.option, large);
  await measure(`100,000 ${noun} again`, kind.option, large);
}
await rm(folder, { recursive: true, force: true });
