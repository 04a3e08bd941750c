import type { RetryModel } from "../engine/model/retry-model.ts";
import { isSmart, type Policy } from "../engine/policy.ts";
import { publishedModel } from "./published-prior.ts";

/** The model that a policy chooses its times by; null for policies that need none. */
export const modelFor = (policy: Policy): RetryModel | null => (isSmart(policy) ? publishedModel() : null);
