/**
 * The URL that a text is; undefined if it is none. `URL.canParse` is not used: on Node 20 and 22 its compiled form, which follows
 * some thousand calls, refuses each URL with a letter such as ü.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
