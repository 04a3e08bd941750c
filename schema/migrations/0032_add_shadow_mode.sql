ALTER TABLE "vendor_settings" ADD COLUMN "recovery_shadow_mode" boolean;--> statement-breakpoint
ALTER TABLE "covers" ADD COLUMN "shadow" boolean DEFAULT false NOT NULL;