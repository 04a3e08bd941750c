-- Older gateways that write an event wait until this migration has committed. Then they find the views below.
LOCK TABLE "events", "cover_events" IN ACCESS EXCLUSIVE MODE;
--> statement-breakpoint
CREATE TABLE "event_log" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "event_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"recorded_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"type" text NOT NULL,
	"subject" text NOT NULL,
	"subject_id" bigint NOT NULL,
	"trigger" text NOT NULL,
	"status_before" text,
	"status_after" text,
	"customer_id" bigint,
	"order_id" bigint,
	"subscription_id" bigint,
	"cover_order_id" bigint,
	"cover_subscription_id" bigint,
	"cover_id" bigint,
	"actor" text NOT NULL,
	"reason" text,
	"facts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"notify" boolean DEFAULT true NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "event_log_pk" PRIMARY KEY("vendor_id","id","recorded_at"),
	CONSTRAINT "event_log_subject_word" CHECK ("event_log"."subject" in ('CUSTOMER', 'SUBSCRIPTION', 'ORDER', 'ORDER_ITEM', 'INVOICE', 'PAYMENT', 'REFUND', 'COVER', 'COVER_ORDER', 'COVER_SUBSCRIPTION', 'PRODUCT', 'PRICE_PLAN', 'PAYMENT_METHOD', 'POLICY', 'MODEL', 'KEY')),
	CONSTRAINT "event_log_actor_word" CHECK ("event_log"."actor" in ('CUSTOMER', 'MANAGER', 'SYSTEM'))
) PARTITION BY RANGE ("recorded_at");
--> statement-breakpoint
CREATE TABLE "event_numbers" (
	"vendor_id" bigint NOT NULL,
	"number" bigint NOT NULL,
	"event_id" bigint NOT NULL,
	"recorded_at" timestamp (3) with time zone NOT NULL,
	"type" text NOT NULL,
	CONSTRAINT "event_numbers_pk" PRIMARY KEY("vendor_id","number")
);
--> statement-breakpoint
CREATE TABLE "event_sequences" (
	"vendor_id" bigint PRIMARY KEY NOT NULL,
	"last_number" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "unnumbered_events" (
	"vendor_id" bigint NOT NULL,
	"event_id" bigint NOT NULL,
	"recorded_at" timestamp (3) with time zone NOT NULL,
	"type" text NOT NULL,
	CONSTRAINT "unnumbered_events_pk" PRIMARY KEY("vendor_id","event_id")
);
--> statement-breakpoint
-- Each of its rows is deleted within a second, so that dead ones would soon be most of what the sequencer reads.
ALTER TABLE "unnumbered_events" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
--> statement-breakpoint
CREATE INDEX "event_log_customer" ON "event_log" USING btree ("vendor_id","customer_id","occurred_at","id") WHERE customer_id is not null;--> statement-breakpoint
CREATE INDEX "event_log_order" ON "event_log" USING btree ("vendor_id","order_id","occurred_at","id") WHERE order_id is not null;--> statement-breakpoint
CREATE INDEX "event_log_subscription" ON "event_log" USING btree ("vendor_id","subscription_id","occurred_at","id") WHERE subscription_id is not null;--> statement-breakpoint
CREATE INDEX "event_log_cover_order" ON "event_log" USING btree ("vendor_id","cover_order_id","occurred_at","id") WHERE cover_order_id is not null;--> statement-breakpoint
CREATE INDEX "event_log_cover_subscription" ON "event_log" USING btree ("vendor_id","cover_subscription_id","occurred_at","id") WHERE cover_subscription_id is not null;--> statement-breakpoint
CREATE INDEX "event_log_cover" ON "event_log" USING btree ("vendor_id","cover_id","occurred_at","id") WHERE cover_id is not null;--> statement-breakpoint
CREATE INDEX "event_numbers_type" ON "event_numbers" USING btree ("vendor_id","type","number");
--> statement-breakpoint
-- A partition for each month of the last five years that has events, for this one and the next two. A worker makes those after them.
DO $$
DECLARE
	month timestamp;
	this_month timestamp := date_trunc('month', now() AT TIME ZONE 'utc');
	first_event timestamptz := least((SELECT min(occurred_at) FROM events), (SELECT min(occurred_at) FROM cover_events), now());
BEGIN
	CREATE TABLE event_log_default PARTITION OF event_log DEFAULT;
	FOR month IN SELECT generate_series(
		greatest(date_trunc('month', first_event AT TIME ZONE 'utc'), this_month - interval '60 months'),
		this_month + interval '2 months', interval '1 month')
	LOOP
		EXECUTE format('CREATE TABLE %I PARTITION OF event_log FOR VALUES FROM (%L) TO (%L)', to_char(month, '"event_log_"YYYY_MM'),
			month || '+00', month + interval '1 month' || '+00');
	END LOOP;
END $$;
--> statement-breakpoint
-- The types of events as of this version: for the rows that are copied here, and for those of older gateways that still run.
CREATE FUNCTION billing_event_type(trigger text, subject text, status_before text, status_after text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT case
    when trigger = 'failPayment' then case subject when 'PAYMENT' then 'PAYMENT_FAILED' else 'ORDER_PAYMENT_FAILED' end
    when trigger = 'activateSubscription' then case status_before when 'PAUSE' then 'SUBSCRIPTION_RESUMED' else 'SUBSCRIPTION_CHANGED' end
    when trigger = 'endRecovery' then case status_after when 'RECOVERED' then 'COVER_RECOVERED' when 'EXHAUSTED' then 'COVER_EXHAUSTED' else 'COVER_STOPPED' end
    when trigger in ('registerCustomer') then 'CUSTOMER_CREATED'
    when trigger in ('makeDormant') then 'CUSTOMER_DORMANT'
    when trigger in ('wakeCustomer') then 'CUSTOMER_REACTIVATED'
    when trigger in ('createOrder') then 'ORDER_CREATED'
    when trigger in ('awaitDeposit', 'requestCancellation', 'withdrawCancellation', 'denyCancellation', 'acceptCancellation', 'suspendDelivery', 'cancelDelivery', 'resumeOrderItem', 'prepareDelivery', 'sendDelivery', 'completeDelivery', 'confirmReceipt', 'finishDelivery', 'endExchangePeriod', 'endReturnPeriod', 'sendCollection', 'completeCollection', 'requestReturn', 'withdrawReturn', 'approveReturn', 'rejectReturn', 'postponeReturn', 'acceptReturn', 'requestExchange', 'withdrawExchange', 'approveExchange', 'rejectExchange', 'postponeExchange', 'acceptExchange') then 'ORDER_CHANGED'
    when trigger in ('payOrder') then 'ORDER_PAID'
    when trigger in ('cancelOrder') then 'ORDER_CANCELED'
    when trigger in ('refundOrderItems', 'refundOrderItemsInPart') then 'ORDER_REFUNDED'
    when trigger in ('draftInvoice') then 'INVOICE_CREATED'
    when trigger in ('reserveInvoice') then 'INVOICE_SCHEDULED'
    when trigger in ('sendInvoice') then 'INVOICE_SENT'
    when trigger in ('failSending') then 'INVOICE_SEND_FAILED'
    when trigger in ('payInvoice') then 'INVOICE_PAID'
    when trigger in ('passDeadline') then 'INVOICE_OVERDUE'
    when trigger in ('startPayment') then 'PAYMENT_STARTED'
    when trigger in ('succeedPayment') then 'PAYMENT_SUCCEEDED'
    when trigger in ('markPaymentUnknown') then 'PAYMENT_UNKNOWN'
    when trigger in ('startRefund') then 'REFUND_STARTED'
    when trigger in ('completeRefund') then 'REFUND_SUCCEEDED'
    when trigger in ('refuseRefund') then 'REFUND_FAILED'
    when trigger in ('markRefundUnknown') then 'REFUND_UNKNOWN'
    when trigger in ('startSubscription', 'confirmPaymentMethod') then 'SUBSCRIPTION_ACTIVATED'
    when trigger in ('startUnconfirmedSubscription') then 'SUBSCRIPTION_CREATED'
    when trigger in ('claimRenewal') then 'SUBSCRIPTION_RENEWAL_STARTED'
    when trigger in ('completeRenewal') then 'SUBSCRIPTION_RENEWED'
    when trigger in ('failRenewal') then 'SUBSCRIPTION_UNPAID'
    when trigger in ('recoverPayment') then 'SUBSCRIPTION_RECOVERED'
    when trigger in ('expireAfterRecovery', 'expireSubscription') then 'SUBSCRIPTION_EXPIRED'
    when trigger in ('pauseAfterRecovery', 'pauseSubscription', 'startPause') then 'SUBSCRIPTION_PAUSED'
    when trigger in ('cancelAfterRecovery', 'cancelSubscription', 'completeCancellation') then 'SUBSCRIPTION_CANCELED'
    when trigger in ('schedulePause', 'scheduleCancellation', 'exhaustRecovery', 'receiveUnscheduledPayment', 'orderPaymentMethod', 'orderChange', 'addItem', 'removeItem', 'changeQuantity', 'changePlan', 'schedulePlanChange', 'withdrawPlanChange', 'changeInterval') then 'SUBSCRIPTION_CHANGED'
    when trigger in ('endPause') then 'SUBSCRIPTION_RESUMED'
    when trigger in ('postponeRenewal') then 'SUBSCRIPTION_RENEWAL_DEFERRED'
    when trigger in ('changePaymentMethod') then 'PAYMENT_METHOD_UPDATED'
    when trigger in ('recordUnits') then 'SUBSCRIPTION_USAGE_RECORDED'
    when trigger in ('startRecovery') then 'COVER_STARTED'
    when trigger in ('failRetry') then 'COVER_ATTEMPT_FAILED'
    when trigger in ('moveRetry') then 'COVER_RETRY_SCHEDULED'
    end
$$;
--> statement-breakpoint
CREATE FUNCTION cover_event_type(kind text, new_status text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT case kind
    when 'ORDER_REGISTERED' then 'ORDER_CREATED'
    when 'ORDER_UPDATED' then 'ORDER_CHANGED'
    when 'ORDER_STATUS_CHANGED' then case new_status when 'PAID' then 'ORDER_PAID' when 'PAYMENT_FAILURE' then 'ORDER_PAYMENT_FAILED' when 'CANCELED' then 'ORDER_CANCELED' when 'FULL_REFUND' then 'ORDER_REFUNDED' when 'PARTIAL_REFUND' then 'ORDER_REFUNDED' else 'ORDER_CHANGED' end
    when 'ORDER_PAID' then 'ORDER_PAID'
    when 'ORDER_CANCELED' then 'ORDER_CANCELED'
    when 'LATE_PAYMENT' then 'ORDER_PAID_LATE'
    when 'PAYMENT_METHOD_CHANGED' then 'PAYMENT_METHOD_UPDATED'
    when 'RECOVERY_STARTED' then 'COVER_STARTED'
    when 'RECOVERY_ATTEMPT_FAILED' then 'COVER_ATTEMPT_FAILED'
    when 'RECOVERY_RETRY_MOVED' then 'COVER_RETRY_SCHEDULED'
    when 'RECOVERY_RECOVERED' then 'COVER_RECOVERED'
    when 'RECOVERY_EXHAUSTED' then 'COVER_EXHAUSTED'
    when 'RECOVERY_STOPPED' then 'COVER_STOPPED'
    when 'SUBSCRIPTION_REGISTERED' then 'SUBSCRIPTION_CREATED'
    when 'SUBSCRIPTION_UPDATED' then 'SUBSCRIPTION_CHANGED'
    when 'SUBSCRIPTION_CANCELED' then 'SUBSCRIPTION_CANCELED'
    when 'SUBSCRIPTION_ACTIVATED' then 'SUBSCRIPTION_ACTIVATED'
    when 'SUBSCRIPTION_PAUSED' then 'SUBSCRIPTION_PAUSED'
    when 'SUBSCRIPTION_EXPIRED' then 'SUBSCRIPTION_EXPIRED'
    end
$$;
--> statement-breakpoint
INSERT INTO "event_log" ("vendor_id", "id", "recorded_at", "type", "subject", "subject_id", "trigger", "status_before", "status_after",
	"customer_id", "order_id", "subscription_id", "cover_id", "actor", "reason", "facts", "occurred_at")
OVERRIDING SYSTEM VALUE
SELECT e.vendor_id, e.id, least(e.occurred_at, now()), billing_event_type(e.renamed, e.subject, e.status_before, e.status_after), e.subject,
	e.subject_id, e.renamed, e.status_before, e.status_after, e.customer_id, e.order_id, e.subscription_id,
	case e.subject when 'COVER' then e.subject_id end, e.actor, e.reason, e.facts, e.occurred_at
FROM (SELECT *, case happening when 'losePayment' then 'markPaymentUnknown' when 'loseRefund' then 'markRefundUnknown' when 'payBesides' then 'receiveUnscheduledPayment' else happening end AS renamed FROM "events") e;
--> statement-breakpoint
INSERT INTO "event_log" ("vendor_id", "id", "recorded_at", "type", "subject", "subject_id", "trigger", "status_before", "status_after",
	"cover_order_id", "cover_subscription_id", "cover_id", "actor", "facts", "notify", "occurred_at")
OVERRIDING SYSTEM VALUE
SELECT c.vendor_id, (SELECT coalesce(max(id), 0) FROM "events") + c.id, least(c.occurred_at, now()), cover_event_type(c.type, c.facts ->> 'to'),
	case when c.type like 'RECOVERY\_%' then 'COVER' when c.type like 'SUBSCRIPTION\_%' then 'COVER_SUBSCRIPTION' else 'COVER_ORDER' end, case when c.type like 'RECOVERY\_%' then c.cover_id when c.type like 'SUBSCRIPTION\_%' then c.subscription_id else c.order_id end, c.type,
	case when c.type = 'RECOVERY_STARTED' then null when c.type like 'RECOVERY\_%' then 'IN_PROGRESS' else c.facts ->> 'from' end,
	case c.type when 'RECOVERY_RECOVERED' then 'RECOVERED' when 'RECOVERY_EXHAUSTED' then 'EXHAUSTED' when 'RECOVERY_STOPPED' then 'STOPPED' when 'RECOVERY_STARTED' then 'IN_PROGRESS' when 'RECOVERY_ATTEMPT_FAILED' then 'IN_PROGRESS' when 'RECOVERY_RETRY_MOVED' then 'IN_PROGRESS' else c.facts ->> 'to' end,
	c.order_id, c.subscription_id, c.cover_id, c.actor, c.facts, c.notify, c.occurred_at
FROM "cover_events" c;
--> statement-breakpoint
SELECT setval(pg_get_serial_sequence('event_log', 'id'), (SELECT coalesce(max(id), 0) + 1 FROM "event_log"), false);
--> statement-breakpoint
INSERT INTO "event_numbers" ("vendor_id", "number", "event_id", "recorded_at", "type")
SELECT "vendor_id", row_number() OVER (PARTITION BY "vendor_id" ORDER BY "occurred_at", "id"), "id", "recorded_at", "type" FROM "event_log";
--> statement-breakpoint
INSERT INTO "event_sequences" ("vendor_id", "last_number") SELECT "vendor_id", max("number") FROM "event_numbers" GROUP BY "vendor_id";
--> statement-breakpoint
DROP TABLE "cover_events";
--> statement-breakpoint
DROP TABLE "events";
--> statement-breakpoint
-- Older gateways read and write the log through views with the names and the words that they know. A later migration drops them.
CREATE VIEW "events" AS
SELECT "vendor_id", "id", "subject", "subject_id", case "trigger" when 'markPaymentUnknown' then 'losePayment' when 'markRefundUnknown' then 'loseRefund' when 'receiveUnscheduledPayment' then 'payBesides' else "trigger" end AS "happening", "status_before", "status_after",
	"customer_id", "order_id", "subscription_id", "actor", "reason", "facts", "occurred_at", null::timestamptz(3) AS "posted_at"
FROM "event_log" WHERE "trigger" in ('registerCustomer', 'makeDormant', 'wakeCustomer', 'createOrder', 'awaitDeposit', 'payOrder', 'failPayment', 'cancelOrder', 'requestCancellation', 'withdrawCancellation', 'denyCancellation', 'acceptCancellation', 'suspendDelivery', 'cancelDelivery', 'refundOrderItems', 'refundOrderItemsInPart', 'resumeOrderItem', 'prepareDelivery', 'sendDelivery', 'completeDelivery', 'confirmReceipt', 'finishDelivery', 'endExchangePeriod', 'endReturnPeriod', 'sendCollection', 'completeCollection', 'requestReturn', 'withdrawReturn', 'approveReturn', 'rejectReturn', 'postponeReturn', 'acceptReturn', 'requestExchange', 'withdrawExchange', 'approveExchange', 'rejectExchange', 'postponeExchange', 'acceptExchange', 'draftInvoice', 'reserveInvoice', 'sendInvoice', 'failSending', 'payInvoice', 'passDeadline', 'startPayment', 'succeedPayment', 'markPaymentUnknown', 'startRefund', 'completeRefund', 'refuseRefund', 'markRefundUnknown', 'startSubscription', 'startUnconfirmedSubscription', 'confirmPaymentMethod', 'claimRenewal', 'completeRenewal', 'failRenewal', 'recoverPayment', 'expireAfterRecovery', 'pauseAfterRecovery', 'cancelAfterRecovery', 'pauseSubscription', 'schedulePause', 'startPause', 'endPause', 'activateSubscription', 'cancelSubscription', 'scheduleCancellation', 'completeCancellation', 'expireSubscription', 'exhaustRecovery', 'postponeRenewal', 'receiveUnscheduledPayment', 'changePaymentMethod', 'orderPaymentMethod', 'orderChange', 'addItem', 'removeItem', 'changeQuantity', 'changePlan', 'schedulePlanChange', 'withdrawPlanChange', 'changeInterval', 'recordUnits', 'startRecovery', 'failRetry', 'moveRetry', 'endRecovery');
--> statement-breakpoint
CREATE VIEW "cover_events" AS
SELECT "vendor_id", "id", "trigger" AS "type", "cover_order_id" AS "order_id", "cover_subscription_id" AS "subscription_id", "cover_id", "actor",
	"facts", "notify", "occurred_at"
FROM "event_log" WHERE "trigger" in ('ORDER_REGISTERED', 'ORDER_UPDATED', 'ORDER_STATUS_CHANGED', 'ORDER_PAID', 'ORDER_CANCELED', 'LATE_PAYMENT', 'PAYMENT_METHOD_CHANGED', 'RECOVERY_STARTED', 'RECOVERY_ATTEMPT_FAILED', 'RECOVERY_RETRY_MOVED', 'RECOVERY_RECOVERED', 'RECOVERY_EXHAUSTED', 'RECOVERY_STOPPED', 'SUBSCRIPTION_REGISTERED', 'SUBSCRIPTION_UPDATED', 'SUBSCRIPTION_CANCELED', 'SUBSCRIPTION_ACTIVATED', 'SUBSCRIPTION_PAUSED', 'SUBSCRIPTION_EXPIRED');
--> statement-breakpoint
CREATE FUNCTION log_event_of_older_gateway() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	word text := case new.happening when 'losePayment' then 'markPaymentUnknown' when 'loseRefund' then 'markRefundUnknown' when 'payBesides' then 'receiveUnscheduledPayment' else new.happening end;
	logged event_log;
BEGIN
	INSERT INTO event_log (vendor_id, type, subject, subject_id, trigger, status_before, status_after, customer_id, order_id, subscription_id,
		cover_id, actor, reason, facts, occurred_at)
	VALUES (new.vendor_id, billing_event_type(word, new.subject, new.status_before, new.status_after), new.subject, new.subject_id, word,
		new.status_before, new.status_after, new.customer_id, new.order_id, new.subscription_id,
		case new.subject when 'COVER' then new.subject_id end, new.actor, new.reason, coalesce(new.facts, '{}'), new.occurred_at)
	RETURNING * INTO logged;
	INSERT INTO unnumbered_events VALUES (logged.vendor_id, logged.id, logged.recorded_at, logged.type);
	new.id := logged.id;
	new.facts := logged.facts;
	RETURN new;
END $$;
--> statement-breakpoint
CREATE FUNCTION log_cover_event_of_older_gateway() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	logged event_log;
BEGIN
	INSERT INTO event_log (vendor_id, type, subject, subject_id, trigger, status_before, status_after, cover_order_id, cover_subscription_id,
		cover_id, actor, facts, notify, occurred_at)
	VALUES (new.vendor_id, cover_event_type(new.type, new.facts ->> 'to'), case when new.type like 'RECOVERY\_%' then 'COVER' when new.type like 'SUBSCRIPTION\_%' then 'COVER_SUBSCRIPTION' else 'COVER_ORDER' end,
		case when new.type like 'RECOVERY\_%' then new.cover_id when new.type like 'SUBSCRIPTION\_%' then new.subscription_id else new.order_id end, new.type,
		case when new.type = 'RECOVERY_STARTED' then null when new.type like 'RECOVERY\_%' then 'IN_PROGRESS' else new.facts ->> 'from' end,
		case new.type when 'RECOVERY_RECOVERED' then 'RECOVERED' when 'RECOVERY_EXHAUSTED' then 'EXHAUSTED' when 'RECOVERY_STOPPED' then 'STOPPED' when 'RECOVERY_STARTED' then 'IN_PROGRESS' when 'RECOVERY_ATTEMPT_FAILED' then 'IN_PROGRESS' when 'RECOVERY_RETRY_MOVED' then 'IN_PROGRESS' else new.facts ->> 'to' end,
		new.order_id, new.subscription_id, new.cover_id, new.actor, new.facts, coalesce(new.notify, false), new.occurred_at)
	RETURNING * INTO logged;
	INSERT INTO unnumbered_events VALUES (logged.vendor_id, logged.id, logged.recorded_at, logged.type);
	new.id := logged.id;
	new.notify := logged.notify;
	RETURN new;
END $$;
--> statement-breakpoint
CREATE TRIGGER "events_logged" INSTEAD OF INSERT ON "events" FOR EACH ROW EXECUTE FUNCTION log_event_of_older_gateway();
--> statement-breakpoint
CREATE TRIGGER "cover_events_logged" INSTEAD OF INSERT ON "cover_events" FOR EACH ROW EXECUTE FUNCTION log_cover_event_of_older_gateway();
