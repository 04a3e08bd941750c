ALTER TABLE "gateway_accounts" DROP CONSTRAINT "gateway_accounts_adapter_word";--> statement-breakpoint
ALTER TABLE "gateway_accounts" ADD COLUMN "credentials_hint" text;--> statement-breakpoint
ALTER TABLE "gateway_accounts" ADD COLUMN "mode" text;--> statement-breakpoint
ALTER TABLE "gateway_accounts" ADD CONSTRAINT "gateway_accounts_mode_word" CHECK ("gateway_accounts"."mode" in ('TEST', 'LIVE'));--> statement-breakpoint
ALTER TABLE "gateway_accounts" ADD CONSTRAINT "gateway_accounts_adapter_word" CHECK ("gateway_accounts"."adapter" in ('SIMULATED', 'STRIPE'));