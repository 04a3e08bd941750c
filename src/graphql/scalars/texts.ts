import { MIN_PASSWORD_LENGTH } from "../../kernel/secrets/password-hash.ts";
import { parseUrl } from "../../kernel/parsed-url.ts";
import { MASKING_SENTENCE, textScalar } from "./text-scalar.ts";

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
  const url = parseUrl(address);
  if (!url) return false;
  const { protocol, pathname } = url;
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

export const PasswordScalar = textScalar("Password", "A password of 8 to 255 characters. Only its hash is stored.", {
  maxLength: 255,
  normalize: (password) => {
    if (password.length < MIN_PASSWORD_LENGTH)
      throw new RangeError(`must have at least ${MIN_PASSWORD_LENGTH} characters.`);
    return password;
  },
});
