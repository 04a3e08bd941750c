import { expect, test } from "vitest";
import { LinkScalar } from "../../../src/graphql/scalars/texts.ts";
import { parseUrl } from "../../../src/kernel/parsed-url.ts";

// Node compiles what is called often; URL.canParse then refused these on Node 20.
const CALLS = 200_000;

test("a host with letters beyond ASCII is a URL, however many were parsed before", () => {
  const hosts = new Set(Array.from({ length: CALLS }, () => parseUrl("https://bücher.example/")?.host));
  expect(hosts).toEqual(new Set(["xn--bcher-kva.example"]));
  expect(parseUrl("no URL")).toBeUndefined();
});

test("a script with such letters is refused as a link, however many links were read before", () => {
  for (let call = 0; call < 20_000; call++) LinkScalar.parseValue("https://shop.example.com/a.png");
  expect(() => LinkScalar.parseValue("javascript:alert('ü')")).toThrow("not a script");
});
