CREATE TABLE "catalogue_versions" (
	"vendor_id" bigint NOT NULL,
	"version" uuid NOT NULL,
	CONSTRAINT "catalogue_versions_pk" PRIMARY KEY("vendor_id")
);
--> statement-breakpoint
ALTER TABLE "catalogue_versions" ADD CONSTRAINT "catalogue_versions_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;