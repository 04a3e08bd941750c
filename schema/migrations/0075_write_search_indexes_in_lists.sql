-- Changes only how rows that are written from now on go into the indexes: no index is built again.
ALTER INDEX "customers_search" SET (fastupdate = on, gin_pending_list_limit = 256);--> statement-breakpoint
ALTER INDEX "customers_phone" SET (fastupdate = on, gin_pending_list_limit = 256);--> statement-breakpoint
ALTER INDEX "products_search" SET (fastupdate = on, gin_pending_list_limit = 256);--> statement-breakpoint
ALTER INDEX "orders_search" SET (fastupdate = on, gin_pending_list_limit = 256);