-- Both tables are locked at once, in the order of those who write attempts.
LOCK TABLE "webhook_deliveries", "webhook_attempts" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
ALTER TABLE "webhook_attempts" DROP CONSTRAINT "webhook_attempts_delivery_fk";--> statement-breakpoint
-- The table until now becomes the first partition as it is, with its key: no row is copied and no index is built. It is read twice.
ALTER TABLE "webhook_attempts" RENAME TO "webhook_attempts_first";--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"vendor_id" bigint NOT NULL,
	"delivery_id" bigint NOT NULL,
	"number" smallint NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"status" smallint,
	"error" text,
	"response" text
) PARTITION BY RANGE ("started_at");--> statement-breakpoint
CREATE TABLE "webhook_attempts_default" PARTITION OF "webhook_attempts" DEFAULT;--> statement-breakpoint
ALTER TABLE "webhook_attempts_default" ADD CONSTRAINT "webhook_attempts_default_pk" PRIMARY KEY ("vendor_id","delivery_id","number");--> statement-breakpoint
-- The first partition ends with the month of tomorrow, or with that of its last row. A worker makes the months after it. An empty one
-- is left out, so that a restore can make the partitions of its backup.
DO $$
BEGIN
	IF NOT EXISTS (SELECT FROM webhook_attempts_first) THEN
		DROP TABLE webhook_attempts_first;
		RETURN;
	END IF;
	EXECUTE format('ALTER TABLE webhook_attempts ATTACH PARTITION webhook_attempts_first FOR VALUES FROM (MINVALUE) TO (%L)',
		date_trunc('month', greatest(now() + interval '1 day', (SELECT max(started_at) FROM webhook_attempts_first)) AT TIME ZONE 'utc') + interval '1 month' || '+00');
END $$;
