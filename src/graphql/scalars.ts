import { GraphQLError, GraphQLScalarType, Kind, valueFromASTUntyped, type ValueNode } from "graphql";
import { GraphQLDuration } from "graphql-scalars";
import { RegionCode } from "../../schema/regions.ts";
import { toPlainString, parseAmount, parseRate, type Amount, type Rate } from "../kernel/amounts.ts";
import { maskCardNumbers } from "../kernel/card-mask.ts";
import { isCurrency } from "../kernel/currencies.ts";
import { isZone, parseIsoInstant } from "../kernel/instants.ts";
import { UnsafeNumber } from "../kernel/json-reader.ts";
import { nearestWord } from "../kernel/suggestions.ts";

export { GraphQLBigInt, GraphQLUUID } from "graphql-scalars";

export const DurationScalar = new GraphQLScalarType({
  ...GraphQLDuration.toConfig(),
  // The library's own description is an indented column, which no printer can reproduce as a block.
  description: "An ISO 8601 duration, such as P1D, PT5M or P1Y2M10DT2H30M.",
});

/** Runs a reader of the kernel and turns its sentence into a GraphQL error; the value itself is never repeated. */
function readWith<In, Out>(reader: (value: In) => Out, value: In, nodes?: ValueNode): Out {
  try {
    return reader(value);
  } catch (error) {
    if (error instanceof RangeError) throw new GraphQLError(error.message, { nodes });
    throw error;
  }
}

const createScalar = <T>(
  name: string,
  description: string,
  read: (value: unknown) => T,
  serialize: (value: never) => unknown = String,
) =>
  new GraphQLScalarType<T>({
    name,
    description,
    serialize: serialize as (value: unknown) => unknown,
    parseValue: (value: unknown) => readWith(read, value),
    parseLiteral: (node, variables) => readWith(read, literalValueOf(node, variables), node),
  } as ConstructorParameters<typeof GraphQLScalarType<T>>[0]);

/** The value of a literal; numbers stay text, so that no digit is lost. */
const literalValueOf = (node: ValueNode, variables?: Record<string, unknown> | null): unknown =>
  node.kind === Kind.INT || node.kind === Kind.FLOAT
    ? new UnsafeNumber(node.value)
    : valueFromASTUntyped(node, variables);

/** Amounts of money. */
export const DecimalScalar = createScalar<Amount>(
  "Decimal",
  'An exact amount of money with at most 15 significant digits and 6 decimals. It is a string in plain notation without trailing zeros, such as "9900" or "12.5". Input may also be a number, and must not be negative; output is negative only for discounts and differences. The currency is the one that the field or its type names.',
  (value) => parseDecimalValue(value, parseAmount),
  // Records from projections have it in wire format already.
  (value: Amount | string) => (typeof value === "string" ? value : toPlainString(value)),
);

/** Rates between currencies. */
export const RateScalar = createScalar<Rate>(
  "Rate",
  'An exact exchange rate between two currencies, with at most 15 significant digits and 12 decimals. It is a string in plain notation without trailing zeros, such as "0.00072" or "0.000222717149". It is never negative. Input may also be a number.',
  (value) => parseDecimalValue(value, parseRate),
  (value: Rate | string) => (typeof value === "string" ? value : toPlainString(value)),
);

function parseDecimalValue(value: unknown, read: (text: string | number) => Amount): Amount {
  if (value instanceof UnsafeNumber) return read(value.text);
  if (typeof value !== "string" && typeof value !== "number") throw new RangeError("must be a decimal number.");
  return read(value);
}

/** Maximum number of entries of any list in an input; some have lower limits. */
export const MAX_LIST_ENTRIES = 1_000;
export const TOO_MANY_ENTRIES_MESSAGE = `must have at most ${MAX_LIST_ENTRIES} entries.`;

/** Maximum number of currencies in which an amount can be given. */
export const MAX_CURRENCIES = 50;

