DROP INDEX "customers_search";--> statement-breakpoint
DROP INDEX "products_search";--> statement-breakpoint
DROP INDEX "orders_search";--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "search_text" text GENERATED ALWAYS AS (lower(name || chr(31) || email)) STORED;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "search_text" text GENERATED ALWAYS AS (lower(code || chr(31) || name)) STORED;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "search_text" text GENERATED ALWAYS AS (lower(code || chr(31) || product_name || chr(31) || customer_name || chr(31) || customer_email || chr(31) || replace(customer_phone, '+', ''))) STORED;--> statement-breakpoint
CREATE INDEX "customers_search" ON "customers" USING gin ("vendor_id","search_text" gin_trgm_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "products_search" ON "products" USING gin ("vendor_id","search_text" gin_trgm_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "orders_search" ON "orders" USING gin ("vendor_id","search_text" gin_trgm_ops) WITH (fastupdate=false);