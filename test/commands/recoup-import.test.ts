import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { ImportCounts } from "../../src/import/import-run.ts";
import type { RowRefusal } from "../../src/import/import.refusal.ts";
import { projectFile } from "../../src/kernel/project-files.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { NOBODY, startCommands } from "./command-gateway.ts";
import { faultsOf } from "./command-line.ts";

const { gateway, settings, newVendor, recoup } = await startCommands();

/** A folder with files, which is removed after the test. */
async function folderOf(files: Record<string, string | Buffer>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "recoup-import-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

/** Imports files of a folder. Options are the names of the files without their endings. */
async function importFrom(folder: string, vendor: string, names: string[], ...words: string[]) {
  const files = names.flatMap((name) => [`--${name.replace(/[.].*/, "")}`, join(folder, name)]);
  const refused = join(folder, "refused.jsonl");
  const ended = await recoup("import", "--vendor", vendor, ...files, "--refused", refused, "--json", ...words);
  expect(ended.err).toBe("");
  const reasons = (await readFile(refused, "utf8")).split("\n").filter((line) => line !== "");
  const { files: counts } = JSON.parse(ended.out) as { files: ImportCounts[] };
  return {
    code: ended.code,
    counts: counts.map(({ created, known, refused: refusedRows }) => [created, known, refusedRows]),
    reasons: reasons.map((line) => JSON.parse(line) as RowRefusal),
  };
}

async function countCustomers(token: string): Promise<number> {
  const { data } = await gateway.sendGraphQL("{ customers(first: 1) { totalCount } }", {}, { token });
  return data!.customers.totalCount;
}

test("recoup import imports the example files of docs/import.md, and finds their rows when it is run again", async () => {
  const { vendor, token } = await newVendor();
  const { errors } = await gateway.sendGraphQL(
    "mutation ($input: ConfigurePaymentGatewayInput!) { configurePaymentGateway(input: $input) { account { databaseId } } }",
    { input: { paymentGateway: "HOUSE" } },
    { token },
  );
  expect(errors).toBeUndefined();
  const folder = await folderOf({});
  const page = await readFile(projectFile("docs/import.md"), "utf8");
  const [, command] = /^npm run -s recoup -- (import [^]*?[^\\])$/m.exec(page)!;
  const words = command!
    .replaceAll("\\\n", " ")
    .split(/\s+/)
    .filter((word) => word !== "--dry-run")
    .map((word) => (word === "$VENDOR" ? vendor : word));
  const run = (...more: string[]) => recoup(...words, "--refused", join(folder, "refused.jsonl"), ...more);

  expect(await run("--dry-run")).toEqual({
    code: 0,
    err: "",
    out: expect.stringMatching(
      /^kind\twouldBeCreated\tknown\trefused\tchargeable\tfile\nCUSTOMER\t3\t0\t0\t-\tcustomers.csv\n/,
    ),
  });
  expect(await countCustomers(token)).toBe(0);
  expect(await run()).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /\nPAYMENT_METHOD\t2\t0\t0\t2\tpayment-methods.csv\nSUBSCRIPTION\t2\t0\t0\t2\tsubscriptions.csv\nPAST_TRY\t5\t0\t0\t-\tfailed-payments.csv\nfirst charge by Recoup: 2031-03-30T15:00:00.000Z\na training of the recovery model was requested\nimported\n$/,
    ),
  });
  expect(await run()).toMatchObject({ code: 0, out: expect.stringMatching(/\nCUSTOMER\t0\t3\t0\t-\tcustomers.csv\n/) });

  const { data } = await gateway.sendGraphQL(
    `{ customers(first: 9, orderBy: { field: NAME, direction: ASC }) { nodes { name phone marketingEmail customFields shipping { address1 } } }
       products(first: 9) { nodes { name categories { name } prices { price currencyPrice plan { name } } } } }`,
    {},
    { token },
  );
  expect(data!.customers.nodes).toEqual([
    {
      ...{ name: "Kim Minji", phone: "+821012345678", marketingEmail: true, customFields: { tier: "gold" } },
      shipping: { address1: "110 Sejong-daero, Jung-gu" },
    },
    { name: "Lee Jun", phone: "01022223333", marketingEmail: false, customFields: {}, shipping: null },
    {
      ...{ name: 'Park "PJ" Jisoo', phone: "01044445555", marketingEmail: false, customFields: { tier: "silver" } },
      shipping: null,
    },
  ]);
  expect(data!.products.nodes).toHaveLength(2);
});

const HEADER = "partnerId,name,email,phone";

