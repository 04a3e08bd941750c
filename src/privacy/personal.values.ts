/** Parts of a customer's record that identify the customer in texts. */
interface PersonalRecord {
  username: string | null;
  name: string;
  email: string;
  phone: string;
  attributes: Readonly<Record<string, string>>;
  additionalRecipients: readonly string[];
}

/** A payer whom the merchant registered for recovery. */
interface PersonalPayer {
  name: string;
  email: string;
  phone: string;
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
export function personalValuesOf(
  customer: PersonalRecord,
  payers: readonly PersonalPayer[],
  addresses: readonly PersonalAddress[],
): string[] {
  const { username, name, email, phone, attributes, additionalRecipients } = customer;
  const custom = Object.values(attributes).map((encoded) => JSON.parse(encoded) as unknown);
  const values = [
    ...[username ?? "", name, email, phone, ...additionalRecipients],
    ...payers.flatMap((payer) => [payer.name, payer.email, payer.phone]),
    ...addresses.flatMap((address) => [address.name, address.phone, address.address1, address.address2]),
    ...custom.filter((value) => typeof value === "string"),
  ];
  const distinct = new Set(values.filter((value) => value.length >= MIN_LENGTH));
  return [...distinct].sort((one, other) => other.length - one.length);
}

/**
 * The merchant's own ids that can be made of a name or an e-mail address. Numbers and short ids are left out: they say nothing, and
 * would be taken for amounts and words of others.
 */
export const toPersonalIds = (ids: readonly string[]): string[] =>
  ids.filter((id) => id.length >= MIN_LENGTH_IN_TEXT && /\p{L}/u.test(id));

/** What is personal in stored texts. */
export interface PersonalTexts {
  /** Recognised in longer texts, too. */
  values: readonly string[];
  /** Recognised only as the whole text: "customer-1" is a part of "customer-12". */
  ids: readonly string[];
}

/** Replaces personal values in the texts of a JSON document; a text that is no JSON is replaced as one. */
export function redactJson(document: string, personal: PersonalTexts): string {
  try {
    return JSON.stringify(redactValue(JSON.parse(document), personal));
  } catch {
    return redactText(document, personal);
  }
}

function redactValue(value: unknown, personal: PersonalTexts): unknown {
  if (typeof value === "string") return redactText(value, personal);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, personal));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactValue(item, personal)]));
}

const redactText = (text: string, { values, ids }: PersonalTexts): string =>
  ids.includes(text)
    ? REDACTED
    : values.reduce(
        (rest, value) =>
          rest === value ? REDACTED : value.length < MIN_LENGTH_IN_TEXT ? rest : rest.replaceAll(value, REDACTED),
        text,
      );
