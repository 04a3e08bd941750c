/** A parameter of a form-encoded request: a text, a list, or named parameters. */
export type FormValue = string | FormValue[] | FormFields;
export interface FormFields {
  [name: string]: FormValue;
}

/** Reads a form-encoded body or query with nested names such as `metadata[key]` and `expand[0]`. */
export function readForm(text: string): FormFields {
  const root: FormFields = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll("]", "").split("[");
    let fields = root;
    for (const part of path.slice(0, -1)) fields = (fields[part] ??= {}) as FormFields;
    fields[path.at(-1)!] = value;
  }
  return toLists(root) as FormFields;
}

/** Fields that are named 0, 1, 2 … are a list. */
function toLists(value: FormValue): FormValue {
  if (typeof value === "string" || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, toLists(one)] as const);
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index));
  return isList ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}
