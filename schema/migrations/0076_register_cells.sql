CREATE TABLE "cells" (
	"number" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"password" "bytea",
	"schema" text,
	"replica_url" text,
	"replica_password" "bytea",
	"is_distributed" boolean NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "cells_name" UNIQUE("name"),
	CONSTRAINT "cells_state" CHECK ("cells"."state" in ('OPEN', 'DRAINING', 'MOVING')),
	CONSTRAINT "cells_number_fits_into_codes" CHECK ("cells"."number" between 1 and 3843)
);
