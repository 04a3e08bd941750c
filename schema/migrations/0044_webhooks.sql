CREATE TABLE "webhook_attempts" (
	"vendor_id" bigint NOT NULL,
	"delivery_id" bigint NOT NULL,
	"number" smallint NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"status" smallint,
	"error" text,
	"response" text,
	CONSTRAINT "webhook_attempts_pk" PRIMARY KEY("vendor_id","delivery_id","number")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "webhook_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"endpoint_id" bigint NOT NULL,
	"event_id" text NOT NULL,
	"event_type" text NOT NULL,
	"subject" text,
	"subject_id" bigint,
	"body" text NOT NULL,
	"state" text NOT NULL,
	"due_at" timestamp (3) with time zone,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"first_attempt_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_deliveries_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "webhook_deliveries_state_word" CHECK ("webhook_deliveries"."state" in ('PENDING', 'SUCCEEDED', 'FAILED')),
	CONSTRAINT "webhook_deliveries_end" CHECK (("webhook_deliveries"."state" = 'PENDING') = ("webhook_deliveries"."ended_at" is null) and ("webhook_deliveries"."state" = 'PENDING' or "webhook_deliveries"."due_at" is null)),
	CONSTRAINT "webhook_deliveries_subject_id" CHECK (("webhook_deliveries"."subject" is null) = ("webhook_deliveries"."subject_id" is null))
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "webhook_endpoints_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"url" text NOT NULL,
	"description" text,
	"event_types" text[],
	"enabled" boolean DEFAULT true NOT NULL,
	"disabled_reason" text,
	"disabled_at" timestamp (3) with time zone,
	"secret" "bytea" NOT NULL,
	"previous_secret" "bytea",
	"previous_secret_until" timestamp (3) with time zone,
	"last_read_number" bigint NOT NULL,
	"due_at" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"last_success_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"modified_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_endpoints_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "webhook_endpoints_disabled_word" CHECK ("webhook_endpoints"."disabled_reason" in ('MERCHANT', 'FAILING', 'GONE')),
	CONSTRAINT "webhook_endpoints_disabled" CHECK ("webhook_endpoints"."enabled" = ("webhook_endpoints"."disabled_reason" is null) and "webhook_endpoints"."enabled" = ("webhook_endpoints"."disabled_at" is null)),
	CONSTRAINT "webhook_endpoints_deleted" CHECK ("webhook_endpoints"."deleted_at" is null or not "webhook_endpoints"."enabled"),
	CONSTRAINT "webhook_endpoints_previous_secret" CHECK (("webhook_endpoints"."previous_secret" is null) = ("webhook_endpoints"."previous_secret_until" is null))
);
--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_fk" FOREIGN KEY ("vendor_id","delivery_id") REFERENCES "public"."webhook_deliveries"("vendor_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_fk" FOREIGN KEY ("vendor_id","endpoint_id") REFERENCES "public"."webhook_endpoints"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("vendor_id","endpoint_id","due_at","id") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_subject" ON "webhook_deliveries" USING btree ("vendor_id","endpoint_id","subject","subject_id","id") WHERE state = 'PENDING';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created" ON "webhook_deliveries" USING btree ("vendor_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_endpoint" ON "webhook_deliveries" USING btree ("vendor_id","endpoint_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_ended" ON "webhook_deliveries" USING btree ("vendor_id","ended_at","id") WHERE ended_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_event" ON "webhook_deliveries" USING btree ("vendor_id","event_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_due" ON "webhook_endpoints" USING btree ("due_at","vendor_id","id") WHERE enabled and due_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_enabled" ON "webhook_endpoints" USING btree ("vendor_id","last_read_number","id") WHERE enabled;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_deleted" ON "webhook_endpoints" USING btree ("vendor_id","deleted_at") WHERE deleted_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_created" ON "webhook_endpoints" USING btree ("vendor_id","created_at","id");