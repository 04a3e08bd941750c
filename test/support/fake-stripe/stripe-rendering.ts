import { invalidRequest } from "./api-error.ts";
import type { FormFields, FormValue } from "./form-body.ts";

/** A value of a form as text; empty if it is none. */
export const textOf = (value: FormValue | undefined): string => (typeof value === "string" ? value : "");

/** The names that a request asks to expand. */
export const expansionsOf = ({ expand }: FormFields): string[] => (Array.isArray(expand) ? expand.map(String) : []);

/** An object as it is sent: what is not expanded is an id. */
export function render(value: object, expansions: readonly string[]): unknown {
  const fields = { ...value } as Record<string, unknown>;
  delete fields["request"];
  delete fields["methodId"];
  for (const name of ["latest_charge", "payment_intent", "setup_intent", "payment_method"]) {
    const nested: unknown = fields[name];
    if (typeof nested !== "object" || nested === null) continue;
    const below = expansions.filter((one) => one === name || one.startsWith(`${name}.`));
    fields[name] =
      below.length === 0
        ? (nested as { id: string }).id
        : render(nested, below.map((one) => one.slice(name.length + 1)).filter(Boolean));
  }
  return structuredClone(fields);
}

/** A page of a list, as Stripe sends it. */
export function listOf(path: string, values: readonly unknown[], fields: FormFields): unknown {
  const after = values.findIndex((one) => (one as { id: string }).id === fields["starting_after"]) + 1;
  const limit = Number(fields["limit"] ?? 10);
  const data = values.slice(after, after + limit);
  return { object: "list", url: `/v1/${path}`, has_more: after + limit < values.length, data };
}

/** @throws invalid request for anything but a positive whole amount. */
export function toAmount(value: unknown): number {
  const amount = Number(value);
  if (!Number.isSafeInteger(amount) || amount < 1)
    throw invalidRequest(`Invalid positive integer: ${String(value)}`, "parameter_invalid_integer");
  return amount;
}

/** @throws invalid request for anything but a currency in small letters. */
export function toCurrency(value: unknown): string {
  if (!/^[a-z]{3}$/.test(String(value)))
    throw invalidRequest(`Invalid currency: ${String(value)}`, "parameter_invalid");
  return String(value);
}
