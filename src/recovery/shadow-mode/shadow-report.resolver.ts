import { Args, Ctx, Query, Resolver } from "type-graphql";
import type { GatewayContext } from "../../graphql/context.ts";
import { shadowReportToGraph } from "./shadow-report.presenter.ts";
import { ShadowReport, ShadowReportArgs } from "./shadow-report.type.ts";

@Resolver()
export class ShadowReportResolver {
  @Query(() => ShadowReport, {
    description:
      "Estimates what the advice that covers in shadow mode recorded would have recovered, compared with the caller's own schedule. It reads the covers of the vendor and its children that started in the period, whether or not the vendor is in shadow mode now. Refused with INVALID_ARGUMENT, SHADOW_REPORT_TOO_LARGE for a period of more than 5,000 such covers, or ESTIMATES_BUSY while others are computed.",
  })
  async shadowReport(@Args(() => ShadowReportArgs) args: ShadowReportArgs, @Ctx() { shadowReports }: GatewayContext) {
    return shadowReportToGraph(await shadowReports().report(args));
  }
}
