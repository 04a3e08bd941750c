import { sql } from "drizzle-orm";
import { bigint, check, foreignKey, index, jsonb, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { ModelFallbackReason, ModelSource, type EventType } from "../vocabulary.ts";
import { enumCheck, enumValues, identity, instant, vendorPrimaryKey, vendorReference } from "./columns.ts";
import { vendors } from "./vendors.ts";

/*
 * Whether models of recovery may decide: how far results have been read, what the tests have seen, and what happened. Tests and
 * events are of a family and belong to the vendor at its top; each vendor of it has its own position among its results.
 */

/** The types of events of models. */
const modelEventTypes = ["MODEL_TRAINED", "MODEL_FALLBACK"] as const satisfies readonly EventType[];

/** How far the results of a vendor's retries have been read. */
export const recoveryModelWatches = pgTable(
  "recovery_model_watches",
  {
    vendorId: vendorReference(),
    /** The last result: its time, 0 for a failed attempt or 1 for a recovered cover, and the number of that. */
    seenAt: instant("seen_at").notNull(),
    seenKind: smallint("seen_kind").notNull().default(0),
    seenId: bigint("seen_id", { mode: "number" }).notNull().default(0),
    /** When to look for results again. */
    dueAt: instant("due_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "recovery_model_watches_pk", columns: [table.vendorId] }),
    foreignKey({ name: "recovery_model_watches_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
  ],
);

/** What the tests have seen of a family's models of one source, and the version that was given up. */
export const recoveryModelTrust = pgTable(
  "recovery_model_trust",
  {
    vendorId: vendorReference(),
    source: text("source", { enum: enumValues(ModelSource) }).notNull(),
    /** Counts and stakes of the drift test. */
    drift: jsonb("drift").$type<Record<string, unknown>>().notNull(),
    /** Results of retries that were chosen before are not tested: they are those of a model that was given up. */
    testedFrom: instant("tested_from").notNull(),
    /** Set together, while the version does not decide. */
    givenUpVersion: text("given_up_version"),
    givenUpAt: instant("given_up_at"),
    givenUpFor: text("given_up_for", { enum: enumValues(ModelFallbackReason) }),
  },
  (table) => [
    primaryKey({ name: "recovery_model_trust_pk", columns: [table.vendorId, table.source] }),
    foreignKey({ name: "recovery_model_trust_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
    enumCheck("recovery_model_trust_source_word", table.source, ModelSource),
    enumCheck("recovery_model_trust_reason_word", table.givenUpFor, ModelFallbackReason),
    check(
      "recovery_model_trust_given_up",
      sql`(${table.givenUpVersion} is null) = (${table.givenUpAt} is null) and (${table.givenUpAt} is null) = (${table.givenUpFor} is null)`,
    ),
  ],
);

/** Models that were trained or given up, and models that decide again. Rows never change. */
export const recoveryModelEvents = pgTable(
  "recovery_model_events",
  {
    vendorId: vendorReference(),
    id: identity(),
    type: text("type", { enum: modelEventTypes }).notNull(),
    /** The model that it is about. */
    source: text("source", { enum: enumValues(ModelSource) }).notNull(),
    version: text("version").notNull(),
    /** What decides from then on; null for a training. */
    decides: text("decides", { enum: enumValues(ModelSource) }),
    /** Why the model was given up; null for a training and for the end of a fallback. */
    reason: text("reason", { enum: enumValues(ModelFallbackReason) }),
    occurredAt: instant("occurred_at").notNull(),
  },
  (table) => [
    vendorPrimaryKey("recovery_model_events_pk", table),
    index("recovery_model_events_occurred").on(table.vendorId, table.occurredAt, table.id),
    foreignKey({ name: "recovery_model_events_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
    check("recovery_model_events_type_word", sql`${table.type} in ('MODEL_TRAINED', 'MODEL_FALLBACK')`),
    enumCheck("recovery_model_events_source_word", table.source, ModelSource),
    enumCheck("recovery_model_events_decides_word", table.decides, ModelSource),
    enumCheck("recovery_model_events_reason_word", table.reason, ModelFallbackReason),
    check(
      "recovery_model_events_fallback",
      sql`(${table.type} = 'MODEL_FALLBACK') = (${table.decides} is not null) and (${table.type} = 'MODEL_FALLBACK' or ${table.reason} is null)`,
    ),
  ],
);
