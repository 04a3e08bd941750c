ALTER TABLE "products" ADD COLUMN "draft_of" text;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "submitted_to" bigint;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "submitted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_submitted_fk" FOREIGN KEY ("submitted_to") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "products_submitted" ON "products" USING btree ("submitted_to","submitted_at","id");--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_draft" CHECK (("products"."type" = 'DRAFT') = ("products"."draft_of" is not null));--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_draft_word" CHECK ("products"."draft_of" in ('BOX', 'SOFTWARE'));--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_submitted" CHECK (("products"."status" = 'WAITING_APPROVAL') = ("products"."submitted_to" is not null) and ("products"."submitted_to" is null) = ("products"."submitted_at" is null));