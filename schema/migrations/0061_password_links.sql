CREATE TABLE "password_links" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "password_links_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"manager_id" bigint NOT NULL,
	"uuid" uuid NOT NULL,
	"hash" "bytea",
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"send_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "password_links_pk" PRIMARY KEY("vendor_id","id")
);
--> statement-breakpoint
ALTER TABLE "password_links" ADD CONSTRAINT "password_links_manager_fk" FOREIGN KEY ("vendor_id","manager_id") REFERENCES "public"."managers"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "password_links_manager" ON "password_links" USING btree ("vendor_id","manager_id");--> statement-breakpoint
CREATE UNIQUE INDEX "password_links_hash" ON "password_links" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "password_links_due" ON "password_links" USING btree ("vendor_id","send_at") WHERE send_at is not null;