CREATE TABLE "recovery_experiment_arms" (
	"vendor_id" bigint NOT NULL,
	"experiment_id" bigint NOT NULL,
	"number" smallint NOT NULL,
	"policy_id" bigint,
	"terms" jsonb,
	"share_parts" integer NOT NULL,
	CONSTRAINT "recovery_experiment_arms_pk" PRIMARY KEY("vendor_id","experiment_id","number"),
	CONSTRAINT "recovery_experiment_arms_holdout" CHECK (("recovery_experiment_arms"."number" = 0) = ("recovery_experiment_arms"."policy_id" is null) and ("recovery_experiment_arms"."number" = 0 or "recovery_experiment_arms"."terms" is null)),
	CONSTRAINT "recovery_experiment_arms_share" CHECK ("recovery_experiment_arms"."share_parts" between 1 and 9999)
);
--> statement-breakpoint
CREATE TABLE "recovery_experiment_counts" (
	"vendor_id" bigint NOT NULL,
	"experiment_id" bigint NOT NULL,
	"day" date NOT NULL,
	"arm" smallint NOT NULL,
	"shard" smallint NOT NULL,
	"payers" integer DEFAULT 0 NOT NULL,
	"cases" integer DEFAULT 0 NOT NULL,
	"amount" numeric(38, 6) DEFAULT 0 NOT NULL,
	"recovered" integer DEFAULT 0 NOT NULL,
	"recovered_amount" numeric(38, 6) DEFAULT 0 NOT NULL,
	"lost" integer DEFAULT 0 NOT NULL,
	"lost_amount" numeric(38, 6) DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"days_taken" integer DEFAULT 0 NOT NULL,
	"cases_squared" numeric DEFAULT 0 NOT NULL,
	"recovered_squared" numeric DEFAULT 0 NOT NULL,
	"cases_recovered" numeric DEFAULT 0 NOT NULL,
	"amount_squared" numeric DEFAULT 0 NOT NULL,
	"recovered_amount_squared" numeric DEFAULT 0 NOT NULL,
	"amount_recovered_amount" numeric DEFAULT 0 NOT NULL,
	CONSTRAINT "recovery_experiment_counts_pk" PRIMARY KEY("vendor_id","experiment_id","day","arm","shard")
);
--> statement-breakpoint
CREATE TABLE "recovery_experiment_payers" (
	"vendor_id" bigint NOT NULL,
	"experiment_id" bigint NOT NULL,
	"payer" bigint NOT NULL,
	"cases" integer DEFAULT 0 NOT NULL,
	"recovered" integer DEFAULT 0 NOT NULL,
	"amount" numeric(38, 6) DEFAULT 0 NOT NULL,
	"recovered_amount" numeric(38, 6) DEFAULT 0 NOT NULL,
	CONSTRAINT "recovery_experiment_payers_pk" PRIMARY KEY("vendor_id","experiment_id","payer")
);
--> statement-breakpoint
CREATE TABLE "recovery_experiments" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "recovery_experiments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text,
	"state" text NOT NULL,
	"salt" text NOT NULL,
	"include_children" boolean NOT NULL,
	"compared_after_days" integer NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"stopped_at" timestamp (3) with time zone,
	"covers_in_progress" text,
	"promoted_arm" smallint,
	CONSTRAINT "recovery_experiments_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "recovery_experiments_state_word" CHECK ("recovery_experiments"."state" in ('RUNNING', 'STOPPED')),
	CONSTRAINT "recovery_experiments_covers_word" CHECK ("recovery_experiments"."covers_in_progress" in ('KEEP_POLICY', 'USE_ACTIVE_POLICY')),
	CONSTRAINT "recovery_experiments_end" CHECK (("recovery_experiments"."state" = 'RUNNING') = ("recovery_experiments"."stopped_at" is null) and ("recovery_experiments"."state" = 'RUNNING') = ("recovery_experiments"."covers_in_progress" is null) and ("recovery_experiments"."state" = 'STOPPED' or "recovery_experiments"."promoted_arm" is null))
);
--> statement-breakpoint
ALTER TABLE "covers" ADD COLUMN "experiment_id" bigint;--> statement-breakpoint
ALTER TABLE "covers" ADD COLUMN "experiment_arm" smallint;--> statement-breakpoint
ALTER TABLE "covers" ADD COLUMN "experiment_payer" bigint;--> statement-breakpoint
ALTER TABLE "recovery_experiment_arms" ADD CONSTRAINT "recovery_experiment_arms_experiment_fk" FOREIGN KEY ("vendor_id","experiment_id") REFERENCES "public"."recovery_experiments"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_experiment_arms" ADD CONSTRAINT "recovery_experiment_arms_policy_fk" FOREIGN KEY ("vendor_id","policy_id") REFERENCES "public"."recovery_policies"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_experiment_counts" ADD CONSTRAINT "recovery_experiment_counts_experiment_fk" FOREIGN KEY ("vendor_id","experiment_id") REFERENCES "public"."recovery_experiments"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_experiment_payers" ADD CONSTRAINT "recovery_experiment_payers_experiment_fk" FOREIGN KEY ("vendor_id","experiment_id") REFERENCES "public"."recovery_experiments"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_experiments" ADD CONSTRAINT "recovery_experiments_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "recovery_experiments_one_running" ON "recovery_experiments" USING btree ("vendor_id") WHERE state = 'RUNNING';--> statement-breakpoint
CREATE INDEX "recovery_experiments_started" ON "recovery_experiments" USING btree ("vendor_id","started_at","id");--> statement-breakpoint
ALTER TABLE "covers" ADD CONSTRAINT "covers_experiment" CHECK (("covers"."experiment_id" is null) = ("covers"."experiment_arm" is null) and ("covers"."experiment_id" is null) = ("covers"."experiment_payer" is null));