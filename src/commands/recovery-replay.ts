import { reviewOf, type Review } from "../recovery/decisions/decision-review.ts";
import { defineCommand, main, onDatabase, record, table, type Tools } from "./command.ts";

const VENDORS_AT_ONCE = 500;

const replay = defineCommand(
  {
    name: "npm run recovery:replay --",
    description:
      "Takes every stored decision of the recovery engine once more, from its stored inputs alone, and counts those that come out the same. The exit code is 1 if one does not.",
  },
  {
    vendor: {
      type: "string",
      valueHint: "uuid",
      description: "The vendor whose decisions are meant; those of all unless told",
    },
    json: { type: "boolean", description: "Print one JSON object" },
  },
  async ({ vendor: given, json }, faults) => {
    const uuid = given === undefined ? undefined : faults.uuid("vendor", given);
    faults.settle();
    await onDatabase(json, async ({ read }) => {
      const one = uuid === undefined ? undefined : await read.vendors.byUuid(uuid);
      if (uuid !== undefined && !one) faults.add("--vendor: there is no vendor with this uuid.");
      faults.settle();
      const reviews: (Review & { vendor: string })[] = [];
      for await (const { id, uuid: vendor } of one ? [one] : everyVendor(read))
        reviews.push({ vendor, ...(await reviewOf(read.covers, id)) });
      return answerOf(reviews);
    });
  },
);

async function* everyVendor({ vendors }: Tools["read"]) {
  let page = await vendors.beyond(0, VENDORS_AT_ONCE);
  while (page.length > 0) {
    yield* page;
    page = await vendors.beyond(page.at(-1)!.id, VENDORS_AT_ONCE);
  }
}

function answerOf(reviews: readonly (Review & { vendor: string })[]) {
  const total = (of: (review: Review) => number) => reviews.reduce((sum, review) => sum + of(review), 0);
  const counts = {
    decisions: total(({ decisions }) => decisions),
    equal: total(({ equal }) => equal),
    different: total(({ different }) => different),
    notReplayable: total(({ notReplayable }) => notReplayable),
  };
  if (counts.different > 0) process.exitCode = 1;
  const deviations = reviews.flatMap(({ vendor, deviations: own }) => own.map((one) => ({ vendor, ...one })));
  const rows = deviations.map(({ vendor, decisionId, coverId, decidedAt, parts }) => [
    ...[vendor, decisionId, coverId, decidedAt],
    parts.join(" "),
  ]);
  const headings = ["vendor", "decision", "cover", "decidedAt", "differs"];
  return {
    lines: [...record(counts).lines, ...(rows.length > 0 ? table(headings, rows) : [])],
    json: { ...counts, deviations },
  };
}

/* `npm run recovery:replay`: whether what was decided still follows from what was known. */
await main(replay);
