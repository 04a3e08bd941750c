/** Bodies of a megabyte that are wrong in every entry, or make checking dear. */
const SIZE = 1_000_000;

const many = (unit: string, separator = ","): string =>
  Array.from({ length: Math.floor(SIZE / (unit.length + separator.length)) }, () => unit).join(separator);
const keyed = (value: string, count = 20_000): string =>
  Array.from({ length: count }, (_, index) => `"k${index}${"x".repeat(30)}":${value}`).join(",");
const long = "x".repeat(SIZE);

/** JSON values to stand for a list, an object or a text of an input. */
export const values: Readonly<Record<string, string>> = {
  "wrong items": `[${many('{"quantity":0,"priceId":"x"}')}]`,
  "empty items": `[${many("{}")}]`,
  numbers: `[${many("1")}]`,
  "numbers of thirty digits": `[${many("9".repeat(30))}]`,
  "a number without end": "9".repeat(SIZE),
  "a number with a large exponent": `1e${"9".repeat(SIZE)}`,
  "a text without end": `"${long}"`,
  "a text of digits": `"${many("4", " ")}"`,
  "a text of at signs": `"${"@".repeat(SIZE)}"`,
  "a text of escapes": `"${"\\n".repeat(SIZE / 2)}"`,
  "a text of backslashes": `"${"\\\\".repeat(SIZE / 2)}"`,
  "texts of digits": `[${many(`"${"4 ".repeat(190)}"`)}]`,
  "unknown keys": `{${keyed("1")}}`,
  "one long key": `{"${long}":1}`,
  "the same key again and again": `{${many('"a":1')},"a":2}`,
  "lists in lists": `[${many("[[[[1]]]]")}]`,
  "a deep list": `${"[".repeat(60)}${many("1")}${"]".repeat(60)}`,
  "a list without an end": "[".repeat(SIZE),
  "objects of unknown keys": `[${many(`{${keyed("1", 200)}}`)}]`,
  nulls: `[${many("null")}]`,
  blanks: `${" ".repeat(SIZE)}[{}]`,
};

/** GraphQL documents of about a megabyte. */
export const documents: Readonly<Record<string, string>> = {
  "a literal list": `mutation { registerCoverOrder(input: {items: [${many("{quantity: 0}")}]}) { order { id } } }`,
  "a long literal": `mutation { registerCoverOrder(input: {paymentInfo: "${long}"}) { order { id } } }`,
  "a long comment": `{ vendor { name } } #${long}`,
  "a long name": `query ${long} { ${Array.from({ length: 100 }, (_, index) => `a${index}: node(id: $x) { id }`).join(" ")} }`,
  commas: `{ vendor { name${",".repeat(SIZE)} } }`,
  "deep braces": `{ ${"a { ".repeat(SIZE / 4)}`,
  "one root field 480 times": `{ ${"vendor { name } ".repeat(480)} }`,
  "one root field 390 times, and a megabyte": `{ ${"vendor { name } ".repeat(390)} } #${long}`,
  "one field in fragments": `{ ${spreads(120)} } ${spreads(120, (name) => `fragment ${name} on Query { vendor { name name } }`)}`,
};

function spreads(count: number, text = (name: string) => `...${name}`): string {
  return Array.from({ length: count }, (_, index) => text(`f${index}`)).join(" ");
}
