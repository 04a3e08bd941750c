CREATE TABLE "recovery_model_activations" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "recovery_model_activations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"model_id" bigint NOT NULL,
	"training_id" bigint NOT NULL,
	"activated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "recovery_model_activations_pk" PRIMARY KEY("vendor_id","id")
);
--> statement-breakpoint
CREATE TABLE "recovery_models" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "recovery_models_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"version" text NOT NULL,
	"features" text NOT NULL,
	"prior_version" text NOT NULL,
	"tries" integer NOT NULL,
	"tries_from" timestamp (3) with time zone NOT NULL,
	"tries_until" timestamp (3) with time zone NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL,
	"model" json NOT NULL,
	CONSTRAINT "recovery_models_pk" PRIMARY KEY("vendor_id","id")
);
--> statement-breakpoint
CREATE TABLE "recovery_trainings" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "recovery_trainings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"state" text NOT NULL,
	"trigger" text NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone,
	"runs" integer DEFAULT 0 NOT NULL,
	"result" text,
	"model_id" bigint,
	"tries" integer,
	"left_out" jsonb,
	"evaluation" jsonb,
	"failure" text,
	CONSTRAINT "recovery_trainings_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "recovery_trainings_state_word" CHECK ("recovery_trainings"."state" in ('REQUESTED', 'RUNNING', 'DONE', 'FAILED')),
	CONSTRAINT "recovery_trainings_trigger_word" CHECK ("recovery_trainings"."trigger" in ('NIGHT', 'REQUEST')),
	CONSTRAINT "recovery_trainings_result_word" CHECK ("recovery_trainings"."result" in ('ACTIVATED', 'NOT_BETTER', 'BADLY_CALIBRATED', 'TOO_FEW_TRIES', 'TOO_FEW_NEW_TRIES')),
	CONSTRAINT "recovery_trainings_end" CHECK (("recovery_trainings"."state" = 'DONE') = ("recovery_trainings"."result" is not null) and ("recovery_trainings"."state" = 'FAILED') = ("recovery_trainings"."failure" is not null) and ("recovery_trainings"."state" in ('DONE', 'FAILED')) = ("recovery_trainings"."finished_at" is not null) and ("recovery_trainings"."state" = 'RUNNING') = ("recovery_trainings"."lease_until" is not null))
);
--> statement-breakpoint
CREATE TABLE "shared_recovery_models" (
	"version" text PRIMARY KEY NOT NULL,
	"scope" text NOT NULL,
	"country" text,
	"features" text NOT NULL,
	"tries" integer NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL,
	"model" json NOT NULL,
	CONSTRAINT "shared_recovery_models_scope_word" CHECK ("shared_recovery_models"."scope" in ('PUBLISHED', 'COUNTRY')),
	CONSTRAINT "shared_recovery_models_of_country" CHECK (("shared_recovery_models"."scope" = 'COUNTRY') = ("shared_recovery_models"."country" is not null))
);
--> statement-breakpoint
ALTER TABLE "recovery_model_activations" ADD CONSTRAINT "recovery_model_activations_model_fk" FOREIGN KEY ("vendor_id","model_id") REFERENCES "public"."recovery_models"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_model_activations" ADD CONSTRAINT "recovery_model_activations_training_fk" FOREIGN KEY ("vendor_id","training_id") REFERENCES "public"."recovery_trainings"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_models" ADD CONSTRAINT "recovery_models_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_trainings" ADD CONSTRAINT "recovery_trainings_model_fk" FOREIGN KEY ("vendor_id","model_id") REFERENCES "public"."recovery_models"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_trainings" ADD CONSTRAINT "recovery_trainings_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "recovery_models_version" ON "recovery_models" USING btree ("vendor_id","version");--> statement-breakpoint
CREATE INDEX "recovery_models_made" ON "recovery_models" USING btree ("vendor_id","made_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "recovery_trainings_one_open" ON "recovery_trainings" USING btree ("vendor_id") WHERE state in ('REQUESTED', 'RUNNING');--> statement-breakpoint
CREATE INDEX "recovery_trainings_requested" ON "recovery_trainings" USING btree ("vendor_id","requested_at","id");--> statement-breakpoint
CREATE INDEX "shared_recovery_models_country" ON "shared_recovery_models" USING btree ("country","made_at");