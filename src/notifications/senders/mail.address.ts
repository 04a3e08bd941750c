/** The longest address by RFC 5321. */
const MAX_LENGTH = 254;

/**
 * Whether a text is one e-mail address that a mail server takes as it is: no list, no display name, no comment and no
 * control character, with which a header could begin.
 */
export const isMailAddress = (text: string): boolean =>
  text.length <= MAX_LENGTH && /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u.test(text);
