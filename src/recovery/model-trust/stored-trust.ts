import { z } from "zod";
import { newDriftState, type DriftState } from "./drift-test.ts";
import type { ModelTrustRecord } from "./model-trust.repository.ts";
import type { TrustState } from "./update-trust.ts";

const storedDrift = z.object({
  counts: z.record(z.string(), z.tuple([z.number(), z.number()])),
  windows: z.array(
    z.object({
      period: z.number(),
      attempts: z.number(),
      approved: z.number(),
      predicted: z.number(),
      modelLoss: z.number(),
      countingLoss: z.number(),
      recalibratedStake: z.number(),
      countingStake: z.number(),
      tenths: z.array(z.tuple([z.number(), z.number()])),
    }),
  ),
}) satisfies z.ZodType<DriftState>;

/** What the tests have seen, as it is stored. Tests that cannot be read begin anew. */
export const readTrust = ({ vendorId: _family, drift, ...record }: ModelTrustRecord): TrustState => ({
  ...record,
  drift: storedDrift.safeParse(drift).data ?? newDriftState(),
});
