import { createRepositories } from "../../graphql/repositories.ts";
import { lastOf } from "../../kernel/required-values.ts";
import { reviewDecisions, type DecisionReview } from "../../recovery/decisions/decision-review.ts";
import type { VendorRecord, VendorRepository } from "../../vendors/vendor.repository.ts";
import { defineCommand, toRecordOutput, toTableLines } from "../command.ts";
import { withDatabase } from "../command-database.ts";

const VENDORS_AT_ONCE = 500;

/** `recoup recovery replay`: checks that stored decisions still follow from their stored inputs. */
export const replayCommand = defineCommand(
  {
    name: "replay",
    description:
      "Replays every stored decision of the recovery engine from its stored inputs, and counts the equal results. The exit code is 1 if a result differs.",
  },
  {
    vendor: {
      type: "string",
      valueHint: "uuid",
      description: "Vendor whose decisions are replayed. Defaults to all vendors",
    },
    cell: {
      type: "string",
      valueHint: "name",
      description: "Cell whose vendors are meant, without --vendor. Defaults to the home database",
    },
    json: { type: "boolean", description: "Print one JSON object" },
  },
  async ({ vendor: vendorOption, cell, json }, errors) => {
    const uuid = vendorOption === undefined ? undefined : errors.readUuid("vendor", vendorOption);
    errors.throwIfAny();
    // Each page is a transaction of its own: PostgreSQL ends one that is idle while its decisions are computed.
    await withDatabase(
      json,
      async ({ handle }) => {
        const read = createRepositories(handle);
        const vendorRecord = uuid === undefined ? undefined : await read.vendors.byUuid(uuid);
        if (uuid !== undefined && !vendorRecord) errors.add("--vendor: there is no vendor with this uuid.");
        errors.throwIfAny();
        const reviews: (DecisionReview & { vendor: string })[] = [];
        for await (const { id, uuid: vendor } of vendorRecord ? [vendorRecord] : allVendors(read.vendors))
          reviews.push({ vendor, ...(await reviewDecisions(read.covers, read.recoveryModels, id)) });
        return toOutput(reviews);
      },
      { vendorUuid: uuid, cell },
    );
  },
);

async function* allVendors(vendors: VendorRepository): AsyncGenerator<VendorRecord> {
  let page = await vendors.pageAfterId(0, VENDORS_AT_ONCE);
  while (page.length > 0) {
    yield* page;
    page = await vendors.pageAfterId(lastOf(page).id, VENDORS_AT_ONCE);
  }
}

function toOutput(reviews: readonly (DecisionReview & { vendor: string })[]) {
  const total = (select: (review: DecisionReview) => number) =>
    reviews.reduce((sum, review) => sum + select(review), 0);
  const counts = {
    decisions: total(({ decisions }) => decisions),
    equal: total(({ equal }) => equal),
    different: total(({ different }) => different),
    notReplayable: total(({ notReplayable }) => notReplayable),
  };
  if (counts.different > 0) process.exitCode = 1;
  const deviations = reviews.flatMap(({ vendor, deviations: ofVendor }) =>
    ofVendor.map((deviation) => ({ vendor, ...deviation })),
  );
  const rows = deviations.map(({ vendor, decisionId, coverId, decidedAt, parts }) => [
    ...[vendor, decisionId, coverId, decidedAt],
    parts.join(" "),
  ]);
  const headings = ["vendor", "decision", "cover", "decidedAt", "differs"];
  return {
    lines: [...toRecordOutput(counts).lines, ...(rows.length > 0 ? toTableLines(headings, rows) : [])],
    json: { ...counts, deviations },
  };
}