/** Amounts of money by currency. */
export const CurrencyAmountsScalar = createScalar<Record<string, string>>(
  "CurrencyAmounts",
  'Exact amounts of money by the ISO 4217 code of their currency, as an object of strings: {"USD": "12.5", "JPY": "1900"}. At most 50 currencies; each amount follows the limits of Decimal. Input may also have numbers.',
  (value) => {
    const entries = Object.entries(requireObject(value));
    if (entries.length > MAX_CURRENCIES) throw new RangeError(`must have at most ${MAX_CURRENCIES} currencies.`);
    return Object.fromEntries(
      entries.map(([currency, amount]) => [requireCurrency(currency), parseAmountOfCurrency(currency, amount)]),
    );
  },
  (amounts: Record<string, string>) => amounts,
);

function requireObject(value: unknown): object {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof UnsafeNumber)
    throw new RangeError("must be a JSON object.");
  return value;
}

function requireCurrency(code: string): string {
  if (!isCurrency(code)) throw new RangeError("must have ISO 4217 codes in upper case, such as KRW, as its keys.");
  return code;
}

function parseAmountOfCurrency(currency: string, amount: unknown): string {
  try {
    return toPlainString(parseDecimalValue(amount, parseAmount));
  } catch (error) {
    if (error instanceof RangeError)
      throw new RangeError(`must hold amounts: that of ${currency} ${error.message}`, { cause: error });
    throw error;
  }
}

/** Limits for one record's custom fields, so that a page of a hundred records stays readable. */
export const CUSTOM_FIELD_LIMITS = { keys: 100, keyLength: 100, bytes: 16_384 } as const;

/** Free-form objects. */
export const GraphQLJSONObject: GraphQLScalarType<object> = createScalar<object>(
  "JSONObject",
  "A JSON object with any fields. As input it may have at most 100 keys in all levels together, of at most 100 characters each, and 16,384 bytes as JSON in UTF-8. Numbers must be exact as JSON numbers; texts must be well-formed and without NUL characters. Card numbers in its values are masked to their last four digits; everything else is stored unchanged.",
  (value) => maskCardNumbersIn(validateCustomFields(value)) as object,
  requireObject,
);
GraphQLJSONObject.extensions = { check: (value: unknown) => readWith(validateCustomFields, value) };

function validateCustomFields(value: unknown): object {
  const object = requireObject(value);
  let keys = 0;
  const countKeys = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    for (const [key, inner] of Object.entries(part)) {
      if (!Array.isArray(part) && ++keys > CUSTOM_FIELD_LIMITS.keys)
        throw new RangeError(`must have at most ${CUSTOM_FIELD_LIMITS.keys} keys.`);
      if (key.length > CUSTOM_FIELD_LIMITS.keyLength)
        throw new RangeError(`must have keys of at most ${CUSTOM_FIELD_LIMITS.keyLength} characters.`);
      countKeys(inner);
    }
  };
  countKeys(object);
  if (Buffer.byteLength(JSON.stringify(object)) > CUSTOM_FIELD_LIMITS.bytes)
    throw new RangeError(`must have at most ${CUSTOM_FIELD_LIMITS.bytes} bytes as JSON.`);
  requireStorable(object);
  return object;
}

/** Refuses values that a JSON column would not store as they were sent. */
function requireStorable(part: unknown): void {
  if (part instanceof UnsafeNumber) throw new RangeError("must hold numbers of at most 15 significant digits.");
  if (typeof part === "string" && (part.includes("\0") || !part.isWellFormed()))
    throw new RangeError("must hold well-formed text without NUL characters.");
  if (typeof part !== "object" || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    requireStorable(key);
    requireStorable(value);
  }
}

/** The values of an object with their card numbers masked; one that was sent as a number becomes a text. */
function maskCardNumbersIn(part: unknown): unknown {
  if (typeof part === "string") return maskCardNumbers(part);
  if (typeof part === "number") {
    const text = maskCardNumbers(String(part));
    return text.includes("*") ? text : part;
  }
  if (typeof part !== "object" || part === null) return part;
  if (Array.isArray(part)) return part.map(maskCardNumbersIn);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, maskCardNumbersIn(value)]));
}

/** Instants. */
export const DateTimeScalar = createScalar<Date>(
  "DateTime",
  'An instant in ISO 8601. Output is in UTC with milliseconds: "2026-03-01T09:30:00.123Z". Input may have any offset; a time without an offset means UTC.',
  (value) => {
    if (typeof value !== "string") throw new RangeError("must be a string.");
    return parseIsoInstant(value);
  },
  (value: Date | string) => (typeof value === "string" ? value : value.toISOString()),
);

