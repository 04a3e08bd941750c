import { useFormats } from "../language/formats.ts";

interface NamedRegion {
  countryCode: string;
  /** English name of the state; null if the region is a country. */
  state: string | null;
}

/** Names a sales region: its country in the console's language, and its state. */
export function useRegionName(): (region: NamedRegion) => string {
  const { country } = useFormats();
  return ({ countryCode, state }) => [country(countryCode), state].filter(Boolean).join(", ");
}
