import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { CoversInProgress, ExperimentState } from "../vocabulary.ts";
import {
  amountColumn,
  countColumn,
  enumCheck,
  enumValues,
  identity,
  instant,
  reference,
  squareSum,
  vendorForeignKey,
  vendorPrimaryKey,
  vendorReference,
} from "./columns.ts";
import { recoveryPolicies } from "./recovery-policies.ts";
import { vendors } from "./vendors.ts";

/*
 * Experiments between policies. Every row belongs to the vendor that started the experiment, also where it counts covers of a
 * child: the experiment is the parent's, and so are its counts.
 */

/** Experiments. At most one of a vendor is running. */
export const recoveryExperiments = pgTable(
  "recovery_experiments",
  {
    vendorId: vendorReference(),
    id: identity(),
    name: text("name"),
    state: text("state", { enum: enumValues(ExperimentState) }).notNull(),
    /** Makes the draw of an experiment independent of every other's. */
    salt: text("salt").notNull(),
    includeChildren: boolean("include_children").notNull(),
    /** Covers are compared so many days after their start: all arms have had their whole window by then. */
    comparedAfterDays: integer("compared_after_days").notNull(),
    startedAt: instant("started_at").notNull(),
    stoppedAt: instant("stopped_at"),
    /** What covers in progress do since the stop; null while the experiment runs. */
    coversInProgress: text("covers_in_progress", { enum: enumValues(CoversInProgress) }),
    promotedArm: smallint("promoted_arm"),
  },
  (table) => [
    vendorPrimaryKey("recovery_experiments_pk", table),
    uniqueIndex("recovery_experiments_one_running")
      .on(table.vendorId)
      .where(sql`state = 'RUNNING'`),
    index("recovery_experiments_started").on(table.vendorId, table.startedAt, table.id),
    foreignKey({ name: "recovery_experiments_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
    enumCheck("recovery_experiments_state_word", table.state, ExperimentState),
    enumCheck("recovery_experiments_covers_word", table.coversInProgress, CoversInProgress),
    check(
      "recovery_experiments_end",
      sql`(${table.state} = 'RUNNING') = (${table.stoppedAt} is null) and (${table.state} = 'RUNNING') = (${table.coversInProgress} is null) and (${table.state} = 'STOPPED' or ${table.promotedArm} is null)`,
    ),
  ],
);

/** Arms of an experiment. Number 0 is the holdout. */
export const recoveryExperimentArms = pgTable(
  "recovery_experiment_arms",
  {
    vendorId: vendorReference(),
    experimentId: reference("experiment_id").notNull(),
    number: smallint("number").notNull(),
    /** The policy that the arm tries out; null for the holdout. */
    policyId: reference("policy_id"),
    /** The holdout's own terms; null for the built-in policy. */
    terms: jsonb("terms").$type<Record<string, unknown>>(),
    /** Its part of all payers, in ten-thousandths. */
    shareParts: integer("share_parts").notNull(),
  },
  (table) => [
    primaryKey({
      name: "recovery_experiment_arms_pk",
      columns: [table.vendorId, table.experimentId, table.number],
    }),
    vendorForeignKey("recovery_experiment_arms_experiment_fk", table.vendorId, table.experimentId, recoveryExperiments),
    vendorForeignKey("recovery_experiment_arms_policy_fk", table.vendorId, table.policyId, recoveryPolicies),
    check(
      "recovery_experiment_arms_holdout",
      sql`(${table.number} = 0) = (${table.policyId} is null) and (${table.number} = 0 or ${table.terms} is null)`,
    ),
    check("recovery_experiment_arms_share", sql`${table.shareParts} between 1 and 9999`),
  ],
);

/** Payers of an experiment by number, with the sums of their cases: what the squares of the counts are made from. */
export const recoveryExperimentPayers = pgTable(
  "recovery_experiment_payers",
  {
    vendorId: vendorReference(),
    experimentId: reference("experiment_id").notNull(),
    /** Drawn by a salted hash; it leads back to nobody. */
    payer: bigint("payer", { mode: "number" }).notNull(),
    cases: countColumn("cases"),
    recovered: countColumn("recovered"),
    amount: amountColumn("amount"),
    recoveredAmount: amountColumn("recovered_amount"),
  },
  (table) => [
    primaryKey({
      name: "recovery_experiment_payers_pk",
      columns: [table.vendorId, table.experimentId, table.payer],
    }),
    vendorForeignKey(
      "recovery_experiment_payers_experiment_fk",
      table.vendorId,
      table.experimentId,
      recoveryExperiments,
    ),
  ],
);

const squareColumn = (name: string) =>
  squareSum(name)
    .notNull()
    .default(sql`0`);

/** Covers of an experiment by the day on which they started and by arm, updated as they start and end. */
export const recoveryExperimentCounts = pgTable(
  "recovery_experiment_counts",
  {
    vendorId: vendorReference(),
    experimentId: reference("experiment_id").notNull(),
    day: date("day").notNull(),
    arm: smallint("arm").notNull(),
    /** A count is spread over a few rows, by payer, so that covers seldom wait for each other. */
    shard: smallint("shard").notNull(),
    /** Payers whose first case started on the day. */
    payers: countColumn("payers"),
    cases: countColumn("cases"),
    amount: amountColumn("amount"),
    recovered: countColumn("recovered"),
    recoveredAmount: amountColumn("recovered_amount"),
    lost: countColumn("lost"),
    lostAmount: amountColumn("lost_amount"),
    /** Attempts of the covers that ended, and whole days until the recovered ones were paid. */
    attempts: countColumn("attempts"),
    daysTaken: countColumn("days_taken"),
    /** Sums over payers of squares and products, of cases and of amounts: the growth that a day's covers brought. */
    casesSquared: squareColumn("cases_squared"),
    recoveredSquared: squareColumn("recovered_squared"),
    casesRecovered: squareColumn("cases_recovered"),
    amountSquared: squareColumn("amount_squared"),
    recoveredAmountSquared: squareColumn("recovered_amount_squared"),
    amountRecoveredAmount: squareColumn("amount_recovered_amount"),
  },
  (table) => [
    primaryKey({
      name: "recovery_experiment_counts_pk",
      columns: [table.vendorId, table.experimentId, table.day, table.arm, table.shard],
    }),
    vendorForeignKey(
      "recovery_experiment_counts_experiment_fk",
      table.vendorId,
      table.experimentId,
      recoveryExperiments,
    ),
  ],
);