const INT32_MAX = 2_147_483_647;

const integerScalar = (name: string, min: number) =>
  createScalar<number>(
    name,
    `A whole number from ${min} to ${INT32_MAX}.`,
    (value) => {
      const number = value instanceof UnsafeNumber ? Number(value.text) : value;
      if (typeof number !== "number") throw new RangeError("must be a whole number.");
      if (number < min || number > INT32_MAX) throw new RangeError(`must be from ${min} to ${INT32_MAX}.`);
      if (!Number.isInteger(number)) throw new RangeError("must be a whole number.");
      return number;
    },
    (value: number) => value,
  );

/** Counts that are at least 1. */
export const PositiveIntScalar = integerScalar("PositiveInt", 1);

/** Counts that are at least 0. */
export const NonNegativeIntScalar = integerScalar("NonNegativeInt", 0);

/** A scalar or an enum, as far as its values are read. */
export interface InputLeafType {
  name: string;
  parseValue: (value: unknown) => unknown;
  extensions?: Readonly<Record<string, unknown>>;
}

/** The validator of a type's values: stored output is only made of input that is valid as a whole. */
export const validatorOf = (type: InputLeafType): ((value: unknown) => unknown) =>
  (type.extensions?.["check"] as ((value: unknown) => unknown) | undefined) ?? ((value) => type.parseValue(value));

interface TextRules {
  minLength?: number;
  maxLength: number;
  /** Additional validation of the text; returns the text to store. */
  normalize?: (text: string) => string;
  /** Whether card numbers in it are masked after it is validated. */
  masksCardNumbers?: boolean;
}

/** The lengths of texts, for the interface description. */
export const textRulesByScalar = new Map<string, TextRules>();

function textScalar(name: string, description: string, rules: TextRules): GraphQLScalarType<string> {
  textRulesByScalar.set(name, rules);
  const { minLength = 0, maxLength, masksCardNumbers, normalize = (kept) => kept } = rules;
  const check = (value: unknown): string => {
    if (typeof value !== "string") throw new RangeError("must be a string.");
    if (value.length > maxLength) throw new RangeError(`must have at most ${maxLength} characters.`);
    if (value.includes("\0") || !value.isWellFormed())
      throw new RangeError("must be well-formed text without NUL characters.");
    if (value.trim().length < minLength) throw new RangeError("must not be blank.");
    return normalize(value);
  };
  const type = createScalar<string>(
    name,
    description,
    masksCardNumbers ? (value) => maskCardNumbers(check(value)) : check,
  );
  if (masksCardNumbers) type.extensions = { check: (value: unknown) => readWith(check, value) };
  return type;
}

const MASKING_SENTENCE = "Card numbers in it are masked to their last four digits before it is stored.";

export const PartnerIdScalar = textScalar(
  "PartnerId",
  "The merchant's own unique id of a record. 1 to 255 characters, stored unchanged.",
  {
    minLength: 1,
    maxLength: 255,
  },
);

export const NameScalar = textScalar("Name", `A name that people read. 1 to 500 characters. ${MASKING_SENTENCE}`, {
  minLength: 1,
  maxLength: 500,
  masksCardNumbers: true,
});

export const LabelScalar = textScalar(
  "Label",
  `A short text that people read, such as a street or a heading. At most 255 characters. ${MASKING_SENTENCE}`,
  { maxLength: 255, masksCardNumbers: true },
);

export const KeywordScalar = textScalar("Keyword", "Text to search for. At most 4,000 characters, used unchanged.", {
  maxLength: 4000,
});

export const CredentialScalar = textScalar(
  "Credential",
  "A name or secret that a payment gateway issued. At most 4,000 characters, stored unchanged.",
  { maxLength: 4000 },
);

export const LineScalar = textScalar("Line", "A short text. At most 255 characters, stored unchanged.", {
  maxLength: 255,
});

export const ReturnUrlScalar = textScalar(
  "ReturnUrl",
  "An address to which payers return, or an empty string. At most 2,048 characters. The vendor's `returnOrigins` list the allowed origins.",
  { maxLength: 2048 },
);

