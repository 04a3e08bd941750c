CREATE TABLE "request_counts" (
	"caller" text PRIMARY KEY NOT NULL,
	"minute" bigint NOT NULL,
	"requests" bigint NOT NULL
);
