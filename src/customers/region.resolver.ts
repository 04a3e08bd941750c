import { Arg, FieldResolver, Query, Resolver, Root } from "type-graphql";
import type { RegionCode } from "../../schema/regions.ts";
import { CountryCodeScalar, LineScalar, RegionCodeScalar } from "../graphql/scalars.ts";
import { describeRegion, searchRegions } from "../kernel/regions.ts";
import { Region } from "./region.type.ts";

@Resolver(() => Region)
export class RegionResolver {
  @Query(() => Region, {
    description: "Returns one region. An unknown code is refused, and the error suggests the nearest code.",
  })
  region(@Arg("code", () => RegionCodeScalar, { description: "Code of the region." }) code: RegionCode) {
    return describeRegion(code);
  }

  @Query(() => [Region], {
    description: "Returns the sales regions, sorted by code: every country, then each state. At most 299.",
  })
  regions(
    @Arg("keyword", () => LineScalar, {
      nullable: true,
      description:
        "Returns only regions whose code or English name contains this text, compared without case. Defaults to all.",
    })
    keyword?: string | null,
    @Arg("countryCode", () => CountryCodeScalar, {
      nullable: true,
      description: "Returns only regions of this country: the country itself and its states. Defaults to all.",
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
