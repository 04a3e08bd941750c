-- Keyword search finds a text anywhere in a value by its trigrams, within one vendor. Both extensions are trusted:
-- whoever may create things in the database may create them.
create extension if not exists pg_trgm;
--> statement-breakpoint
create extension if not exists btree_gin;
