import { Arg, FieldResolver, Query, Resolver, Root } from "type-graphql";
import type { RegionCode } from "../../schema/regions.ts";
import { CountryCodeScalar, LineScalar, RegionCodeScalar } from "../graphql/scalars.ts";
import { describeRegion, searchRegions } from "../kernel/regions.ts";
import { Region } from "./region.type.ts";

@Resolver(() => Region)
export class RegionResolver {
  @Query(() => Region, {
    description: "One region. A code that no region has is refused with the nearest that one has.",
  })
  region(@Arg("code", () => RegionCodeScalar, { description: "Code of the region." }) code: RegionCode) {
    return describeRegion(code);
  }

  @Query(() => [Region], {
    description:
      "The regions in which something can be sold, sorted by code: every country, then each state. At most 299.",
  })
  regions(
    @Arg("keyword", () => LineScalar, {
      nullable: true,
      description: "Only those whose code or English name contains this text, in any case. Defaults to all.",
    })
    keyword?: string | null,
    @Arg("countryCode", () => CountryCodeScalar, {
      nullable: true,
      description: "Only those in this country: the country itself and its states. Defaults to all.",
    })
    countryCode?: string | null,
  ) {
    return searchRegions(keyword ?? "", countryCode);
  }

  @FieldResolver(() => String, { nullable: true })
  currency(@Root() { currencies }: Region): string | null {
    return currencies[0] ?? null;
  }
}
