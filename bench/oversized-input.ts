/** Bodies of a megabyte that are wrong in every entry, or expensive to validate. */
const INPUT_BYTES = 1_000_000;

const repeatUnit = (unit: string, separator = ","): string =>
  Array.from({ length: Math.floor(INPUT_BYTES / (unit.length + separator.length)) }, () => unit).join(separator);
const objectWithKeys = (value: string, count = 20_000): string =>
  Array.from({ length: count }, (_, index) => `"k${index}${"x".repeat(30)}":${value}`).join(",");
const longText = "x".repeat(INPUT_BYTES);

/** JSON values to stand for a list, an object or a text of an input. */
export const oversizedValues: Readonly<Record<string, string>> = {
  "wrong items": `[${repeatUnit('{"quantity":0,"priceId":"x"}')}]`,
  "empty items": `[${repeatUnit("{}")}]`,
  numbers: `[${repeatUnit("1")}]`,
  "numbers of thirty digits": `[${repeatUnit("9".repeat(30))}]`,
  "a number without end": "9".repeat(INPUT_BYTES),
  "a number with a large exponent": `1e${"9".repeat(INPUT_BYTES)}`,
  "a text without end": `"${longText}"`,
  "a text of digits": `"${repeatUnit("4", " ")}"`,
  "a text of at signs": `"${"@".repeat(INPUT_BYTES)}"`,
  "a text of escapes": `"${"\\n".repeat(INPUT_BYTES / 2)}"`,
  "a text of backslashes": `"${"\\\\".repeat(INPUT_BYTES / 2)}"`,
  "texts of digits": `[${repeatUnit(`"${"4 ".repeat(190)}"`)}]`,
  "unknown keys": `{${objectWithKeys("1")}}`,
  "one long key": `{"${longText}":1}`,
  "the same key again and again": `{${repeatUnit('"a":1')},"a":2}`,
  "lists in lists": `[${repeatUnit("[[[[1]]]]")}]`,
  "a deep list": `${"[".repeat(60)}${repeatUnit("1")}${"]".repeat(60)}`,
  "a list without an end": "[".repeat(INPUT_BYTES),
  "objects of unknown keys": `[${repeatUnit(`{${objectWithKeys("1", 200)}}`)}]`,
  nulls: `[${repeatUnit("null")}]`,
  blanks: `${" ".repeat(INPUT_BYTES)}[{}]`,
};

/** GraphQL documents of about a megabyte. */
export const oversizedDocuments: Readonly<Record<string, string>> = {
  "a literal list": `mutation { registerCoverOrder(input: {items: [${repeatUnit("{quantity: 0}")}]}) { order { id } } }`,
  "a long literal": `mutation { registerCoverOrder(input: {paymentInfo: "${longText}"}) { order { id } } }`,
  "a long comment": `{ vendor { name } } #${longText}`,
  "a long name": `query ${longText} { ${Array.from({ length: 100 }, (_, index) => `a${index}: node(id: $x) { id }`).join(" ")} }`,
  commas: `{ vendor { name${",".repeat(INPUT_BYTES)} } }`,
  "deep braces": `{ ${"a { ".repeat(INPUT_BYTES / 4)}`,
  "one root field 480 times": `{ ${"vendor { name } ".repeat(480)} }`,
  "one root field 390 times, and a megabyte": `{ ${"vendor { name } ".repeat(390)} } #${longText}`,
  "one field in fragments": `{ ${fragmentSpreads(120)} } ${fragmentSpreads(120, (name) => `fragment ${name} on Query { vendor { name name } }`)}`,
};

function fragmentSpreads(count: number, text = (name: string) => `...${name}`): string {
  return Array.from({ length: count }, (_, index) => text(`f${index}`)).join(" ");
}
