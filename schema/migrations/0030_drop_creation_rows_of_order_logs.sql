-- The creation of an order is no row of its log any more; the timeline has it.
DELETE FROM "order_logs" WHERE "content" = 'The order was made.';
