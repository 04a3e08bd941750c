CREATE TABLE "recovery_poolings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "recovery_poolings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"country" text NOT NULL,
	"state" text NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone,
	"runs" integer DEFAULT 0 NOT NULL,
	"result" text,
	"version" text,
	"families" integer,
	"tries" integer,
	"evaluation" jsonb,
	"failure" text,
	CONSTRAINT "recovery_poolings_state_word" CHECK ("recovery_poolings"."state" in ('REQUESTED', 'RUNNING', 'DONE', 'FAILED')),
	CONSTRAINT "recovery_poolings_result_word" CHECK ("recovery_poolings"."result" in ('ACTIVATED', 'TOO_FEW_VENDORS', 'NOT_BETTER', 'BADLY_CALIBRATED')),
	CONSTRAINT "recovery_poolings_end" CHECK (("recovery_poolings"."state" = 'DONE') = ("recovery_poolings"."result" is not null) and ("recovery_poolings"."state" = 'FAILED') = ("recovery_poolings"."failure" is not null) and ("recovery_poolings"."state" in ('DONE', 'FAILED')) = ("recovery_poolings"."finished_at" is not null) and ("recovery_poolings"."state" = 'RUNNING') = ("recovery_poolings"."lease_until" is not null) and ("recovery_poolings"."result" = 'ACTIVATED' and "recovery_poolings"."version" is null) is not true)
);
--> statement-breakpoint
ALTER TABLE "vendor_settings" ADD COLUMN "recovery_pooling" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "recovery_poolings" ADD CONSTRAINT "recovery_poolings_version_fk" FOREIGN KEY ("version") REFERENCES "public"."shared_recovery_models"("version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "recovery_poolings_one_open" ON "recovery_poolings" USING btree ("country") WHERE state in ('REQUESTED', 'RUNNING');--> statement-breakpoint
CREATE INDEX "recovery_poolings_done" ON "recovery_poolings" USING btree ("country","id") WHERE state = 'DONE';--> statement-breakpoint
CREATE INDEX "recovery_poolings_requested" ON "recovery_poolings" USING btree ("requested_at");--> statement-breakpoint
CREATE INDEX "covers_country" ON "covers" USING btree ("vendor_id","country","started_at","id");