/** A frozen record from each word to itself: usable as a GraphQL enum, a column's set of values, and a type. */
export function enumOf<const W extends string>(...values: readonly W[]): { readonly [K in W]: K } {
  return Object.freeze(Object.fromEntries(values.map((word) => [word, word]))) as { readonly [K in W]: K };
}

/** Words that differ in their number only: `PROVIDER_01`, `PROVIDER_02` … */
export const numberedValues = <const P extends string>(prefix: P, count: number): `${P}_${string}`[] =>
  Array.from({ length: count }, (_, index): `${P}_${string}` => `${prefix}_${String(index + 1).padStart(2, "0")}`);
