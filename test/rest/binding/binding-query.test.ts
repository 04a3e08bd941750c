import { describe, expect, test } from "vitest";
import { createSmallShop } from "../../support/small-rest-routes.ts";

const shop = createSmallShop();

/** The arguments of the list for a query. */
async function asked(query: string, of = shop) {
  const answer = await of.get(`/orders?${query}`);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return of.last();
}

/** The validation errors of a query, each as a path and a code. */
async function faults(query: string, of = shop) {
  const { status, body } = await of.get(`/orders?${query}`);
  expect([status, body.errorCode]).toEqual([400, "INVALID_ARGUMENT"]);
  return body.details.fields.map(({ path, code }: { path: string; code: string }) => [path, code]);
}

describe("a query parameter", () => {
  test("has the default that its route names", async () => {
    expect(await asked("")).toEqual({ page: 0, size: 20, sort: "CREATED_AT", direction: "DESC" });
  });

  test("without a value is absent", async () => {
    const blank = ["page", "size", "sort", "sortDir", "keyword", "type", "status", "startDate"].map(
      (name) => `${name}=`,
    );
    expect(await asked(`${blank.join("&")}&endDate`)).toEqual(await asked(""));
    expect(await asked("size=&size=7&size=")).toMatchObject({ size: 7 });
  });

  test("is read by the type of its variable", async () => {
    expect(
      await asked("page=2&size=1000&sort=paidAmount&sortDir=ASC&keyword=%20a+b%26&type=phone&status=PAID"),
    ).toEqual({
      page: 2,
      size: 1000,
      sort: "PAID_AMOUNT",
      direction: "ASC",
      keyword: " a b&",
      target: "phone",
      status: ["PAID"],
    });
  });

  test.each([
    ["page=-1", "page", "INVALID_VALUE", "page must be from 0 to 2147483647."],
    ["page=2147483648", "page", "INVALID_VALUE", "page must be from 0 to 2147483647."],
    ["size=0", "size", "INVALID_VALUE", "size must be from 1 to 1000."],
    ["size=1001", "size", "INVALID_VALUE", "size must be from 1 to 1000."],
    ["size=1.0", "size", "INVALID_TYPE", "size must be a whole number."],
    ["size=1e2", "size", "INVALID_TYPE", "size must be a whole number."],
    ["sort=CREATED_AT", "sort", "INVALID_VALUE", "sort must be one of createdAt, paidAmount."],
    ["sort=constructor", "sort", "INVALID_VALUE", "sort must be one of createdAt, paidAmount."],
    ["sortDir=desc", "sortDir", "INVALID_VALUE", "sortDir must be one of ASC, DESC."],
    ["type=email", "type", "INVALID_VALUE", "type must be one of orderCode, phone."],
    ["keyword=%00", "keyword", "INVALID_VALUE", "keyword must be well-formed text without NUL characters."],
    ["page=1&page=1", "page", "INVALID_TYPE", "page must be in the query only once."],
  ])("is refused with a sentence: %s", async (query, path, code, message) => {
    const { status, body } = await shop.get(`/orders?${query}`);
    expect([status, body.errorCode]).toEqual([400, "INVALID_ARGUMENT"]);
    expect(body.errorMessage).toContain(message);
    const sentence = expect.stringContaining(message.replace(`${path} `, ""));
    expect(body.details.fields).toEqual([expect.objectContaining({ path, code, message: sentence })]);
  });

  test("is refused together with all other wrong ones", async () => {
    expect(await faults("page=x&size=0&sort=name&startDate=now&status=DONE&keyword=a&keyword=b")).toEqual([
      ["startDate", "INVALID_VALUE"],
      ["page", "INVALID_TYPE"],
      ["size", "INVALID_VALUE"],
      ["sort", "INVALID_VALUE"],
      ["keyword", "INVALID_TYPE"],
      ["status", "INVALID_VALUE"],
    ]);
  });

  test("is refused together with the body", async () => {
    const { body } = await shop.post("/orders?temporary=1", { items: 5 });
    expect(body.details.fields.map(({ path }: { path: string }) => path)).toEqual(["temporary", "items"]);
  });

  test("that is unknown is named", async () => {
    const { status, headers } = await shop.get("/orders?pageNo=1&page=0&from=x");
    expect([status, headers["x-ignored-parameters"]]).toEqual([200, "pageNo; did-you-mean=page, from"]);
  });

  test("that is unknown is named within a bounded header", async () => {
    const query = Array.from({ length: 300 }, (_, index) => `x${index}%0d%0a=${"가".repeat(20)}`).join("&");
    const { status, headers } = await shop.get(`/orders?${query}&status=DONE`);
    const named = String(headers["x-ignored-parameters"]).split(", ");
    // A refusal names the ignored ones as well.
    expect([status, named.length, named[0], named.at(-1)]).toEqual([400, 21, "x0%0D%0A", "..."]);
  });

  test("that is no variable of its own goes into the input", async () => {
    const body = { items: [{ productCode: "product_a" }] };
    expect((await shop.post("/orders?temporary=true", body)).status).toBe(201);
    expect(shop.last()["input"].temporary).toBe(true);
    await shop.post("/orders", body);
    expect(shop.last()["input"]).not.toHaveProperty("temporary");
  });

  test("has only its name from a vocabulary file", async () => {
    const vocabulary = { size: "limit", createdAt: "made", DESC: "DOWN", status: "state", PAID: "SETTLED" };
    const worded = createSmallShop({ vocabulary });
    expect(await asked("limit=5&sort=made&sortDir=DOWN&state=SETTLED&size=7", worded)).toEqual({
      page: 0,
      size: 5,
      sort: "CREATED_AT",
      direction: "DESC",
      status: ["PAID"],
    });
    expect(await asked("", worded)).toMatchObject({ size: 20, sort: "CREATED_AT", direction: "DESC" });
    expect(await faults("sort=createdAt&limit=0&state=PAID", worded)).toEqual([
      ["limit", "INVALID_VALUE"],
      ["sort", "INVALID_VALUE"],
      ["state", "INVALID_VALUE"],
    ]);
    const { pageable, content } = (await worded.get("/orders?limit=1")).body;
    expect(pageable).toMatchObject({ limit: 1, sort: "made", sortDir: "DOWN" });
    expect(content[0]).toMatchObject({ made: "2026-03-01T09:30:00.123", state: "SETTLED" });
  });
});

