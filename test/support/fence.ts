/** Tables of a vendor's data; `vendors` itself is read before it is known whose request it is. */
const FENCED = /^(?:api_keys|cover_\w+|covers|idempotency_keys)$/;

/** The one question that is asked without a vendor: whose a token is. And the one write for many: when keys were last used. */
const BEFORE_THE_VENDOR_IS_KNOWN = [/where \("api_keys"\."hash" = \$1/, /^\s*update "api_keys" set last_used_at/];

/** Those of the statements that touch a vendor's table without naming the vendor. */
export function unfenced(statements: readonly { text: string }[]): string[] {
  const texts = new Set(statements.map(({ text }) => text));
  return [...texts].filter((text) => {
    if (BEFORE_THE_VENDOR_IS_KNOWN.some((exception) => exception.test(text))) return false;
    const tables = [...text.matchAll(/\b(?:from|join|update|into) "(\w+)"/g)].map(([, table]) => table!);
    return tables.filter((table) => FENCED.test(table)).some((table) => !names(text, table));
  });
}

function names(text: string, table: string): boolean {
  const inserted = new RegExp(`insert into "${table}" \\([^)]*"vendor_id"`);
  return text.includes(`"${table}"."vendor_id" = `) || inserted.test(text);
}
