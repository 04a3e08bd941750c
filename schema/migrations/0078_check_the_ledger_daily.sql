CREATE TABLE "ledger_checks" (
	"day" date PRIMARY KEY NOT NULL,
	"vendor_id_read" bigint DEFAULT 0 NOT NULL,
	"order_id_read" bigint DEFAULT 0 NOT NULL,
	"unbalanced_payments" integer DEFAULT 0 NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone
);
