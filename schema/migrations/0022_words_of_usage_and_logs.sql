ALTER TABLE "subscription_items" DROP CONSTRAINT "subscription_items_type_word";--> statement-breakpoint
ALTER TABLE "order_items" DROP CONSTRAINT "order_items_type_word";--> statement-breakpoint
ALTER TABLE "order_logs" DROP CONSTRAINT "order_logs_type_word";--> statement-breakpoint
ALTER TABLE "subscription_items" ADD CONSTRAINT "subscription_items_type_word" CHECK ("subscription_items"."type" in ('SKU', 'TAX', 'SHIPPING', 'DISCOUNT', 'FEE', 'OFFLINE', 'ADDS', 'INSTANT'));--> statement-breakpoint
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_type_word" CHECK ("order_items"."type" in ('SKU', 'TAX', 'SHIPPING', 'DISCOUNT', 'FEE', 'OFFLINE', 'ADDS', 'INSTANT'));--> statement-breakpoint
ALTER TABLE "order_logs" ADD CONSTRAINT "order_logs_type_word" CHECK ("order_logs"."type" in ('MANAGER', 'CUSTOMER', 'SYSTEM', 'V1', 'RENEW'));--> statement-breakpoint
-- A gateway from before this migration may still write the old word.
CREATE FUNCTION price_plans_usage_word() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.aggregate_usage_type := 'LAST_DURING_PERIOD';
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER price_plans_usage_word BEFORE INSERT OR UPDATE OF aggregate_usage_type ON price_plans
  FOR EACH ROW WHEN (NEW.aggregate_usage_type = 'LAST') EXECUTE FUNCTION price_plans_usage_word();--> statement-breakpoint
UPDATE price_plans SET aggregate_usage_type = 'LAST_DURING_PERIOD' WHERE aggregate_usage_type = 'LAST';
