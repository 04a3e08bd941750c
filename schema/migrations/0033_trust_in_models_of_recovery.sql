CREATE TABLE "recovery_model_events" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "recovery_model_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"source" text NOT NULL,
	"version" text NOT NULL,
	"decides" text,
	"reason" text,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "recovery_model_events_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "recovery_model_events_type_word" CHECK ("recovery_model_events"."type" in ('MODEL_TRAINED', 'MODEL_FALLBACK')),
	CONSTRAINT "recovery_model_events_source_word" CHECK ("recovery_model_events"."source" in ('VENDOR', 'COUNTRY', 'PUBLISHED', 'EVEN')),
	CONSTRAINT "recovery_model_events_decides_word" CHECK ("recovery_model_events"."decides" in ('VENDOR', 'COUNTRY', 'PUBLISHED', 'EVEN')),
	CONSTRAINT "recovery_model_events_reason_word" CHECK ("recovery_model_events"."reason" in ('OFF', 'MISSING', 'STALE', 'MISCALIBRATED', 'WORSE_THAN_COUNTING')),
	CONSTRAINT "recovery_model_events_fallback" CHECK (("recovery_model_events"."type" = 'MODEL_FALLBACK') = ("recovery_model_events"."decides" is not null) and ("recovery_model_events"."type" = 'MODEL_FALLBACK' or "recovery_model_events"."reason" is null))
);
--> statement-breakpoint
CREATE TABLE "recovery_model_trust" (
	"vendor_id" bigint NOT NULL,
	"source" text NOT NULL,
	"drift" jsonb NOT NULL,
	"tested_from" timestamp (3) with time zone NOT NULL,
	"given_up_version" text,
	"given_up_at" timestamp (3) with time zone,
	"given_up_for" text,
	CONSTRAINT "recovery_model_trust_pk" PRIMARY KEY("vendor_id","source"),
	CONSTRAINT "recovery_model_trust_source_word" CHECK ("recovery_model_trust"."source" in ('VENDOR', 'COUNTRY', 'PUBLISHED', 'EVEN')),
	CONSTRAINT "recovery_model_trust_reason_word" CHECK ("recovery_model_trust"."given_up_for" in ('OFF', 'MISSING', 'STALE', 'MISCALIBRATED', 'WORSE_THAN_COUNTING')),
	CONSTRAINT "recovery_model_trust_given_up" CHECK (("recovery_model_trust"."given_up_version" is null) = ("recovery_model_trust"."given_up_at" is null) and ("recovery_model_trust"."given_up_at" is null) = ("recovery_model_trust"."given_up_for" is null))
);
--> statement-breakpoint
CREATE TABLE "recovery_model_watches" (
	"vendor_id" bigint NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"seen_kind" smallint DEFAULT 0 NOT NULL,
	"seen_id" bigint DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "recovery_model_watches_pk" PRIMARY KEY("vendor_id")
);
--> statement-breakpoint
ALTER TABLE "recovery_model_events" ADD CONSTRAINT "recovery_model_events_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_model_trust" ADD CONSTRAINT "recovery_model_trust_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_model_watches" ADD CONSTRAINT "recovery_model_watches_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "recovery_model_events_occurred" ON "recovery_model_events" USING btree ("vendor_id","occurred_at","id");--> statement-breakpoint
CREATE INDEX "cover_attempts_results" ON "cover_attempts" USING btree ("vendor_id","attempted_at","id") WHERE kind = 'SCHEDULED';--> statement-breakpoint
CREATE INDEX "covers_recovered" ON "covers" USING btree ("vendor_id","ended_at","id") WHERE state = 'RECOVERED';