test("recoup import refuses bad rows with line, field, code and what to do, and imports the others", async () => {
  const { vendor, token } = await newVendor();
  const folder = await folderOf({
    "customers.csv": Buffer.concat([
      Buffer.from(`\ufeff${HEADER},username\n`),
      Buffer.from("1,Anna,anna@example.com,1,anna\n"),
      Buffer.from("2,Bj\xf6rn,b@example.com,1,\n", "latin1"),
      Buffer.from('3,"Carl,c@example.com,1,\n'),
      Buffer.from(`4,${"x".repeat(10_000_000)},d@example.com,1,\n`),
      Buffer.from("5,Eve,no address,,\n"),
      Buffer.from("1,Anna,other@example.com,1,\n"),
      Buffer.from("6,Fred,f@example.com,1\n"),
      Buffer.from("7,Gina,g@example.com,1,anna\n"),
      Buffer.from('8,5" disk,h@example.com,1,\n'),
      Buffer.from("9,Ida,i@example.com,1,\n"),
    ]),
    "products.jsonl": [
      '{"partnerId":"P","type":"SOFTWARE","name":"App"}',
      '{"partnerId":"Q","type":"SOFTWARE","name":"App","colour":"red"}',
      '["R"]',
      '{"partnerId":"S"',
      '{"partnerId":"B","type":"BUNDLE","name":"Both","combinedProductIds":["P","Z"]}',
    ].join("\n"),
    "price-plans.csv": [
      "partnerId,productId,type,price,currency,plan.name,recurring.interval",
      "M,P,FLAT,100,KRW,Monthly,MONTH",
      "N,P,FLAT,100,USD,Monthly,MONTH",
      "O,gone,FLAT,100,,Monthly,MONTH",
      "T,P,FLAT,100,,Never,",
    ].join("\n"),
  });
  const names = ["customers.csv", "products.jsonl", "price-plans.csv"];
  const { code, counts, reasons } = await importFrom(folder, vendor, names);
  expect(code).toBe(1);
  expect(counts).toEqual([
    [2, 0, 8],
    [1, 0, 4],
    [1, 0, 3],
  ]);
  expect(
    reasons.map(({ file, line, partnerId, code, field }) => [file, line, partnerId, code, field].join(" ")),
  ).toEqual([
    "customers.csv 3  ENCODING_NOT_UTF8 ",
    "customers.csv 4  QUOTES_NOT_CLOSED ",
    "customers.csv 5  LINE_TOO_LONG ",
    "customers.csv 6 5 INVALID_ARGUMENT email",
    "customers.csv 6 5 INVALID_ARGUMENT phone",
    "customers.csv 7 1 PARTNER_ID_TAKEN partnerId",
    "customers.csv 8  LINE_NOT_READABLE ",
    "customers.csv 9 7 ALREADY_TAKEN username",
    "customers.csv 10  QUOTES_NOT_CLOSED ",
    "products.jsonl 2 Q INVALID_ARGUMENT colour",
    "products.jsonl 3  LINE_NOT_READABLE ",
    "products.jsonl 4  LINE_NOT_READABLE ",
    "products.jsonl 5 B PARENT_NOT_IMPORTED combinedProductIds[1]",
    "price-plans.csv 3 N CURRENCY_MISMATCH currency",
    "price-plans.csv 4 O PARENT_NOT_IMPORTED productId",
    "price-plans.csv 5 T INVALID_ARGUMENT recurring",
  ]);
  for (const { message, whatToDo } of reasons)
    expect([message, whatToDo].join(" ")).toMatch(/^[A-Z`].*[.] [A-Z].*[.]$/);
  expect(await countCustomers(token)).toBe(2);

  // A corrected file is imported by itself; what was imported stays.
  const corrected = await folderOf({ "customers.csv": `${HEADER}\n3,Carl,c@example.com,1\n9,Ida,i@example.com,1\n` });
  expect(await importFrom(corrected, vendor, ["customers.csv"])).toEqual({ code: 0, counts: [[1, 1, 0]], reasons: [] });
});

test("recoup import refuses a file whose first line names an unknown column", async () => {
  const { vendor } = await newVendor();
  const folder = await folderOf({ "customers.csv": `${HEADER},telephone,name\n1,Anna,a@example.com,1,2,3\n` });
  const { counts, reasons } = await importFrom(folder, vendor, ["customers.csv"]);
  expect(counts).toEqual([[0, 0, 1]]);
  expect(reasons.map(({ line, code, field }) => [line, code, field])).toEqual([
    [1, "COLUMN_UNKNOWN", "telephone"],
    [1, "COLUMN_REPEATED", "name"],
  ]);
});

test("recoup import does not find another vendor's records", async () => {
  const [owner, other] = [await newVendor(), await newVendor()];
  const product = { "products.csv": "partnerId,type,name\nP,SOFTWARE,App\n" };
  const plan = {
    "price-plans.jsonl": '{"partnerId":"M","productId":"P","type":"ONE_TIME","price":1,"plan":{"name":"A"}}\n',
  };
  const folder = await folderOf({ ...product, ...plan });
  expect(await importFrom(folder, owner.vendor, ["products.csv"])).toMatchObject({ code: 0, counts: [[1, 0, 0]] });
  const { reasons } = await importFrom(folder, other.vendor, ["price-plans.jsonl"]);
  expect(reasons).toMatchObject([{ code: "PARENT_NOT_IMPORTED", field: "productId", partnerId: "M" }]);
  // The same ids are free at each vendor.
  const names = ["products.csv", "price-plans.jsonl"];
  expect((await importFrom(folder, other.vendor, names)).counts).toEqual([
    [1, 0, 0],
    [1, 0, 0],
  ]);
});

test("recoup import creates each record once when it is killed in the middle and run again", async () => {
  const { vendor, token } = await newVendor();
  const rows = Array.from({ length: 3000 }, (_, index) => `${index},Name ${index},n${index}@example.com,${index + 1}`);
  const folder = await folderOf({ "customers.csv": [HEADER, ...rows].join("\n") });
  const words = ["import", "--vendor", vendor, "--customers", join(folder, "customers.csv")];
  const killed = spawn(process.execPath, [projectFile("dist/src/commands/recoup.js"), ...words], {
    env: { PATH: process.env["PATH"], INIT_CWD: folder, ...settings },
    stdio: "ignore",
  });
  await vi.waitFor(async () => expect(await countCustomers(token)).toBeGreaterThan(300), {
    timeout: 40_000,
    interval: 20,
  });
  killed.kill("SIGKILL");
  await once(killed, "exit");
  const before = await countCustomers(token);
  expect(before).toBeLessThan(3000);

  const { counts } = await importFrom(folder, vendor, ["customers.csv"]);
  expect(counts).toEqual([[3000 - before, before, 0]]);
  expect(await countCustomers(token)).toBe(3000);
});

test("recoup import adds each try of past failed payments once when it is killed in the middle and run again", async () => {
  const { vendor, token } = await newVendor();
  const header = "payment_id,payer_id,time,amount,currency,time_zone,approved,code";
  const rows = Array.from({ length: 20_000 }, (_, index) => {
    const day = String((index % 4) + 1).padStart(2, "0");
    return `P${index >> 2},payer-${index >> 2},2026-01-${day}T09:00:00Z,10,USD,UTC,${String(index % 4 === 3)},51`;
  });
  const folder = await folderOf({ "failed-payments.csv": [header, ...rows].join("\n") });
  const words = ["import", "--vendor", vendor, "--failed-payments", join(folder, "failed-payments.csv")];
  const countTries = async (): Promise<number> => {
    const [row] = await queryRows<{ count: number }>(
      gateway,
      `select coalesce(sum(jsonb_array_length(p.tries)), 0)::int as count
        from past_payments p join vendors v on v.id = p.vendor_id where v.uuid = '${vendor}'`,
    );
    return row!.count;
  };
  const killed = spawn(process.execPath, [projectFile("dist/src/commands/recoup.js"), ...words], {
    env: { PATH: process.env["PATH"], INIT_CWD: folder, ...settings },
    stdio: "ignore",
  });
  await vi.waitFor(async () => expect(await countTries()).toBeGreaterThan(400), { timeout: 40_000, interval: 10 });
  killed.kill("SIGKILL");
  await once(killed, "exit");
  const before = await countTries();
  expect(before).toBeLessThan(20_000);

  const { counts, code } = await importFrom(folder, vendor, ["failed-payments.csv"]);
  expect([code, counts]).toEqual([0, [[20_000 - before, before, 0]]]);
  expect(await countTries()).toBe(20_000);
  const { data } = await gateway.sendGraphQL("{ recoveryTrainings(first: 9) { totalCount } }", {}, { token });
  expect(data!.recoveryTrainings.totalCount).toBe(1);
});

test("recoup import names wrong arguments", async () => {
  expect(faultsOf(await recoup("import"))).toEqual([
    "--vendor is missing.",
    "At least one file is required: --customers, --products, --price-plans, --payment-methods, --subscriptions, --failed-payments.",
  ]);
  expect(faultsOf(await recoup("import", "--vendor", NOBODY, "--customers", "a.txt", "--sheep", "1"))).toEqual([
    "There is no option --sheep.",
    "--customers must be a file whose name ends with .csv or .jsonl.",
    "--customers: the file cannot be read.",
  ]);
  const file = projectFile("docs/examples/import/customers.csv");
  const folder = await folderOf({});
  const words = ["--vendor", NOBODY, "--customers", file, "--refused", join(folder, "r.jsonl")];
  expect(faultsOf(await recoup("import", ...words))).toEqual(["--vendor: there is no vendor with this uuid."]);
  expect(faultsOf(await recoup("import", "--vendor", NOBODY, "--customers", file, "--refused", file))).toEqual([
    "--refused must not be the file of --customers, which it would replace.",
  ]);
  const { vendor } = await newVendor();
  const unwritable = join(folder, "missing", "r.jsonl");
  const ended = await recoup("import", "--vendor", vendor, "--customers", file, "--refused", unwritable);
  expect(ended).toMatchObject({ code: 2, out: "" });
  expect(faultsOf(ended)).toEqual(["--refused: the file cannot be written (ENOENT)."]);
});
