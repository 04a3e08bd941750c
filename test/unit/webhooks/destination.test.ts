import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classifyAddress, destinationError } from "../../../src/webhooks/webhook.destination.ts";

const live = { allowsHttp: false, allowsPrivate: false };
const sandbox = { allowsHttp: true, allowsPrivate: false };
const local = { allowsHttp: true, allowsPrivate: true };

/** IPv4 networks and their class, from the registry of special-purpose addresses (RFC 6890). */
const NETWORKS: readonly [network: string, bits: number, of: "PRIVATE" | "FORBIDDEN"][] = [
  ["0.0.0.0", 8, "FORBIDDEN"],
  ["10.0.0.0", 8, "PRIVATE"],
  ["100.64.0.0", 10, "PRIVATE"],
  ["127.0.0.0", 8, "PRIVATE"],
  ["169.254.0.0", 16, "FORBIDDEN"],
  ["172.16.0.0", 12, "PRIVATE"],
  ["192.0.0.0", 24, "FORBIDDEN"],
  ["192.0.2.0", 24, "FORBIDDEN"],
  ["192.168.0.0", 16, "PRIVATE"],
  ["198.18.0.0", 15, "FORBIDDEN"],
  ["198.51.100.0", 24, "FORBIDDEN"],
  ["203.0.113.0", 24, "FORBIDDEN"],
  ["224.0.0.0", 4, "FORBIDDEN"],
  ["240.0.0.0", 4, "FORBIDDEN"],
];

const toNumber = (address: string) => address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
const toBytes = (value: number) => [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256);
const toDotted = (value: number) => toBytes(value).join(".");
const toHexGroups = (value: number) => `${Math.floor(value / 65_536).toString(16)}:${(value % 65_536).toString(16)}`;

/** An address within a network that is not public, and the class of its network. */
const specialAddress = fc.constantFrom(...NETWORKS).chain(([network, bits, of]) =>
  fc
    .integer({ min: 0, max: 2 ** (32 - bits) - 1 })
    .map((host) => ({ value: toNumber(network) + host, of }))
    // The first is the metadata service of a cloud; the second would be the loopback ::1 as an IPv4-compatible address.
    .filter(({ value }) => toDotted(value) !== "100.100.100.200" && toDotted(value) !== "0.0.0.1"),
);

/** Notations in which browsers and resolvers take an IPv4 address. */
const notations: readonly [name: string, write: (value: number) => string][] = [
  ["dotted", toDotted],
  ["decimal", String],
  ["hexadecimal", (value) => `0x${value.toString(16)}`],
  ["octal", (value) => `0${value.toString(8)}`],
  [
    "octal parts",
    (value) =>
      toBytes(value)
        .map((part) => `0${part.toString(8)}`)
        .join("."),
  ],
  [
    "hexadecimal parts",
    (value) =>
      toBytes(value)
        .map((part) => `0X${part.toString(16)}`)
        .join("."),
  ],
  ["two parts", (value) => `${Math.floor(value / 2 ** 24)}.${value % 2 ** 24}`],
  ["a trailing dot", (value) => `${toDotted(value)}.`],
  [
    "full-width digits",
    (value) => toDotted(value).replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  ],
  ["IPv4-mapped", (value) => `[::ffff:${toDotted(value)}]`],
  ["IPv4-mapped in groups", (value) => `[0:0:0:0:0:ffff:${toHexGroups(value)}]`],
  ["NAT64", (value) => `[64:ff9b::${toHexGroups(value)}]`],
  ["6to4", (value) => `[2002:${toHexGroups(value)}::1]`],
  ["IPv4-compatible", (value) => `[::${toHexGroups(value)}]`],
];

describe.each(notations)("an address in the notation %s", (name, write) => {
  test("is refused in every network that is not public, however the endpoint's rules are", () => {
    fc.assert(
      fc.property(specialAddress, ({ value, of }) => {
        const url = `https://${write(value)}/hook`;
        expect(destinationError(url, live)).toMatch(/address/);
        expect(destinationError(url, sandbox)).toMatch(/address/);
        if (of === "FORBIDDEN") expect(destinationError(url, local)).toMatch(/public address/);
      }),
    );
  });

  test("is accepted where it is public", () => {
    const isUnroutable = name === "IPv4-compatible";
    expect(destinationError(`https://${write(toNumber("93.184.215.14"))}/hook`, live) === undefined).toBe(
      !isUnroutable,
    );
  });
});

test.each([
  ["::", "FORBIDDEN"],
  ["::1", "PRIVATE"],
  ["fe80::1", "FORBIDDEN"],
  ["fe80::1%eth0", "FORBIDDEN"],
  ["fec0::1", "FORBIDDEN"],
  ["fc00::1", "PRIVATE"],
  ["fdff:ffff::1", "PRIVATE"],
  ["fd00:ec2::254", "FORBIDDEN"],
  ["fd20:ce::254", "FORBIDDEN"],
  ["ff02::1", "FORBIDDEN"],
  ["64:ff9b:1::a9fe:a9fe", "FORBIDDEN"],
  ["2001::1", "FORBIDDEN"],
  ["2001:db8::1", "FORBIDDEN"],
  ["100::1", "FORBIDDEN"],
  ["4000::1", "FORBIDDEN"],
  ["2606:4700::6810:84e5", "PUBLIC"],
  ["169.254.169.254", "FORBIDDEN"],
  ["100.100.100.200", "FORBIDDEN"],
  ["168.63.129.16", "FORBIDDEN"],
  ["255.255.255.255", "FORBIDDEN"],
  ["8.8.8.8", "PUBLIC"],
  ["", "FORBIDDEN"],
  ["example.com", "FORBIDDEN"],
] as const)("%s is %s", (address, of) => {
  expect(classifyAddress(address)).toBe(of);
});

test.each([
  ["ftp://shop.example.com/", /http or https URL/],
  ["file:///etc/passwd", /http or https URL/],
  ["shop.example.com/hook", /http or https URL/],
  ["", /http or https URL/],
  ["https://[::1", /http or https URL/],
  ["http://shop.example.com/hook", /only a sandbox can use http/],
  ["https://user@shop.example.com/", /no user or password/],
  ["https://:secret@shop.example.com/", /no user or password/],
  ["https://shop.example.com/#hook", /no fragment/],
  ["https://shop.example.com:22/", /port 80, 443/],
  ["https://localhost/", /loopback or private/],
  ["https://api.localhost./", /loopback or private/],
  ["https://LOCALHOST/", /loopback or private/],
] as const)("a live vendor's endpoint cannot be %s", (url, message) => {
  expect(destinationError(url, live)).toMatch(message);
});

test.each([
  "https://shop.example.com/hook?x=1",
  "https://shop.example.com:8443/",
  "https://bücher.example/",
  "https://shop.example.com./",
])("a live vendor's endpoint can be %s", (url) => {
  expect(destinationError(url, live)).toBeUndefined();
});

test("a sandbox can use http, and private addresses where the operator allows them", () => {
  expect(destinationError("http://shop.example.com/", sandbox)).toBeUndefined();
  expect(destinationError("http://127.0.0.1:3000/", sandbox)).toMatch(/WEBHOOK_ALLOW_PRIVATE/);
  for (const url of ["http://127.0.0.1:3000/", "http://localhost:3000/", "http://[::1]:3000/", "http://10.0.0.1/"])
    expect(destinationError(url, local)).toBeUndefined();
});
