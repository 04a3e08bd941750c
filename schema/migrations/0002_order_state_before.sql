ALTER TABLE "cover_orders" ADD COLUMN "previous_status" text;--> statement-breakpoint
ALTER TABLE "cover_orders" ADD CONSTRAINT "cover_orders_previous_status_word" CHECK ("cover_orders"."previous_status" in ('CREATED', 'PAID', 'CANCEL_REQ', 'CANCELED', 'CHANGE_REQ', 'CHANGE_PROCESS', 'CHANGED', 'RETURN_REQ', 'RETURN_PROCESS', 'RETURNED', 'PREPARING', 'SHIPPING', 'FULFILLED', 'FULL_REFUND', 'PARTIAL_REFUND', 'PAYMENT_FAILURE'));--> statement-breakpoint
-- An open request for cancellation leads back to where it was made, which only the timeline has known so far.
UPDATE "cover_orders" SET "previous_status" = (
	SELECT "facts"->>'from' FROM "cover_events"
	WHERE "cover_events"."vendor_id" = "cover_orders"."vendor_id" AND "cover_events"."order_id" = "cover_orders"."id"
		AND "type" = 'ORDER_STATUS_CHANGED' AND "facts"->>'to' = 'CANCEL_REQ'
	ORDER BY "occurred_at" DESC, "cover_events"."id" DESC LIMIT 1
) WHERE "status" = 'CANCEL_REQ';
