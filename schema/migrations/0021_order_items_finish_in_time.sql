ALTER TABLE "vendor_settings" ADD COLUMN "finished_after_hours" integer DEFAULT 24 NOT NULL;--> statement-breakpoint
ALTER TABLE "vendor_settings" ADD COLUMN "exchange_until_hours" integer DEFAULT 168 NOT NULL;--> statement-breakpoint
ALTER TABLE "vendor_settings" ADD COLUMN "return_until_hours" integer DEFAULT 720 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_items" ADD COLUMN "arrived_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "order_items" ADD COLUMN "transition_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "order_items_due" ON "order_items" USING btree ("vendor_id",coalesce(transition_at, modified_at),"id") WHERE status in ('ORDER_DELIVERY_COMPLETED', 'EXCHANGE_DELIVERY_COMPLETED', 'FINISHED_EXCHANGE_AVAILABLE', 'FINISHED_RETURN_AVAILABLE', 'RETURN_REQUEST_REJECTED', 'EXCHANGE_REQUEST_REJECTED');--> statement-breakpoint
CREATE INDEX "order_items_due_anywhere" ON "order_items" USING btree (coalesce(transition_at, modified_at),"vendor_id") WHERE status in ('ORDER_DELIVERY_COMPLETED', 'EXCHANGE_DELIVERY_COMPLETED', 'FINISHED_EXCHANGE_AVAILABLE', 'FINISHED_RETURN_AVAILABLE', 'RETURN_REQUEST_REJECTED', 'EXCHANGE_REQUEST_REJECTED');--> statement-breakpoint
ALTER TABLE "vendor_settings" ADD CONSTRAINT "vendor_settings_finish_in_order" CHECK (0 < "vendor_settings"."finished_after_hours" and "vendor_settings"."finished_after_hours" < "vendor_settings"."exchange_until_hours" and "vendor_settings"."exchange_until_hours" < "vendor_settings"."return_until_hours");--> statement-breakpoint
-- Goods that arrived get the times that they would have had. Exchanged goods arrived with what they were exchanged for.
UPDATE "order_items" i SET "arrived_at" = h."at"
  FROM (
    SELECT "vendor_id", "item_id",
      greatest(min("created_at") FILTER (WHERE "status" = 'ORDER_DELIVERY_COMPLETED'), max("created_at") FILTER (WHERE "status" = 'EXCHANGE_DELIVERY_COMPLETED')) AS "at"
    FROM "order_item_histories" WHERE "status" IN ('ORDER_DELIVERY_COMPLETED', 'EXCHANGE_DELIVERY_COMPLETED') GROUP BY 1, 2
  ) h
  WHERE h."vendor_id" = i."vendor_id" AND h."item_id" = i."id"
    AND i."status" NOT IN ('FINISHED_SUCCESSFULLY', 'RETURN_REFUNDED', 'RETURN_REJECT_DELIVERY_COMPLETED', 'EXCHANGE_REJECT_DELIVERY_COMPLETED');--> statement-breakpoint
UPDATE "order_items" SET "transition_at" = coalesce("arrived_at", "modified_at") + CASE
    WHEN "status" IN ('ORDER_DELIVERY_COMPLETED', 'EXCHANGE_DELIVERY_COMPLETED') THEN interval '24 hours'
    WHEN "status" = 'FINISHED_EXCHANGE_AVAILABLE' THEN interval '168 hours'
    WHEN "status" = 'FINISHED_RETURN_AVAILABLE' THEN interval '720 hours'
    -- A refused request waits for the next of these times.
    WHEN coalesce("arrived_at", "modified_at") + interval '24 hours' > "modified_at" THEN interval '24 hours'
    WHEN coalesce("arrived_at", "modified_at") + interval '168 hours' > "modified_at" THEN interval '168 hours'
    ELSE interval '720 hours'
  END
  WHERE "status" IN ('ORDER_DELIVERY_COMPLETED', 'EXCHANGE_DELIVERY_COMPLETED', 'FINISHED_EXCHANGE_AVAILABLE', 'FINISHED_RETURN_AVAILABLE', 'RETURN_REQUEST_REJECTED', 'EXCHANGE_REQUEST_REJECTED');
