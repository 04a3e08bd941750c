import { sql } from "drizzle-orm";
import { check, foreignKey, index, integer, json, jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { ModelScope, PoolingResult, TrainingResult, TrainingState, TrainingTrigger } from "../vocabulary.ts";
import {
  countColumn,
  enumCheck,
  enumValues,
  identity,
  instant,
  reference,
  vendorForeignKey,
  vendorPrimaryKey,
  vendorReference,
} from "./columns.ts";
import { vendors } from "./vendors.ts";

/*
 * The models that SMART chooses times by. A model never changes: decisions name its version, and replays load it. Models of a
 * family belong to the vendor at its top.
 */

/** The content of a model; `json` keeps its text as it was written, because the version is a digest of it. */
const modelColumn = () => json("model").$type<Record<string, unknown>>().notNull();

/** Models that belong to no vendor: the prior that ships with a version of Recoup, and priors pooled by country. */
export const sharedRecoveryModels = pgTable(
  "shared_recovery_models",
  {
    /** The digest of its content. */
    version: text("version").primaryKey(),
    scope: text("scope", { enum: enumValues(ModelScope) }).notNull(),
    /** ISO 3166-1 alpha-2 code; set exactly for a prior of a country. */
    country: text("country"),
    features: text("features").notNull(),
    tries: integer("tries").notNull(),
    madeAt: instant("made_at").notNull(),
    model: modelColumn(),
  },
  (table) => [
    index("shared_recovery_models_country").on(table.country, table.madeAt),
    enumCheck("shared_recovery_models_scope_word", table.scope, ModelScope),
    check("shared_recovery_models_of_country", sql`(${table.scope} = 'COUNTRY') = (${table.country} is not null)`),
  ],
);

/**
 * Poolings of the retries of families that share them, by country: requested, under way, and what came of them. At most one of a
 * country is open. A country's model is that of its newest pooling that is done, if it was activated. Which vendors took part is
 * not stored.
 */
export const recoveryPoolings = pgTable(
  "recovery_poolings",
  {
    id: identity().primaryKey(),
    /** ISO 3166-1 alpha-2 code. */
    country: text("country").notNull(),
    state: text("state", { enum: enumValues(TrainingState) }).notNull(),
    requestedAt: instant("requested_at").notNull(),
    startedAt: instant("started_at"),
    finishedAt: instant("finished_at"),
    /** Until when a worker has the pooling to itself; it is extended while the pooling runs. */
    leaseUntil: instant("lease_until"),
    /** How often a worker has taken it on; more than once where one died. */
    runs: integer("runs").notNull().default(0),
    /** What came of it; set exactly when it is done. */
    result: text("result", { enum: enumValues(PoolingResult) }),
    /** The candidate that it made, whether or not it became active. */
    version: text("version"),
    /** Number of families that took part, and of their retries. */
    families: integer("families"),
    tries: integer("tries"),
    /** The comparison of the candidate and the published prior on families that were held out. */
    evaluation: jsonb("evaluation").$type<Record<string, unknown>>(),
    /** Why it failed; set exactly when it failed. */
    failure: text("failure"),
  },
  (table) => [
    uniqueIndex("recovery_poolings_one_open")
      .on(table.country)
      .where(sql`state in ('REQUESTED', 'RUNNING')`),
    index("recovery_poolings_done")
      .on(table.country, table.id)
      .where(sql`state = 'DONE'`),
    index("recovery_poolings_requested").on(table.requestedAt),
    foreignKey({
      name: "recovery_poolings_version_fk",
      columns: [table.version],
      foreignColumns: [sharedRecoveryModels.version],
    }),
    enumCheck("recovery_poolings_state_word", table.state, TrainingState),
    enumCheck("recovery_poolings_result_word", table.result, PoolingResult),
    check(
      "recovery_poolings_end",
      sql`(${table.state} = 'DONE') = (${table.result} is not null) and (${table.state} = 'FAILED') = (${table.failure} is not null) and (${table.state} in ('DONE', 'FAILED')) = (${table.finishedAt} is not null) and (${table.state} = 'RUNNING') = (${table.leaseUntil} is not null) and (${table.result} = 'ACTIVATED' and ${table.version} is null) is not true`,
    ),
  ],
);

/** Models that were trained on the retries of a vendor and its children. */
export const recoveryModels = pgTable(
  "recovery_models",
  {
    vendorId: vendorReference(),
    id: identity(),
    /** The digest of its content. */
    version: text("version").notNull(),
    /** Version of the features that its weights belong to. */
    features: text("features").notNull(),
    /** The model that its weights were expected to be near. */
    priorVersion: text("prior_version").notNull(),
    /** Number of retries that it was fitted on, and the times of the first and the last. */
    tries: integer("tries").notNull(),
    /** How many of them were imported from another system. */
    importedTries: countColumn("imported_tries"),
    triesFrom: instant("tries_from").notNull(),
    triesUntil: instant("tries_until").notNull(),
    madeAt: instant("made_at").notNull(),
    model: modelColumn(),
  },
  (table) => [
    vendorPrimaryKey("recovery_models_pk", table),
    uniqueIndex("recovery_models_version").on(table.vendorId, table.version),
    index("recovery_models_made").on(table.vendorId, table.madeAt, table.id),
    foreignKey({ name: "recovery_models_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
  ],
);

/** Trainings of a family's model: requested, under way, and what came of them. At most one is open. */
export const recoveryTrainings = pgTable(
  "recovery_trainings",
  {
    vendorId: vendorReference(),
    id: identity(),
    state: text("state", { enum: enumValues(TrainingState) }).notNull(),
    trigger: text("trigger", { enum: enumValues(TrainingTrigger) }).notNull(),
    requestedAt: instant("requested_at").notNull(),
    startedAt: instant("started_at"),
    finishedAt: instant("finished_at"),
    /** Until when a worker has the training to itself; it is extended while the training runs. */
    leaseUntil: instant("lease_until"),
    /** How often a worker has taken it on; more than once where one died. */
    runs: integer("runs").notNull().default(0),
    /** What came of it; set exactly when it is done. */
    result: text("result", { enum: enumValues(TrainingResult) }),
    /** The candidate that it made, whether or not it became active. */
    modelId: reference("model_id"),
    /** Number of retries that were found, and what was left out of them by reason. */
    tries: integer("tries"),
    leftOut: jsonb("left_out").$type<Record<string, number>>(),
    /** The comparison of the candidate and the model that was active on the newest retries. */
    evaluation: jsonb("evaluation").$type<Record<string, unknown>>(),
    /** Why it failed; set exactly when it failed. */
    failure: text("failure"),
  },
  (table) => [
    vendorPrimaryKey("recovery_trainings_pk", table),
    uniqueIndex("recovery_trainings_one_open")
      .on(table.vendorId)
      .where(sql`state in ('REQUESTED', 'RUNNING')`),
    index("recovery_trainings_requested").on(table.vendorId, table.requestedAt, table.id),
    vendorForeignKey("recovery_trainings_model_fk", table.vendorId, table.modelId, recoveryModels),
    foreignKey({ name: "recovery_trainings_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
    enumCheck("recovery_trainings_state_word", table.state, TrainingState),
    enumCheck("recovery_trainings_trigger_word", table.trigger, TrainingTrigger),
    enumCheck("recovery_trainings_result_word", table.result, TrainingResult),
    check(
      "recovery_trainings_end",
      sql`(${table.state} = 'DONE') = (${table.result} is not null) and (${table.state} = 'FAILED') = (${table.failure} is not null) and (${table.state} in ('DONE', 'FAILED')) = (${table.finishedAt} is not null) and (${table.state} = 'RUNNING') = (${table.leaseUntil} is not null)`,
    ),
  ],
);

/** The model that a family's decisions are made by: the newest row. */
export const recoveryModelActivations = pgTable(
  "recovery_model_activations",
  {
    vendorId: vendorReference(),
    id: identity(),
    modelId: reference("model_id").notNull(),
    /** The training that compared it with the model before. */
    trainingId: reference("training_id").notNull(),
    activatedAt: instant("activated_at").notNull(),
  },
  (table) => [
    vendorPrimaryKey("recovery_model_activations_pk", table),
    vendorForeignKey("recovery_model_activations_model_fk", table.vendorId, table.modelId, recoveryModels),
    vendorForeignKey("recovery_model_activations_training_fk", table.vendorId, table.trainingId, recoveryTrainings),
  ],
);
