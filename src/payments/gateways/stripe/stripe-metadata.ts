import type { ChargeRequest } from "../gateway-port.ts";

/**
 * The metadata under which charges are found again: https://docs.stripe.com/metadata and
 * https://docs.stripe.com/search#search-query-language.
 */
export const KEY_FIELD = "recoup_key";
const SUBJECT_FIELD = "recoup_subject";
const ATTEMPT_FIELD = "recoup_attempt";

/** The metadata of a charge. */
export const toMetadata = ({
  idempotencyKey,
  subject,
  attempt,
}: Pick<ChargeRequest, "idempotencyKey" | "subject" | "attempt">): Record<string, string> => ({
  [KEY_FIELD]: idempotencyKey,
  [SUBJECT_FIELD]: subject,
  [ATTEMPT_FIELD]: String(attempt),
});

const toQuery = (field: string, value: string): string => `metadata["${field}"]:"${value.replace(/["\\]/g, "\\$&")}"`;

/** The search query for the charge of an idempotency key. */
export const toKeyQuery = (idempotencyKey: string): string => toQuery(KEY_FIELD, idempotencyKey);

/** The search query for all charges of a subject. */
export const toSubjectQuery = (subject: string): string => toQuery(SUBJECT_FIELD, subject);

/** The subject that a charge was made for; undefined if this service did not make it. */
export const subjectOf = (metadata: Readonly<Record<string, string>>): string | undefined => metadata[SUBJECT_FIELD];

/** The idempotency key of a charge; undefined if this service did not make it. */
export const keyOf = (metadata: Readonly<Record<string, string>> | null | undefined): string | undefined =>
  metadata?.[KEY_FIELD];
