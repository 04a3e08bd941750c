import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readFailures } from "../../../src/recovery/report/failures-csv.ts";

const NOW = new Date("2026-11-23T00:00:00Z");
const HEADER =
  "payment_id,payer_id,time,amount,currency,country,time_zone,gateway,network,code,message,advice_code,approved";
const GOOD = 'p1,a,2026-03-01T09:30:00+09:00,19.99,USD,US,America/New_York,PROVIDER_1,VISA,51,"No, funds",,false';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recoup-csv-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(...lines: string[]) {
  const file = join(folder, "failures.csv");
  await writeFile(file, lines.join("\r\n"));
  return readFailures(file, NOW);
}

test("rows in any order become payments with their tries in order of time", async () => {
  const later = "p1,a,2026-03-04T00:30:00Z,19.990,usd,us,America/New_York,PROVIDER_1,,,,,YES";
  const file = await read(`\uFEFF${HEADER}`, later, GOOD, "");
  expect(file).toMatchObject({ rows: 2, errorCount: 0, neverFailed: 0 });
  expect(file.payments).toMatchObject([
    {
      ...{ id: "p1", payerId: "a", currency: "USD", country: "US", gatewayName: "PROVIDER_1" },
      tries: [
        { at: new Date("2026-03-01T00:30:00Z"), approved: false, code: "51", message: "No, funds", network: "VISA" },
        { at: new Date("2026-03-04T00:30:00Z"), approved: true, code: null },
      ],
    },
  ]);
});

test("each bad row is an error with its line and column, and is left out", async () => {
  const bad = (fields: Record<number, string>) =>
    ["p2", "b", "2026-03-01T09:30:00Z", "10", "USD", "US", "UTC", "", "", "", "", "", "false"]
      .map((value, index) => fields[index] ?? value)
      .join(",");
  const file = await read(
    HEADER,
    GOOD,
    bad({ 2: "2026-03-01T09:30:00" }),
    bad({ 2: "2027-03-01T09:30:00Z" }),
    bad({ 2: "1926-03-01T09:30:00Z" }),
    bad({ 3: "NaN" }),
    bad({ 3: "-1" }),
    bad({ 4: "US Dollar" }),
    bad({ 6: "Mars/Olympus" }),
    bad({ 8: "DINERS" }),
    bad({ 12: "maybe" }),
    bad({ 0: "" }),
    GOOD,
    GOOD.replace("19.99", "20").replace("T09", "T10"),
    "p3",
    GOOD.replace("America/New_York", "Asia/Seoul").replace("T09", "T10"),
  );
  expect(file.payments).toHaveLength(1);
  expect(file.errors).toEqual([
    "line 3: time must be a date and time with an offset, such as 2026-03-01T09:30:00+09:00 or …Z.",
    "line 4: time must not be in the future.",
    "line 5: time must not be before the year 2000.",
    "line 6: amount must be a number above zero, such as 19.99.",
    "line 7: amount must be a number above zero, such as 19.99.",
    "line 8: currency must be three letters, such as USD.",
    "line 9: time_zone must be a zone such as America/New_York.",
    "line 10: network must be empty or one of VISA, MASTERCARD, AMEX, OTHER, SEPA, ACH.",
    "line 11: approved must be true or false.",
    "line 12: payment_id must not be empty.",
    "line 13: time must not be that of another try of the same payment.",
    "line 14: amount must be the same in all rows of a payment.",
    "line 15: currency must be three letters, such as USD.",
    "line 16: time_zone must be the same in all rows of a payment.",
  ]);
  expect(file.errorCount).toBe(14);
});

test("a currency and a country that nobody has seen, and a code that says nothing, are read as they are", async () => {
  const odd = GOOD.replace("USD,US,", "QQQ,ZZ,").replace(',51,"No, funds"', ",declined,declined");
  expect(await read(HEADER, odd)).toMatchObject({
    ...{ errorCount: 0, payments: [{ currency: "QQQ", country: "ZZ", tries: [{ code: "declined" }] }] },
  });
});

test("a try after the approved one is an error, and a payment that never failed is left out", async () => {
  const paid = GOOD.replace("false", "true").replace("T09", "T10");
  const file = await read(HEADER, GOOD, paid, GOOD.replace("T09", "T11"), paid.replace("p1", "p2"));
  expect(file).toMatchObject({ neverFailed: 1, errorCount: 1 });
  expect(file.errors).toEqual(["payment p1: time 2026-03-01T02:30:00.000Z is after the approved try."]);
  expect(file.payments.map(({ tries }) => tries.length)).toEqual([2]);
});

test("a file without a usable payment, header or content is refused in words", async () => {
  await expect(read("")).rejects.toThrow("The file has no failed payment that can be used.");
  await expect(read("payment_id,time\np1,now")).rejects.toThrow(
    "missing: payer_id, amount, currency, time_zone, approved",
  );
  await expect(read(HEADER, GOOD.replace("19.99", "free"))).rejects.toThrow("line 2: amount must be");
  await expect(read(HEADER, `"p1`)).rejects.toThrow("The file cannot be read: ");
  await expect(readFailures(join(folder, "none.csv"), NOW)).rejects.toThrow("The file cannot be read: ENOENT");
});
