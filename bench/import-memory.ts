import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/*
 * `npm run bench:import`: the time and the largest memory of `recoup import`, for files of 10,000 and 100,000 customers and
 * for the second one again, all of whose rows are known then. DATABASE_URL names a server; by default the embedded one is used.
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

async function writeRows(name: string, count: number): Promise<string> {
  const file = join(folder, name);
  const stream = createWriteStream(file);
  stream.write("partnerId,name,email,phone,region,customFields.tier\n");
  for (let index = 0; index < count; index++) {
    const row = `${name}-${index},Customer ${index},customer${index}@example.com,+8210${String(index).padStart(8, "0")},KR,gold\n`;
    if (!stream.write(row)) await once(stream, "drain");
  }
  stream.end();
  await once(stream, "finish");
  return file;
}

/** Runs an import and reads the largest memory of its process. */
async function measure(title: string, file: string): Promise<void> {
  const started = performance.now();
  const refused = join(folder, "refused.jsonl");
  const words = ["import", "--vendor", vendor, "--customers", file, "--refused", refused, "--json"];
  const child = spawn(process.execPath, [program("recoup"), ...words], { env, stdio: ["ignore", "pipe", "inherit"] });
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

const [small, large] = [await writeRows("small.csv", 10_000), await writeRows("large.csv", 100_000)];
await measure("10,000 rows", small);
await measure("100,000 rows", large);
await measure("100,000 rows again", large);
await rm(folder, { recursive: true, force: true });
