ALTER TABLE "exchange_rates" ALTER COLUMN "rate" SET DATA TYPE numeric(27, 12);--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "exchange_rate" SET DATA TYPE numeric(27, 12);