ALTER TABLE "cover_attempts" DROP CONSTRAINT "cover_attempts_network_word";--> statement-breakpoint
ALTER TABLE "payment_methods" DROP CONSTRAINT "payment_methods_network_word";--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT "payments_network_word";--> statement-breakpoint
ALTER TABLE "cover_attempts" ADD CONSTRAINT "cover_attempts_network_word" CHECK ("cover_attempts"."network" in ('VISA', 'MASTERCARD', 'AMEX', 'OTHER', 'SEPA', 'ACH'));--> statement-breakpoint
ALTER TABLE "payment_methods" ADD CONSTRAINT "payment_methods_network_word" CHECK ("payment_methods"."network" in ('VISA', 'MASTERCARD', 'AMEX', 'OTHER', 'SEPA', 'ACH'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_network_word" CHECK ("payments"."network" in ('VISA', 'MASTERCARD', 'AMEX', 'OTHER', 'SEPA', 'ACH'));