CREATE TABLE "business_days" (
	"vendor_id" bigint NOT NULL,
	"day" date NOT NULL,
	"metric" text NOT NULL,
	"currency" text NOT NULL,
	"gateway" text DEFAULT '' NOT NULL,
	"code" text DEFAULT '' NOT NULL,
	"advice" text DEFAULT '' NOT NULL,
	"shard" smallint NOT NULL,
	"count" integer NOT NULL,
	"amount" numeric(38, 6) DEFAULT 0 NOT NULL,
	CONSTRAINT "business_days_pk" PRIMARY KEY("vendor_id","metric","day","currency","gateway","code","advice","shard"),
	CONSTRAINT "business_days_metric_word" CHECK ("business_days"."metric" in ('GROSS', 'REFUNDED', 'DECLINED', 'STARTED', 'ENDED'))
);
--> statement-breakpoint
ALTER TABLE "business_days" ADD CONSTRAINT "business_days_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
INSERT INTO "business_days" ("vendor_id", "day", "metric", "currency", "gateway", "code", "advice", "shard", "count", "amount")
SELECT x."vendor_id", (x."at" AT TIME ZONE v."zone_id")::date, x."metric", x."currency", x."gateway", x."code", x."advice", 0, count(*), sum(x."amount")
FROM (
	SELECT "vendor_id", "created_at" AS "at", CASE "account" WHEN 'SALES' THEN 'GROSS' ELSE 'REFUNDED' END AS "metric", "currency", '' AS "gateway", '' AS "code", '' AS "advice", abs("amount") AS "amount"
	FROM "ledger_entries" WHERE "account" IN ('SALES', 'REFUNDS')
	UNION ALL SELECT "vendor_id", "settled_at", 'DECLINED', "currency", "payment_gateway", upper(trim(coalesce("error_code", ''))), upper(trim(coalesce("advice_code", ''))), "amount"
	FROM "payments" WHERE "state" = 'FAILED' AND coalesce("error_code", '') NOT IN ('GATEWAY_UNAVAILABLE', 'NOT_CHARGED')
	UNION ALL SELECT "vendor_id", "start_date", 'STARTED', '', '', '', '', 0 FROM "subscriptions"
	UNION ALL SELECT "vendor_id", coalesce("end_date", "modified_at"), 'ENDED', '', '', '', '', 0 FROM "subscriptions" WHERE "status" IN ('CANCELED', 'EXPIRED')
) x JOIN "vendors" v ON v."id" = x."vendor_id"
GROUP BY 1, 2, 3, 4, 5, 6, 7;