export const LinkScalar = textScalar(
  "Link",
  "The address of an image or a page, or an empty string. At most 2,048 characters, stored unchanged. Addresses that run a script are refused.",
  {
    maxLength: 2048,
    normalize: (address) => {
      if (isScriptUrl(address)) throw new RangeError("must be the address of an image or a page, not a script.");
      return address;
    },
  },
);

/**
 * Whether an address would run as a script in a dashboard that prints it as a link. Read as browsers do: without its
 * whitespace.
 */
function isScriptUrl(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, pathname } = new URL(address);
  return /^(?:javascript|vbscript):$/.test(protocol) || (protocol === "data:" && !pathname.startsWith("image/"));
}

export const TextScalar = textScalar("Text", `Free text of at most 4,000 characters. ${MASKING_SENTENCE}`, {
  maxLength: 4000,
  masksCardNumbers: true,
});

export const EmailScalar = textScalar("Email", "An e-mail address of at most 320 characters, stored unchanged.", {
  minLength: 1,
  maxLength: 320,
  normalize: (address) => {
    if (!/^[^\s@]+@[^\s@]+$/.test(address)) throw new RangeError("must be an e-mail address.");
    return address;
  },
});

export const PhoneScalar = textScalar(
  "Phone",
  "A phone number of at most 64 characters with at least one digit. It is stored as digits with an optional leading +.",
  {
    minLength: 1,
    maxLength: 64,
    normalize: (number) => {
      const digits = number.replace(/\D/g, "");
      if (digits === "") throw new RangeError("must have at least one digit.");
      return number.trimStart().startsWith("+") ? `+${digits}` : digits;
    },
  },
);

export const TimeZoneScalar = textScalar(
  "TimeZone",
  'A time zone of the IANA time zone database, such as "Asia/Seoul".',
  {
    minLength: 1,
    maxLength: 64,
    normalize: (zoneId) => {
      if (!isZone(zoneId))
        throw new RangeError("must be a time zone of the IANA time zone database, such as Asia/Seoul.");
      return zoneId;
    },
  },
);

export const CountryCodeScalar = textScalar(
  "CountryCode",
  'An ISO 3166-1 alpha-2 country code in upper case, such as "KR".',
  {
    minLength: 2,
    maxLength: 2,
    normalize: (code) => {
      if (!/^[A-Z]{2}$/.test(code))
        throw new RangeError("must be an ISO 3166-1 alpha-2 code in upper case, such as KR.");
      return code;
    },
  },
);

/** Codes of regions. */
export const RegionCodeScalar = createScalar<RegionCode>(
  "RegionCode",
  'Code of a sales region, such as "KR" or "US_NEW_YORK". It is an ISO 3166-1 alpha-2 country code, or US_ and the name of a state of the United States. The query `regions` lists the codes.',
  (value) => {
    if (typeof value !== "string") throw new RangeError("must be a string.");
    if (isRegionCode(value)) return value;
    const near = nearestWord(value.toUpperCase(), Object.keys(RegionCode));
    throw new RangeError(
      `must be the code of a region, such as KR or US_NEW_YORK; the query regions lists them.${near === undefined ? "" : ` Did you mean ${near}?`}`,
    );
  },
);

const isRegionCode = (text: string): text is RegionCode => Object.hasOwn(RegionCode, text);

export const CurrencyScalar = textScalar("Currency", 'The ISO 4217 code of a currency, in upper case, such as "KRW".', {
  minLength: 3,
  maxLength: 3,
  normalize: (code) => {
    if (!isCurrency(code)) throw new RangeError("must be the ISO 4217 code of a currency in upper case, such as KRW.");
    return code;
  },
});

const MIN_PASSWORD_LENGTH = 8;

export const PasswordScalar = textScalar("Password", "A password of 8 to 255 characters. Only its hash is stored.", {
  maxLength: 255,
  normalize: (password) => {
    if (password.length < MIN_PASSWORD_LENGTH)
      throw new RangeError(`must have at least ${MIN_PASSWORD_LENGTH} characters.`);
    return password;
  },
});
