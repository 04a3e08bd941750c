import { RegionCode } from "../../schema/regions.ts";
import { CustomerStatus } from "../../schema/vocabulary.ts";
import { register } from "../graphql/words.ts";
import { regionOf } from "../kernel/regions.ts";

/* The words of customers, and the regions that they live in, as GraphQL enums. */

register(CustomerStatus, "CustomerStatus", "State of a customer's account.", {
  NORMAL: "In use.",
  DORMANT: "Asleep: 12 months without an order or a sign-in, and no subscription lives. The next order wakes it.",
});

const regionMeaning = (code: RegionCode): string => {
  const { state, country } = regionOf(code);
  return state ? `${state}, ${country}.` : `${country}.`;
};

register(
  RegionCode,
  "RegionCode",
  "Region in which something is sold: a country by its ISO 3166-1 alpha-2 code, or a state of the United States.",
  Object.fromEntries(Object.values(RegionCode).map((code) => [code, regionMeaning(code)])) as Record<
    RegionCode,
    string
  >,
);
