/** Parts of a customer's record that identify the customer in texts. */
interface PersonalRecord {
  username: string | null;
  name: string;
  email: string;
  phone: string;
  attributes: Readonly<Record<string, string>>;
  additionalRecipients: readonly string[];
}

/** The values of an address. */
interface PersonalAddress {
  name: string;
  phone: string;
  address1: string;
  address2: string;
}

/** What stands for a personal value in a stored text. */
const REDACTED = "[erased]";

/** Shorter values are redacted only where they are the whole text: "Kim" is a part of many words. */
const MIN_LENGTH_IN_TEXT = 6;
const MIN_LENGTH = 3;

/** The values by which a customer's data is recognised in stored answers, the longest first. */
export function personalValuesOf(customer: PersonalRecord, addresses: readonly PersonalAddress[]): string[] {
  const { username, name, email, phone, attributes, additionalRecipients } = customer;
  const custom = Object.values(attributes).map((encoded) => JSON.parse(encoded) as unknown);
  const values = [
    ...[username ?? "", name, email, phone, ...additionalRecipients],
    ...addresses.flatMap((address) => [address.name, address.phone, address.address1, address.address2]),
    ...custom.filter((value) => typeof value === "string"),
  ];
  const distinct = new Set(values.filter((value) => value.length >= MIN_LENGTH));
  return [...distinct].sort((one, other) => other.length - one.length);
}

/** Replaces personal values in the texts of a JSON document; a text that is no JSON is replaced as one. */
export function redactJson(document: string, values: readonly string[]): string {
  try {
    return JSON.stringify(redactValue(JSON.parse(document), values));
  } catch {
    return redactText(document, values);
  }
}

function redactValue(value: unknown, values: readonly string[]): unknown {
  if (typeof value === "string") return redactText(value, values);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactValue(item, values)]));
}

const redactText = (text: string, values: readonly string[]): string =>
  values.reduce(
    (rest, value) =>
      rest === value ? REDACTED : value.length < MIN_LENGTH_IN_TEXT ? rest : rest.replaceAll(value, REDACTED),
    text,
  );
