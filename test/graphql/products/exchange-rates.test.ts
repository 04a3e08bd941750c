import { describe, expect, test } from "vitest";
import { startGateway } from "../../support/test-gateway.ts";
import { refusalCodeOf, errorPathsOf, setExchangeRate } from "../../support/vendor-queries.ts";

const gateway = await startGateway();

describe("exchange rates", () => {
  test("are set one by one, and listed by currency", async () => {
    const vendor = await gateway.openVendor();
    const modifiedAt = "2026-03-01T09:30:00.000Z";
    await setExchangeRate(gateway, "USD", "0.00072", vendor);
    await setExchangeRate(gateway, "JPY", 0.11, vendor);
    const again = await setExchangeRate(gateway, "USD", "0.000715", vendor);
    const rates = [
      { currency: "JPY", rate: "0.11", modifiedAt },
      { currency: "USD", rate: "0.000715", modifiedAt },
    ];
    expect(again.data!.setExchangeRate.exchangeRates).toEqual(rates);
    const { exchangeRates } = await gateway.queryData("{ exchangeRates { currency rate modifiedAt } }", {}, vendor);
    expect(exchangeRates).toEqual(rates);
    const others = await gateway.queryData("{ exchangeRates { currency } }", {}, await gateway.openVendor());
    expect(others.exchangeRates).toEqual([]);
  });

  test("have enough decimals for a weak currency in a strong one", async () => {
    const vendor = await gateway.openVendor();
    const { data } = await setExchangeRate(gateway, "KWD", "0.000222717149", vendor);
    expect(data!.setExchangeRate.exchangeRates).toMatchObject([{ currency: "KWD", rate: "0.000222717149" }]);
  });

  test("are deleted, each once, and those of other vendors stay", async () => {
    const [vendor, other] = [await gateway.openVendor(), await gateway.openVendor()];
    for (const { token } of [vendor, other]) await setExchangeRate(gateway, "USD", "0.00072", { token });
    await setExchangeRate(gateway, "JPY", "0.11", vendor);
    const remove = () =>
      gateway.queryData(
        'mutation { removeExchangeRate(input: { currency: "USD" }) { exchangeRates { currency } } }',
        {},
        vendor,
      );
    const left = { removeExchangeRate: { exchangeRates: [{ currency: "JPY" }] } };
    expect([await remove(), await remove()]).toEqual([left, left]);
    expect(await gateway.queryData("{ exchangeRates { currency } }", {}, other)).toEqual({
      exchangeRates: [{ currency: "USD" }],
    });
  });

  test.each([
    ["KRW", "1", "input.currency"],
    ["XAU", "1", "input.currency"],
    ["USD", "0", "input.rate"],
    ["USD", "-1", "input.rate"],
    ["USD", "0.0000000000001", "input.rate"],
    ["USD", "1234567890.1234567", "input.rate"],
  ])("refuse %s at %s", async (currency, rate, path) => {
    const answer = await setExchangeRate(gateway, currency, rate);
    expect([refusalCodeOf(answer), errorPathsOf(answer)]).toEqual(["INVALID_ARGUMENT", [path]]);
  });
});
