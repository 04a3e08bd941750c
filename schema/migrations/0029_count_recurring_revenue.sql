CREATE TABLE "recurring_amounts" (
	"vendor_id" bigint NOT NULL,
	"subscription_id" bigint NOT NULL,
	"amount" numeric(38, 6) NOT NULL,
	CONSTRAINT "recurring_amounts_pk" PRIMARY KEY("vendor_id","subscription_id")
);
--> statement-breakpoint
ALTER TABLE "business_days" DROP CONSTRAINT "business_days_metric_word";--> statement-breakpoint
ALTER TABLE "recurring_amounts" ADD CONSTRAINT "recurring_amounts_subscription_fk" FOREIGN KEY ("vendor_id","subscription_id") REFERENCES "public"."subscriptions"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "business_days" ADD CONSTRAINT "business_days_metric_word" CHECK ("business_days"."metric" in ('GROSS', 'REFUNDED', 'DECLINED', 'STARTED', 'ENDED', 'RECURRING'));--> statement-breakpoint
INSERT INTO "recurring_amounts" ("vendor_id", "subscription_id", "amount")
SELECT s."vendor_id", s."id", (
		SELECT coalesce(round(sum((i."price" + i."option_price") * i."quantity") * CASE s."interval" WHEN 'DAY' THEN 365 WHEN 'WEEK' THEN 52 WHEN 'MONTH' THEN 12 ELSE 1 END / (12 * s."interval_count"), 6), 0)
		FROM "subscription_items" i JOIN "price_plans" p ON p."vendor_id" = i."vendor_id" AND p."id" = i."price_id"
		WHERE i."vendor_id" = s."vendor_id" AND i."subscription_id" = s."id" AND i."activated_at" IS NOT NULL AND i."removed_at" IS NULL
			AND (i."keep_when_renew" OR NOT i."is_additional") AND p."type" NOT IN ('ONE_TIME', 'UNIT_BASED', 'USAGE_BASED'))
FROM "subscriptions" s
WHERE s."status" IN ('ACTIVE', 'QUEUEING', 'UNPAID', 'PENDING_PAUSE', 'PENDING_CANCEL') AND (s."trial_end_date" IS NULL OR s."renewal_count" > 0);--> statement-breakpoint
INSERT INTO "business_days" ("vendor_id", "day", "metric", "currency", "shard", "count", "amount")
SELECT x."vendor_id", (x."at" AT TIME ZONE v."zone_id")::date, 'RECURRING', x."currency", 0, count(*), sum(x."sign" * x."amount")
FROM (
	SELECT s."vendor_id", s."currency", t."at", t."sign", (
		SELECT coalesce(round(sum((i."price" + i."option_price") * i."quantity") * CASE s."interval" WHEN 'DAY' THEN 365 WHEN 'WEEK' THEN 52 WHEN 'MONTH' THEN 12 ELSE 1 END / (12 * s."interval_count"), 6), 0)
		FROM "subscription_items" i JOIN "price_plans" p ON p."vendor_id" = i."vendor_id" AND p."id" = i."price_id"
		WHERE i."vendor_id" = s."vendor_id" AND i."subscription_id" = s."id" AND i."activated_at" IS NOT NULL AND i."removed_at" IS NULL
			AND (i."keep_when_renew" OR NOT i."is_additional") AND p."type" NOT IN ('ONE_TIME', 'UNIT_BASED', 'USAGE_BASED')) AS "amount"
	FROM "subscriptions" s CROSS JOIN LATERAL (
		VALUES (coalesce(s."trial_end_date", s."start_date"), 1),
			(CASE WHEN s."status" IN ('CANCELED', 'EXPIRED') THEN coalesce(s."end_date", s."modified_at") WHEN s."status" = 'PAUSE' THEN coalesce(s."paused_at", s."modified_at") END, -1)
	) t ("at", "sign")
	WHERE t."at" IS NOT NULL AND s."status" <> 'INCOMPLETE' AND (s."trial_end_date" IS NULL OR s."renewal_count" > 0)
) x JOIN "vendors" v ON v."id" = x."vendor_id"
GROUP BY 1, 2, 4;