describe("a time in a query", () => {
  test.each([
    ["2026-03-01T09:30:00.123Z", "2026-03-01T09:30:00.123Z"],
    ["2026-03-01T09:30:00", "2026-03-01T09:30:00.000Z"],
    ["2026-03-01T09:30", "2026-03-01T09:30:00.000Z"],
    ["2026-03-01T09:30:00%2B09:00", "2026-03-01T00:30:00.000Z"],
    ["2026-03-01T09:30:00+09:00", "2026-03-01T00:30:00.000Z"],
    ["2026-03-01T09:30:00%2009:00", "2026-03-01T00:30:00.000Z"],
    ["2026-03-01T09:30:00-05:00", "2026-03-01T14:30:00.000Z"],
  ])("%s is %s at both ends", async (text, instant) => {
    const { from, until } = await asked(`startDate=${text}&endDate=${text}`);
    expect([from, until]).toEqual([new Date(instant), new Date(instant)]);
  });

  test.each([
    ["Asia/Seoul", "2026-03-01", "2026-02-28T15:00:00.000Z", "2026-03-01T14:59:59.999Z"],
    ["UTC", "2024-02-29", "2024-02-29T00:00:00.000Z", "2024-02-29T23:59:59.999Z"],
    ["America/New_York", "2026-03-08", "2026-03-08T05:00:00.000Z", "2026-03-09T03:59:59.999Z"],
    ["America/New_York", "2026-11-01", "2026-11-01T04:00:00.000Z", "2026-11-02T04:59:59.999Z"],
    // Midnight does not exist on the day when the clocks go forward.
    ["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z", "2018-11-05T01:59:59.999Z"],
    // The years that can be written begin and end in UTC.
    ["Asia/Seoul", "0001-01-01", "0001-01-01T00:00:00.000Z", "0001-01-01T15:32:07.999Z"],
    ["America/New_York", "9999-12-31", "9999-12-31T05:00:00.000Z", "9999-12-31T23:59:59.999Z"],
  ])("in %s the day %s is from %s to %s", async (zoneId, day, first, last) => {
    const { from, until } = await asked(`startDate=${day}&endDate=${day}`, createSmallShop({ zoneId }));
    expect([from.toISOString(), until.toISOString()]).toEqual([first, last]);
  });

  test.each([
    "today",
    "2026-02-30",
    "2026-3-1",
    "20260301",
    "2026-03-01 09:30",
    "2026-03-01 09:30:00",
    "2026-03-01T09:30:00 ",
    "2026-03-01T25:00:00",
    "1772357400000",
  ])("that is invalid is refused: %j", async (text) => {
    expect(await faults(`startDate=${encodeURIComponent(text)}`)).toEqual([["startDate", "INVALID_VALUE"]]);
  });

  test("may not end a period before it starts", async () => {
    const { body } = await shop.get("/orders?startDate=2026-03-02&endDate=2026-03-01");
    expect(body.details.fields).toEqual([
      expect.objectContaining({ path: "endDate", code: "INVALID_VALUE", message: "must not be before startDate." }),
    ]);
    expect(await faults("startDate=2026-03-01T00:00:00.001Z&endDate=2026-03-01T00:00:00Z")).toHaveLength(1);
    await asked("startDate=2026-03-01&endDate=2026-03-01");
    await asked("startDate=2026-03-02");
    await asked("endDate=2026-03-01");
  });
});
