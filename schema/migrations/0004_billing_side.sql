CREATE TABLE "exchange_rates" (
	"vendor_id" bigint NOT NULL,
	"currency" text NOT NULL,
	"rate" numeric(21, 6) NOT NULL,
	"modified_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "exchange_rates_pk" PRIMARY KEY("vendor_id","currency"),
	CONSTRAINT "exchange_rates_positive" CHECK ("exchange_rates"."rate" > 0)
);
--> statement-breakpoint
CREATE TABLE "managers" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "managers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"uuid" uuid NOT NULL,
	"username" text NOT NULL,
	"nickname" text DEFAULT '' NOT NULL,
	"password_hash" text NOT NULL,
	"phone" text,
	"enabled" boolean DEFAULT true NOT NULL,
	"choo" boolean DEFAULT false NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "managers_pk" PRIMARY KEY("vendor_id","id")
);
--> statement-breakpoint
CREATE TABLE "vendor_settings" (
	"vendor_id" bigint PRIMARY KEY NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"email" text DEFAULT '' NOT NULL,
	"contact_url" text DEFAULT '' NOT NULL,
	"featured_image_url" text DEFAULT '' NOT NULL,
	"payment_key_hash" "bytea",
	"use_default_courier" boolean DEFAULT false NOT NULL,
	"use_delivery_charge" boolean DEFAULT false NOT NULL,
	"use_local_ship_charge" boolean DEFAULT false NOT NULL,
	"jeju_ship_amount" numeric(21, 6) DEFAULT 0 NOT NULL,
	"island_and_mountain_ship_amount" numeric(21, 6) DEFAULT 0 NOT NULL,
	"default_courier_id" text,
	"delivery_charge_type" text DEFAULT 'FREE' NOT NULL,
	"default_delivery_charge" numeric(21, 6) DEFAULT 0 NOT NULL,
	"free_ship_over_amount" numeric(21, 6) DEFAULT 0 NOT NULL,
	"vat_included" boolean DEFAULT true NOT NULL,
	"vat_rate" numeric(21, 6) DEFAULT 10 NOT NULL,
	"noti_before_payment" boolean DEFAULT true NOT NULL,
	"noti_before_payment_days" integer DEFAULT 7 NOT NULL,
	"noti_before_payment_time" integer DEFAULT 36000 NOT NULL,
	"usage_auto_refund" boolean DEFAULT false NOT NULL,
	"payment_amount_scale" integer,
	"workspace" text DEFAULT '' NOT NULL,
	"custom_domain_status" text DEFAULT 'NONE' NOT NULL,
	"custom_domain" text,
	"check_first_activation" boolean DEFAULT false NOT NULL,
	"surveyed" boolean DEFAULT false NOT NULL,
	"use_dormant_customer" boolean DEFAULT false NOT NULL,
	"use_dormant_notification" boolean DEFAULT false NOT NULL,
	"use_auth" boolean DEFAULT false NOT NULL,
	"use_store" boolean DEFAULT false NOT NULL,
	"use_payout" boolean DEFAULT false NOT NULL,
	"currency_lock" boolean DEFAULT false NOT NULL,
	"realm_email_as_username" boolean DEFAULT true NOT NULL,
	"realm_identity_provider_id" uuid,
	"realm_name" text DEFAULT '' NOT NULL,
	"check_fail_builder" text DEFAULT '' NOT NULL,
	"consumer_key" text,
	"consumer_secret" "bytea",
	"apps" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"terms_use_check_box" boolean DEFAULT false NOT NULL,
	"terms_agree" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"return_origins" text[] DEFAULT '{}' NOT NULL,
	"draft_invoices_by_default" boolean DEFAULT false NOT NULL,
	CONSTRAINT "vendor_settings_delivery_word" CHECK ("vendor_settings"."delivery_charge_type" in ('FREE', 'FIXED', 'FREE_OVER_AMOUNT')),
	CONSTRAINT "vendor_settings_domain_word" CHECK ("vendor_settings"."custom_domain_status" in ('NONE', 'PENDING', 'CONNECTED', 'FAILED')),
	CONSTRAINT "vendor_settings_scale" CHECK ("vendor_settings"."payment_amount_scale" between 0 and 6)
);
--> statement-breakpoint
CREATE TABLE "customers" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "customers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"uuid" uuid NOT NULL,
	"code" text NOT NULL,
	"status" text NOT NULL,
	"username" text,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"phone" text NOT NULL,
	"marketing_sms" boolean DEFAULT false NOT NULL,
	"marketing_email" boolean DEFAULT false NOT NULL,
	"marketing_messenger" boolean DEFAULT false NOT NULL,
	"region" text,
	"attributes" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"additional_recipients" text[] DEFAULT '{}' NOT NULL,
	"last_active_at" timestamp (3) with time zone NOT NULL,
	"dormant_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"modified_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "customers_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "customers_status_word" CHECK ("customers"."status" in ('NORMAL', 'DORMANT'))
);
--> statement-breakpoint
CREATE TABLE "payment_methods" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "payment_methods_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"customer_id" bigint NOT NULL,
	"payment_info" text NOT NULL,
	"method" text NOT NULL,
	"gateway" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_methods_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "payment_methods_method_word" CHECK ("payment_methods"."method" in ('CARD', 'VBANK', 'BANK', 'BANK_TRANSFER', 'CELLPHONE', 'SIMPLE_PAY', 'CMS', 'CARD_BILL', 'CELLPHONE_BILL', 'CMS_BILL', 'ONLINE_WALLET')),
	CONSTRAINT "payment_methods_gateway_word" CHECK ("payment_methods"."gateway" in ('EMPTY', 'UNKNOWN', 'HOUSE', 'PROVIDER_01', 'PROVIDER_02', 'PROVIDER_03', 'PROVIDER_04', 'PROVIDER_05', 'PROVIDER_06', 'PROVIDER_07', 'PROVIDER_08', 'PROVIDER_09', 'PROVIDER_10', 'PROVIDER_11', 'PROVIDER_12', 'PROVIDER_13', 'PROVIDER_14', 'PROVIDER_15', 'PROVIDER_16', 'PROVIDER_17', 'PROVIDER_18', 'PROVIDER_19', 'PROVIDER_20', 'PROVIDER_21'))
);
--> statement-breakpoint
CREATE TABLE "shipping_addresses" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "shipping_addresses_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"customer_id" bigint NOT NULL,
	"name" text NOT NULL,
	"phone" text NOT NULL,
	"postcode" text NOT NULL,
	"address1" text NOT NULL,
	"address2" text DEFAULT '' NOT NULL,
	"state" text DEFAULT '' NOT NULL,
	"city" text DEFAULT '' NOT NULL,
	"country_code" text NOT NULL,
	"used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "shipping_addresses_pk" PRIMARY KEY("vendor_id","id")
);
--> statement-breakpoint
CREATE TABLE "bundle_members" (
	"vendor_id" bigint NOT NULL,
	"bundle_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"product_id" bigint NOT NULL,
	CONSTRAINT "bundle_members_pk" PRIMARY KEY("vendor_id","bundle_id","position"),
	CONSTRAINT "bundle_members_not_itself" CHECK ("bundle_members"."bundle_id" <> "bundle_members"."product_id")
);
--> statement-breakpoint
CREATE TABLE "categories" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "categories_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	CONSTRAINT "categories_pk" PRIMARY KEY("vendor_id","id")
);
--> statement-breakpoint
CREATE TABLE "country_settings" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "country_settings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"country_code" text NOT NULL,
	"timezone_name" text NOT NULL,
	"currency_code" text NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"tax_rate" numeric(21, 6) NOT NULL,
	CONSTRAINT "country_settings_pk" PRIMARY KEY("vendor_id","id")
);
--> statement-breakpoint
CREATE TABLE "option_combinations" (
	"vendor_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"option_ids" bigint[] NOT NULL,
	"status" text NOT NULL,
	"quantity" integer,
	"price" numeric(21, 6) NOT NULL,
	CONSTRAINT "option_combinations_pk" PRIMARY KEY("vendor_id","product_id","option_ids"),
	CONSTRAINT "option_combinations_status_word" CHECK ("option_combinations"."status" in ('SALE', 'OUT_OF_STOCK', 'UNSOLD', 'WAITING_APPROVAL', 'REJECTED')),
	CONSTRAINT "option_combinations_stock_not_negative" CHECK ("option_combinations"."quantity" >= 0)
);
--> statement-breakpoint
CREATE TABLE "option_groups" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "option_groups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"product_id" bigint NOT NULL,
	"name" text NOT NULL,
	"depth" integer NOT NULL,
	CONSTRAINT "option_groups_pk" PRIMARY KEY("vendor_id","id")
);
--> statement-breakpoint
CREATE TABLE "product_categories" (
	"vendor_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"category_id" bigint NOT NULL,
	CONSTRAINT "product_categories_pk" PRIMARY KEY("vendor_id","product_id","category_id")
);
--> statement-breakpoint
CREATE TABLE "product_options" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "product_options_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"group_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"price" numeric(21, 6) NOT NULL,
	"quantity" integer,
	"parent_id" bigint,
	CONSTRAINT "product_options_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "product_options_stock_not_negative" CHECK ("product_options"."quantity" >= 0)
);
--> statement-breakpoint
CREATE TABLE "products" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "products_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"code" text NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"name" text NOT NULL,
	"sub_title" text DEFAULT '' NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"summary" text DEFAULT '' NOT NULL,
	"featured_image_url" text DEFAULT '' NOT NULL,
	"image_urls" text[] DEFAULT '{}' NOT NULL,
	"reason_of_reject" text,
	"sku" text,
	"quantity" integer,
	"use_combination" boolean DEFAULT false NOT NULL,
	"enabled_demo" boolean DEFAULT false NOT NULL,
	"demo_period" integer,
	"demo_period_unit" text,
	"product_order" integer DEFAULT 0 NOT NULL,
	"is_onetime_purchasable" boolean DEFAULT false NOT NULL,
	"event_badge" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"notice" text,
	"use_demo" boolean DEFAULT false NOT NULL,
	"use_event_badge" boolean DEFAULT false NOT NULL,
	"use_onetime_purchasable" boolean DEFAULT false NOT NULL,
	"use_notice" boolean DEFAULT false NOT NULL,
	"group_id" integer,
	"country_setting_id" bigint,
	"available_regions" text[] DEFAULT '{}' NOT NULL,
	"child_vendor_id" bigint,
	"child_product_id" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	"modified_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "products_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "products_type_word" CHECK ("products"."type" in ('BOX', 'SOFTWARE', 'BUNDLE', 'INVOICE', 'DRAFT')),
	CONSTRAINT "products_status_word" CHECK ("products"."status" in ('SALE', 'OUT_OF_STOCK', 'UNSOLD', 'WAITING_APPROVAL', 'REJECTED')),
	CONSTRAINT "products_demo_unit_word" CHECK ("products"."demo_period_unit" in ('DAY', 'WEEK', 'MONTH', 'YEAR')),
	CONSTRAINT "products_stock_not_negative" CHECK ("products"."quantity" >= 0),
	CONSTRAINT "products_demo" CHECK (not "products"."enabled_demo" or ("products"."demo_period" is not null and "products"."demo_period_unit" is not null)),
	CONSTRAINT "products_child_whole" CHECK (("products"."child_vendor_id" is null) = ("products"."child_product_id" is null))
);
--> statement-breakpoint
CREATE TABLE "bundle_prices" (
	"vendor_id" bigint NOT NULL,
	"bundle_price_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"product_id" bigint NOT NULL,
	"price_id" bigint NOT NULL,
	CONSTRAINT "bundle_prices_pk" PRIMARY KEY("vendor_id","bundle_price_id","position")
);
--> statement-breakpoint
CREATE TABLE "price_options" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "price_options_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"price_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"price" numeric(21, 6) NOT NULL,
	"option_price_id" bigint,
	CONSTRAINT "price_options_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "price_options_type_word" CHECK ("price_options"."type" in ('INITIALLY', 'PERIODIC'))
);
--> statement-breakpoint
CREATE TABLE "price_plans" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "price_plans_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"code" text NOT NULL,
	"product_id" bigint NOT NULL,
	"type" text NOT NULL,
	"price" numeric(21, 6) NOT NULL,
	"currency_price" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"unit" text DEFAULT '' NOT NULL,
	"plan_name" text NOT NULL,
	"plan_description" text DEFAULT '' NOT NULL,
	"plan_detail_description" text DEFAULT '' NOT NULL,
	"plan_is_hidden_from_shop" boolean DEFAULT false NOT NULL,
	"plan_admin_name" text DEFAULT '' NOT NULL,
	"first_sale_enabled" boolean DEFAULT false NOT NULL,
	"first_sale_price" numeric(21, 6) NOT NULL,
	"first_sale_currency_price" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"claim_method_type" text NOT NULL,
	"when_to_claim_type" text,
	"billing_date" integer,
	"provide_start_day" integer,
	"maximum_purchase_quantity" integer DEFAULT 0 NOT NULL,
	"membership_expiration_date" integer DEFAULT 0 NOT NULL,
	"membership_expiration_date_type" text,
	"expiry_recurring_count" integer,
	"setup_option_name" text,
	"setup_option_type" text,
	"setup_option_price" numeric(21, 6),
	"setup_option_currency_price" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"setup_option_claim_method_type" text,
	"volumes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"additional_billing_type" text,
	"additional_billing_ranges" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"recurring_interval" text,
	"recurring_interval_count" integer,
	"aggregate_usage_type" text,
	"usage_type" text,
	"basic_serving" integer DEFAULT 0 NOT NULL,
	"onetime_bundle_price" numeric(21, 6) NOT NULL,
	"order" integer DEFAULT 0 NOT NULL,
	"is_representative" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"modified_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "price_plans_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "price_plans_type_word" CHECK ("price_plans"."type" in ('ONE_TIME', 'FLAT', 'UNIT_BASED', 'USAGE_BASED', 'VOLUME_BASED', 'BUNDLE')),
	CONSTRAINT "price_plans_claim_word" CHECK ("price_plans"."claim_method_type" in ('PRE', 'POST')),
	CONSTRAINT "price_plans_when_word" CHECK ("price_plans"."when_to_claim_type" in ('FIRST_PAYMENT', 'DATE')),
	CONSTRAINT "price_plans_membership_word" CHECK ("price_plans"."membership_expiration_date_type" in ('DAY', 'WEEK', 'MONTH', 'YEAR')),
	CONSTRAINT "price_plans_setup_word" CHECK ("price_plans"."setup_option_type" in ('INITIALLY', 'PERIODIC')),
	CONSTRAINT "price_plans_additional_word" CHECK ("price_plans"."additional_billing_type" in ('USAGE_BASED_WITH_RANGE', 'USAGE_BASED_WITH_RANGE_AND_FIXED_PRICE')),
	CONSTRAINT "price_plans_interval_word" CHECK ("price_plans"."recurring_interval" in ('DAY', 'WEEK', 'MONTH', 'YEAR')),
	CONSTRAINT "price_plans_cycle" CHECK (("price_plans"."recurring_interval" is null) = ("price_plans"."recurring_interval_count" is null)),
	CONSTRAINT "price_plans_setup_whole" CHECK (("price_plans"."setup_option_name" is null) = ("price_plans"."setup_option_type" is null) and ("price_plans"."setup_option_name" is null) = ("price_plans"."setup_option_price" is null)),
	CONSTRAINT "price_plans_not_negative" CHECK ("price_plans"."price" >= 0 and "price_plans"."first_sale_price" >= 0)
);
--> statement-breakpoint
CREATE TABLE "subscription_items" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "subscription_items_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"code" text NOT NULL,
	"subscription_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"type" text NOT NULL,
	"product_id" bigint NOT NULL,
	"price_id" bigint NOT NULL,
	"price" numeric(21, 6) NOT NULL,
	"currency" text NOT NULL,
	"quantity" integer NOT NULL,
	"option_ids" bigint[] DEFAULT '{}' NOT NULL,
	"option_label" text DEFAULT '' NOT NULL,
	"option_price" numeric(21, 6) NOT NULL,
	"is_additional" boolean DEFAULT false NOT NULL,
	"keep_when_renew" boolean DEFAULT true NOT NULL,
	"parent_item_id" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	"modified_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "subscription_items_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "subscription_items_type_word" CHECK ("subscription_items"."type" in ('SKU', 'TAX', 'SHIPPING', 'DISCOUNT', 'FEE', 'OFFLINE', 'ADDS')),
	CONSTRAINT "subscription_items_quantity" CHECK ("subscription_items"."quantity" >= 1)
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "subscriptions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"code" text NOT NULL,
	"status" text NOT NULL,
	"customer_id" bigint NOT NULL,
	"price_id" bigint NOT NULL,
	"payment_method_id" bigint,
	"currency" text NOT NULL,
	"interval" text NOT NULL,
	"interval_count" integer NOT NULL,
	"claim_method_type" text NOT NULL,
	"start_date" timestamp (3) with time zone NOT NULL,
	"last_payment_date" timestamp (3) with time zone,
	"next_payment_date" timestamp (3) with time zone,
	"end_date" timestamp (3) with time zone,
	"trial_end_date" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"modified_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "subscriptions_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "subscriptions_status_word" CHECK ("subscriptions"."status" in ('ACTIVE', 'INCOMPLETE', 'UNPAID', 'PENDING_PAUSE', 'PAUSE', 'PENDING_CANCEL', 'CANCELED', 'EXPIRED', 'QUEUEING')),
	CONSTRAINT "subscriptions_interval_word" CHECK ("subscriptions"."interval" in ('DAY', 'WEEK', 'MONTH', 'YEAR')),
	CONSTRAINT "subscriptions_claim_word" CHECK ("subscriptions"."claim_method_type" in ('PRE', 'POST'))
);
--> statement-breakpoint
CREATE TABLE "order_counts" (
	"vendor_id" bigint NOT NULL,
	"status" text NOT NULL,
	"day" date NOT NULL,
	"slot" smallint NOT NULL,
	"total" integer NOT NULL,
	CONSTRAINT "order_counts_pk" PRIMARY KEY("vendor_id","status","day","slot")
);
--> statement-breakpoint
CREATE TABLE "order_item_histories" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "order_item_histories_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"item_id" bigint NOT NULL,
	"actor" text NOT NULL,
	"category" text NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "order_item_histories_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "order_item_histories_actor_word" CHECK ("order_item_histories"."actor" in ('CUSTOMER', 'MANAGER', 'SYSTEM')),
	CONSTRAINT "order_item_histories_category_word" CHECK ("order_item_histories"."category" in ('ORDER', 'PAYMENT', 'DELIVERY', 'CANCELLATION', 'RETURN', 'EXCHANGE')),
	CONSTRAINT "order_item_histories_status_word" CHECK ("order_item_histories"."status" in ('CREATED', 'DEPOSIT_WAITING', 'CANCELLED', 'PAID', 'CANCELLATION_REQUEST', 'CANCELLATION_REQUEST_CANCELLED', 'CANCELLATION_REQUEST_DENIED', 'CANCELLATION_REFUNDING', 'CANCELLATION_REFUNDED', 'CANCELLATION_REFUNDED_PARTIALLY', 'ORDER_DELIVERY_PREPARING', 'ORDER_DELIVERY_SUSPENDED', 'ORDER_DELIVERY_ON_THE_WAY', 'ORDER_DELIVERY_COMPLETED', 'EXCHANGE_REQUEST', 'EXCHANGE_REQUEST_CANCELLED', 'EXCHANGE_REQUEST_REJECTED', 'EXCHANGE_COLLECTION_PREPARING', 'EXCHANGE_COLLECTION_ON_THE_WAY', 'EXCHANGE_COLLECTION_COMPLETED', 'EXCHANGE_DELIVERY_PREPARING', 'EXCHANGE_DELIVERY_ON_THE_WAY', 'EXCHANGE_DELIVERY_COMPLETED', 'EXCHANGE_REJECT_DELIVERY_PREPARING', 'EXCHANGE_REJECT_DELIVERY_ON_THE_WAY', 'EXCHANGE_REJECT_DELIVERY_COMPLETED', 'EXCHANGE_PENDING', 'EXCHANGE_REJECTED', 'RETURN_REQUEST', 'RETURN_REQUEST_CANCELLED', 'RETURN_REQUEST_REJECTED', 'RETURN_COLLECTION_PREPARING', 'RETURN_COLLECTION_ON_THE_WAY', 'RETURN_COLLECTION_COMPLETED', 'RETURN_REJECT_DELIVERY_PREPARING', 'RETURN_REJECT_DELIVERY_ON_THE_WAY', 'RETURN_REJECT_DELIVERY_COMPLETED', 'RETURN_PENDING', 'RETURN_REJECTED', 'RETURN_REFUNDING', 'RETURN_REFUNDED', 'RETURN_REFUNDED_PARTIALLY', 'PAYMENT_FAILURE', 'FINISHED_EXCHANGE_AVAILABLE', 'FINISHED_RETURN_AVAILABLE', 'FINISHED_SUCCESSFULLY'))
);
--> statement-breakpoint
CREATE TABLE "order_items" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "order_items_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"code" text NOT NULL,
	"order_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"amount" numeric(21, 6) NOT NULL,
	"paid_amount" numeric(21, 6) NOT NULL,
	"returned_amount" numeric(21, 6) NOT NULL,
	"currency" text NOT NULL,
	"quantity" integer NOT NULL,
	"minimum_quantity" integer,
	"maximum_quantity" integer,
	"product_id" bigint,
	"price_id" bigint,
	"unit_price" numeric(21, 6) NOT NULL,
	"option_ids" bigint[] DEFAULT '{}' NOT NULL,
	"option_label" text DEFAULT '' NOT NULL,
	"ordered_product_type" text,
	"ordered_product_name" text NOT NULL,
	"ordered_plan_name" text DEFAULT '' NOT NULL,
	"featured_image_url" text DEFAULT '' NOT NULL,
	"discount_name" text,
	"related_item_id" bigint,
	"parent_item_id" bigint,
	"related_subscription_item_id" bigint,
	"price_setup_type" text,
	"demo_cycle_num" integer,
	"demo_cycle_type" text,
	"used_count" numeric(21, 6),
	"usage_formula" text,
	"delivery_code" text,
	"unit_count" numeric(21, 6),
	"unit_change_history" jsonb,
	"status_before" text,
	"canceled_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"modified_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "order_items_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "order_items_type_word" CHECK ("order_items"."type" in ('SKU', 'TAX', 'SHIPPING', 'DISCOUNT', 'FEE', 'OFFLINE', 'ADDS')),
	CONSTRAINT "order_items_status_word" CHECK ("order_items"."status" in ('CREATED', 'DEPOSIT_WAITING', 'CANCELLED', 'PAID', 'CANCELLATION_REQUEST', 'CANCELLATION_REQUEST_CANCELLED', 'CANCELLATION_REQUEST_DENIED', 'CANCELLATION_REFUNDING', 'CANCELLATION_REFUNDED', 'CANCELLATION_REFUNDED_PARTIALLY', 'ORDER_DELIVERY_PREPARING', 'ORDER_DELIVERY_SUSPENDED', 'ORDER_DELIVERY_ON_THE_WAY', 'ORDER_DELIVERY_COMPLETED', 'EXCHANGE_REQUEST', 'EXCHANGE_REQUEST_CANCELLED', 'EXCHANGE_REQUEST_REJECTED', 'EXCHANGE_COLLECTION_PREPARING', 'EXCHANGE_COLLECTION_ON_THE_WAY', 'EXCHANGE_COLLECTION_COMPLETED', 'EXCHANGE_DELIVERY_PREPARING', 'EXCHANGE_DELIVERY_ON_THE_WAY', 'EXCHANGE_DELIVERY_COMPLETED', 'EXCHANGE_REJECT_DELIVERY_PREPARING', 'EXCHANGE_REJECT_DELIVERY_ON_THE_WAY', 'EXCHANGE_REJECT_DELIVERY_COMPLETED', 'EXCHANGE_PENDING', 'EXCHANGE_REJECTED', 'RETURN_REQUEST', 'RETURN_REQUEST_CANCELLED', 'RETURN_REQUEST_REJECTED', 'RETURN_COLLECTION_PREPARING', 'RETURN_COLLECTION_ON_THE_WAY', 'RETURN_COLLECTION_COMPLETED', 'RETURN_REJECT_DELIVERY_PREPARING', 'RETURN_REJECT_DELIVERY_ON_THE_WAY', 'RETURN_REJECT_DELIVERY_COMPLETED', 'RETURN_PENDING', 'RETURN_REJECTED', 'RETURN_REFUNDING', 'RETURN_REFUNDED', 'RETURN_REFUNDED_PARTIALLY', 'PAYMENT_FAILURE', 'FINISHED_EXCHANGE_AVAILABLE', 'FINISHED_RETURN_AVAILABLE', 'FINISHED_SUCCESSFULLY')),
	CONSTRAINT "order_items_quantity" CHECK ("order_items"."quantity" >= 1)
);
--> statement-breakpoint
CREATE TABLE "order_logs" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "order_logs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" bigint NOT NULL,
	"type" text NOT NULL,
	"content" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "order_logs_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "order_logs_type_word" CHECK ("order_logs"."type" in ('CUSTOMER', 'MANAGER', 'SYSTEM'))
);
--> statement-breakpoint
CREATE TABLE "order_states" (
	"vendor_id" bigint NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"order_id" bigint NOT NULL,
	CONSTRAINT "order_states_pk" PRIMARY KEY("vendor_id","order_id","status")
);
--> statement-breakpoint
CREATE TABLE "order_subscriptions" (
	"vendor_id" bigint NOT NULL,
	"order_id" bigint NOT NULL,
	"subscription_id" bigint NOT NULL,
	CONSTRAINT "order_subscriptions_pk" PRIMARY KEY("vendor_id","order_id","subscription_id")
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "orders_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"code" text NOT NULL,
	"id_key" text NOT NULL,
	"type" text NOT NULL,
	"customer_id" bigint NOT NULL,
	"customer_name" text NOT NULL,
	"customer_phone" text NOT NULL,
	"customer_email" text NOT NULL,
	"product_name" text NOT NULL,
	"currency" text NOT NULL,
	"base_currency" text NOT NULL,
	"exchange_rate" numeric(21, 6) NOT NULL,
	"region" text,
	"amount" numeric(21, 6) NOT NULL,
	"discounted_amount" numeric(21, 6) NOT NULL,
	"paid_amount" numeric(21, 6) NOT NULL,
	"returned_amount" numeric(21, 6) NOT NULL,
	"currency_price" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"claim_method_type" text NOT NULL,
	"payment_method" text,
	"allowed_payment_methods" text[] DEFAULT '{}' NOT NULL,
	"payment_gateway" text,
	"payment_date" timestamp (3) with time zone,
	"payment_due_date" timestamp (3) with time zone,
	"purchase_deadline" timestamp (3) with time zone,
	"calculate_start_date" timestamp (3) with time zone,
	"calculate_end_date" timestamp (3) with time zone,
	"parent_subscription_id" bigint,
	"parent_vendor_id" bigint,
	"parent_order_id" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	"modified_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "orders_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "orders_type_word" CHECK ("orders"."type" in ('RECURRING', 'ONE_TIME', 'PAYMENT_METHOD', 'RECURRING_INITIAL', 'ADD_USAGE', 'ADDITIONAL', 'ADD_PAYMENT_METHOD')),
	CONSTRAINT "orders_claim_word" CHECK ("orders"."claim_method_type" in ('PRE', 'POST')),
	CONSTRAINT "orders_method_word" CHECK ("orders"."payment_method" in ('CARD', 'VBANK', 'BANK', 'BANK_TRANSFER', 'CELLPHONE', 'SIMPLE_PAY', 'CMS', 'CARD_BILL', 'CELLPHONE_BILL', 'CMS_BILL', 'ONLINE_WALLET')),
	CONSTRAINT "orders_gateway_word" CHECK ("orders"."payment_gateway" in ('EMPTY', 'UNKNOWN', 'HOUSE', 'PROVIDER_01', 'PROVIDER_02', 'PROVIDER_03', 'PROVIDER_04', 'PROVIDER_05', 'PROVIDER_06', 'PROVIDER_07', 'PROVIDER_08', 'PROVIDER_09', 'PROVIDER_10', 'PROVIDER_11', 'PROVIDER_12', 'PROVIDER_13', 'PROVIDER_14', 'PROVIDER_15', 'PROVIDER_16', 'PROVIDER_17', 'PROVIDER_18', 'PROVIDER_19', 'PROVIDER_20', 'PROVIDER_21')),
	CONSTRAINT "orders_parent_whole" CHECK (("orders"."parent_vendor_id" is null) = ("orders"."parent_order_id" is null)),
	CONSTRAINT "orders_amounts" CHECK ("orders"."amount" >= 0 and "orders"."paid_amount" >= 0 and "orders"."returned_amount" between 0 and "orders"."paid_amount")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "payments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" bigint NOT NULL,
	"amount" numeric(21, 6) NOT NULL,
	"discount" numeric(21, 6) NOT NULL,
	"payment_method" text,
	"payment_date" timestamp (3) with time zone,
	"payment_gateway" text NOT NULL,
	"payment_return" numeric(21, 6) NOT NULL,
	"payment_receipt_url" text DEFAULT '' NOT NULL,
	"card_number" text,
	"vbank" jsonb,
	"customer_name" text NOT NULL,
	"customer_email" text NOT NULL,
	"customer_phone" text NOT NULL,
	"error_code" text,
	"error_message" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payments_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "payments_method_word" CHECK ("payments"."payment_method" in ('CARD', 'VBANK', 'BANK', 'BANK_TRANSFER', 'CELLPHONE', 'SIMPLE_PAY', 'CMS', 'CARD_BILL', 'CELLPHONE_BILL', 'CMS_BILL', 'ONLINE_WALLET')),
	CONSTRAINT "payments_gateway_word" CHECK ("payments"."payment_gateway" in ('EMPTY', 'UNKNOWN', 'HOUSE', 'PROVIDER_01', 'PROVIDER_02', 'PROVIDER_03', 'PROVIDER_04', 'PROVIDER_05', 'PROVIDER_06', 'PROVIDER_07', 'PROVIDER_08', 'PROVIDER_09', 'PROVIDER_10', 'PROVIDER_11', 'PROVIDER_12', 'PROVIDER_13', 'PROVIDER_14', 'PROVIDER_15', 'PROVIDER_16', 'PROVIDER_17', 'PROVIDER_18', 'PROVIDER_19', 'PROVIDER_20', 'PROVIDER_21'))
);
--> statement-breakpoint
CREATE TABLE "invoice_items" (
	"vendor_id" bigint NOT NULL,
	"invoice_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"product_id" bigint NOT NULL,
	"price_id" bigint NOT NULL,
	"price" numeric(21, 6),
	"minimum_quantity" integer NOT NULL,
	"maximum_quantity" integer,
	CONSTRAINT "invoice_items_pk" PRIMARY KEY("vendor_id","invoice_id","position"),
	CONSTRAINT "invoice_items_quantity" CHECK ("invoice_items"."minimum_quantity" >= 1 and ("invoice_items"."maximum_quantity" is null or "invoice_items"."maximum_quantity" >= "invoice_items"."minimum_quantity"))
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"vendor_id" bigint NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "invoices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"customer_id" bigint NOT NULL,
	"status" text NOT NULL,
	"publish_type" text NOT NULL,
	"publish_methods" text[] NOT NULL,
	"invoice_pay_methods" text[] DEFAULT '{}' NOT NULL,
	"payment_gateway" text,
	"region" text,
	"currency" text NOT NULL,
	"discount" numeric(21, 6),
	"instant_amount" numeric(21, 6),
	"purchase_deadline" timestamp (3) with time zone,
	"reservation_at" timestamp (3) with time zone,
	"memo_to_customer" text DEFAULT '' NOT NULL,
	"order_id" bigint,
	"sent_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"modified_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "invoices_pk" PRIMARY KEY("vendor_id","id"),
	CONSTRAINT "invoices_status_word" CHECK ("invoices"."status" in ('TEMPORARY', 'RESERVATION', 'SENT', 'PAID', 'OVER_DUE', 'SEND_FAIL')),
	CONSTRAINT "invoices_publish_word" CHECK ("invoices"."publish_type" in ('NOW', 'RESERVATION')),
	CONSTRAINT "invoices_gateway_word" CHECK ("invoices"."payment_gateway" in ('EMPTY', 'UNKNOWN', 'HOUSE', 'PROVIDER_01', 'PROVIDER_02', 'PROVIDER_03', 'PROVIDER_04', 'PROVIDER_05', 'PROVIDER_06', 'PROVIDER_07', 'PROVIDER_08', 'PROVIDER_09', 'PROVIDER_10', 'PROVIDER_11', 'PROVIDER_12', 'PROVIDER_13', 'PROVIDER_14', 'PROVIDER_15', 'PROVIDER_16', 'PROVIDER_17', 'PROVIDER_18', 'PROVIDER_19', 'PROVIDER_20', 'PROVIDER_21'))
);
--> statement-breakpoint
ALTER TABLE "exchange_rates" ADD CONSTRAINT "exchange_rates_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "managers" ADD CONSTRAINT "managers_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vendor_settings" ADD CONSTRAINT "vendor_settings_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_methods" ADD CONSTRAINT "payment_methods_customer_fk" FOREIGN KEY ("vendor_id","customer_id") REFERENCES "public"."customers"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shipping_addresses" ADD CONSTRAINT "shipping_addresses_customer_fk" FOREIGN KEY ("vendor_id","customer_id") REFERENCES "public"."customers"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bundle_members" ADD CONSTRAINT "bundle_members_bundle_fk" FOREIGN KEY ("vendor_id","bundle_id") REFERENCES "public"."products"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bundle_members" ADD CONSTRAINT "bundle_members_product_fk" FOREIGN KEY ("vendor_id","product_id") REFERENCES "public"."products"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "categories" ADD CONSTRAINT "categories_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "country_settings" ADD CONSTRAINT "country_settings_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "option_combinations" ADD CONSTRAINT "option_combinations_product_fk" FOREIGN KEY ("vendor_id","product_id") REFERENCES "public"."products"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "option_groups" ADD CONSTRAINT "option_groups_product_fk" FOREIGN KEY ("vendor_id","product_id") REFERENCES "public"."products"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_categories" ADD CONSTRAINT "product_categories_product_fk" FOREIGN KEY ("vendor_id","product_id") REFERENCES "public"."products"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_categories" ADD CONSTRAINT "product_categories_category_fk" FOREIGN KEY ("vendor_id","category_id") REFERENCES "public"."categories"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_options" ADD CONSTRAINT "product_options_group_fk" FOREIGN KEY ("vendor_id","group_id") REFERENCES "public"."option_groups"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_options" ADD CONSTRAINT "product_options_parent_fk" FOREIGN KEY ("vendor_id","parent_id") REFERENCES "public"."product_options"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_vendor_fk" FOREIGN KEY ("vendor_id") REFERENCES "public"."vendors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_country_setting_fk" FOREIGN KEY ("vendor_id","country_setting_id") REFERENCES "public"."country_settings"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_child_fk" FOREIGN KEY ("child_vendor_id","child_product_id") REFERENCES "public"."products"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bundle_prices" ADD CONSTRAINT "bundle_prices_bundle_fk" FOREIGN KEY ("vendor_id","bundle_price_id") REFERENCES "public"."price_plans"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bundle_prices" ADD CONSTRAINT "bundle_prices_product_fk" FOREIGN KEY ("vendor_id","product_id") REFERENCES "public"."products"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bundle_prices" ADD CONSTRAINT "bundle_prices_price_fk" FOREIGN KEY ("vendor_id","price_id") REFERENCES "public"."price_plans"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_options" ADD CONSTRAINT "price_options_price_fk" FOREIGN KEY ("vendor_id","price_id") REFERENCES "public"."price_plans"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_options" ADD CONSTRAINT "price_options_plan_fk" FOREIGN KEY ("vendor_id","option_price_id") REFERENCES "public"."price_plans"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_plans" ADD CONSTRAINT "price_plans_product_fk" FOREIGN KEY ("vendor_id","product_id") REFERENCES "public"."products"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_items" ADD CONSTRAINT "subscription_items_subscription_fk" FOREIGN KEY ("vendor_id","subscription_id") REFERENCES "public"."subscriptions"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_items" ADD CONSTRAINT "subscription_items_product_fk" FOREIGN KEY ("vendor_id","product_id") REFERENCES "public"."products"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_items" ADD CONSTRAINT "subscription_items_price_fk" FOREIGN KEY ("vendor_id","price_id") REFERENCES "public"."price_plans"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_items" ADD CONSTRAINT "subscription_items_parent_fk" FOREIGN KEY ("vendor_id","parent_item_id") REFERENCES "public"."subscription_items"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_customer_fk" FOREIGN KEY ("vendor_id","customer_id") REFERENCES "public"."customers"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_price_fk" FOREIGN KEY ("vendor_id","price_id") REFERENCES "public"."price_plans"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_method_fk" FOREIGN KEY ("vendor_id","payment_method_id") REFERENCES "public"."payment_methods"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_item_histories" ADD CONSTRAINT "order_item_histories_item_fk" FOREIGN KEY ("vendor_id","item_id") REFERENCES "public"."order_items"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_order_fk" FOREIGN KEY ("vendor_id","order_id") REFERENCES "public"."orders"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_product_fk" FOREIGN KEY ("vendor_id","product_id") REFERENCES "public"."products"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_price_fk" FOREIGN KEY ("vendor_id","price_id") REFERENCES "public"."price_plans"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_related_fk" FOREIGN KEY ("vendor_id","related_item_id") REFERENCES "public"."order_items"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_parent_fk" FOREIGN KEY ("vendor_id","parent_item_id") REFERENCES "public"."order_items"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_subscription_item_fk" FOREIGN KEY ("vendor_id","related_subscription_item_id") REFERENCES "public"."subscription_items"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_logs" ADD CONSTRAINT "order_logs_order_fk" FOREIGN KEY ("vendor_id","order_id") REFERENCES "public"."orders"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_states" ADD CONSTRAINT "order_states_order_fk" FOREIGN KEY ("vendor_id","order_id") REFERENCES "public"."orders"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_subscriptions" ADD CONSTRAINT "order_subscriptions_order_fk" FOREIGN KEY ("vendor_id","order_id") REFERENCES "public"."orders"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_subscriptions" ADD CONSTRAINT "order_subscriptions_subscription_fk" FOREIGN KEY ("vendor_id","subscription_id") REFERENCES "public"."subscriptions"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_customer_fk" FOREIGN KEY ("vendor_id","customer_id") REFERENCES "public"."customers"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_subscription_fk" FOREIGN KEY ("vendor_id","parent_subscription_id") REFERENCES "public"."subscriptions"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_parent_fk" FOREIGN KEY ("parent_vendor_id","parent_order_id") REFERENCES "public"."orders"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_fk" FOREIGN KEY ("vendor_id","order_id") REFERENCES "public"."orders"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_items" ADD CONSTRAINT "invoice_items_invoice_fk" FOREIGN KEY ("vendor_id","invoice_id") REFERENCES "public"."invoices"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_items" ADD CONSTRAINT "invoice_items_product_fk" FOREIGN KEY ("vendor_id","product_id") REFERENCES "public"."products"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_items" ADD CONSTRAINT "invoice_items_price_fk" FOREIGN KEY ("vendor_id","price_id") REFERENCES "public"."price_plans"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_customer_fk" FOREIGN KEY ("vendor_id","customer_id") REFERENCES "public"."customers"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_order_fk" FOREIGN KEY ("vendor_id","order_id") REFERENCES "public"."orders"("vendor_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "managers_uuid" ON "managers" USING btree ("uuid");--> statement-breakpoint
CREATE UNIQUE INDEX "managers_username" ON "managers" USING btree ("vendor_id",lower("username"));--> statement-breakpoint
CREATE UNIQUE INDEX "customers_uuid" ON "customers" USING btree ("vendor_id","uuid");--> statement-breakpoint
CREATE UNIQUE INDEX "customers_code" ON "customers" USING btree ("vendor_id","code");--> statement-breakpoint
CREATE UNIQUE INDEX "customers_username" ON "customers" USING btree ("vendor_id","username");--> statement-breakpoint
CREATE INDEX "customers_created" ON "customers" USING btree ("vendor_id","created_at","id");--> statement-breakpoint
CREATE INDEX "customers_status" ON "customers" USING btree ("vendor_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "customers_region" ON "customers" USING btree ("vendor_id","region","created_at","id");--> statement-breakpoint
CREATE INDEX "customers_name" ON "customers" USING btree ("vendor_id","name","id");--> statement-breakpoint
CREATE INDEX "customers_email" ON "customers" USING btree ("vendor_id","email","id");--> statement-breakpoint
CREATE INDEX "customers_search" ON "customers" USING gin ("vendor_id","name" gin_trgm_ops,"email" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "payment_methods_customer" ON "payment_methods" USING btree ("vendor_id","customer_id","id");--> statement-breakpoint
CREATE INDEX "shipping_addresses_customer" ON "shipping_addresses" USING btree ("vendor_id","customer_id","used_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "bundle_members_product" ON "bundle_members" USING btree ("vendor_id","bundle_id","product_id");--> statement-breakpoint
CREATE INDEX "bundle_members_of" ON "bundle_members" USING btree ("vendor_id","product_id");--> statement-breakpoint
CREATE UNIQUE INDEX "categories_name" ON "categories" USING btree ("vendor_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "country_settings_country" ON "country_settings" USING btree ("vendor_id","country_code");--> statement-breakpoint
CREATE UNIQUE INDEX "option_groups_depth" ON "option_groups" USING btree ("vendor_id","product_id","depth");--> statement-breakpoint
CREATE INDEX "product_categories_category" ON "product_categories" USING btree ("vendor_id","category_id","product_id");--> statement-breakpoint
CREATE UNIQUE INDEX "product_options_position" ON "product_options" USING btree ("vendor_id","group_id","position");--> statement-breakpoint
CREATE INDEX "product_options_parent" ON "product_options" USING btree ("vendor_id","parent_id");--> statement-breakpoint
CREATE UNIQUE INDEX "products_code" ON "products" USING btree ("vendor_id","code");--> statement-breakpoint
CREATE UNIQUE INDEX "products_child" ON "products" USING btree ("vendor_id","child_vendor_id","child_product_id");--> statement-breakpoint
CREATE INDEX "products_created" ON "products" USING btree ("vendor_id","created_at","id");--> statement-breakpoint
CREATE INDEX "products_status" ON "products" USING btree ("vendor_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "products_type" ON "products" USING btree ("vendor_id","type","created_at","id");--> statement-breakpoint
CREATE INDEX "products_search" ON "products" USING gin ("vendor_id","code" gin_trgm_ops,"name" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "bundle_prices_member" ON "bundle_prices" USING btree ("vendor_id","price_id");--> statement-breakpoint
CREATE INDEX "bundle_prices_product" ON "bundle_prices" USING btree ("vendor_id","product_id");--> statement-breakpoint
CREATE UNIQUE INDEX "price_options_position" ON "price_options" USING btree ("vendor_id","price_id","position");--> statement-breakpoint
CREATE INDEX "price_options_plan" ON "price_options" USING btree ("vendor_id","option_price_id");--> statement-breakpoint
CREATE UNIQUE INDEX "price_plans_code" ON "price_plans" USING btree ("vendor_id","code");--> statement-breakpoint
CREATE INDEX "price_plans_created" ON "price_plans" USING btree ("vendor_id","created_at","id");--> statement-breakpoint
CREATE INDEX "price_plans_product" ON "price_plans" USING btree ("vendor_id","product_id","order","id");--> statement-breakpoint
CREATE INDEX "price_plans_product_created" ON "price_plans" USING btree ("vendor_id","product_id","created_at","id");--> statement-breakpoint
CREATE INDEX "price_plans_type" ON "price_plans" USING btree ("vendor_id","type","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "subscription_items_code" ON "subscription_items" USING btree ("vendor_id","code");--> statement-breakpoint
CREATE UNIQUE INDEX "subscription_items_position" ON "subscription_items" USING btree ("vendor_id","subscription_id","position");--> statement-breakpoint
CREATE INDEX "subscription_items_product" ON "subscription_items" USING btree ("vendor_id","product_id");--> statement-breakpoint
CREATE INDEX "subscription_items_price" ON "subscription_items" USING btree ("vendor_id","price_id");--> statement-breakpoint
CREATE INDEX "subscription_items_parent" ON "subscription_items" USING btree ("vendor_id","parent_item_id");--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_code" ON "subscriptions" USING btree ("vendor_id","code");--> statement-breakpoint
CREATE INDEX "subscriptions_created" ON "subscriptions" USING btree ("vendor_id","created_at","id");--> statement-breakpoint
CREATE INDEX "subscriptions_status" ON "subscriptions" USING btree ("vendor_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "subscriptions_customer" ON "subscriptions" USING btree ("vendor_id","customer_id","created_at","id");--> statement-breakpoint
CREATE INDEX "subscriptions_live" ON "subscriptions" USING btree ("vendor_id","customer_id") WHERE status not in ('CANCELED', 'EXPIRED');--> statement-breakpoint
CREATE INDEX "subscriptions_price" ON "subscriptions" USING btree ("vendor_id","price_id");--> statement-breakpoint
CREATE INDEX "subscriptions_method" ON "subscriptions" USING btree ("vendor_id","payment_method_id");--> statement-breakpoint
CREATE INDEX "order_item_histories_item" ON "order_item_histories" USING btree ("vendor_id","item_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "order_items_code" ON "order_items" USING btree ("vendor_id","code");--> statement-breakpoint
CREATE UNIQUE INDEX "order_items_position" ON "order_items" USING btree ("vendor_id","order_id","position");--> statement-breakpoint
CREATE INDEX "order_items_product" ON "order_items" USING btree ("vendor_id","product_id","id");--> statement-breakpoint
CREATE INDEX "order_items_price" ON "order_items" USING btree ("vendor_id","price_id");--> statement-breakpoint
CREATE INDEX "order_items_subscription_item" ON "order_items" USING btree ("vendor_id","related_subscription_item_id");--> statement-breakpoint
CREATE INDEX "order_logs_order" ON "order_logs" USING btree ("vendor_id","order_id","id");--> statement-breakpoint
CREATE INDEX "order_states_list" ON "order_states" USING btree ("vendor_id","status","created_at","order_id");--> statement-breakpoint
CREATE INDEX "order_subscriptions_subscription" ON "order_subscriptions" USING btree ("vendor_id","subscription_id","order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_code" ON "orders" USING btree ("vendor_id","code");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_id_key" ON "orders" USING btree ("vendor_id","id_key");--> statement-breakpoint
CREATE INDEX "orders_created" ON "orders" USING btree ("vendor_id","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_modified" ON "orders" USING btree ("vendor_id","modified_at","id");--> statement-breakpoint
CREATE INDEX "orders_paid_at" ON "orders" USING btree ("vendor_id","payment_date" NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "orders_deadline" ON "orders" USING btree ("vendor_id","purchase_deadline" NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "orders_paid_amount" ON "orders" USING btree ("vendor_id","paid_amount","id");--> statement-breakpoint
CREATE INDEX "orders_customer_name" ON "orders" USING btree ("vendor_id","customer_name","id");--> statement-breakpoint
CREATE INDEX "orders_product_name" ON "orders" USING btree ("vendor_id","product_name","id");--> statement-breakpoint
CREATE INDEX "orders_type" ON "orders" USING btree ("vendor_id","type","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_region" ON "orders" USING btree ("vendor_id","region","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_customer" ON "orders" USING btree ("vendor_id","customer_id","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_subscription" ON "orders" USING btree ("vendor_id","parent_subscription_id","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_search" ON "orders" USING gin ("vendor_id","code" gin_trgm_ops,"product_name" gin_trgm_ops,"customer_name" gin_trgm_ops,"customer_phone" gin_trgm_ops,"customer_email" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "orders_parent" ON "orders" USING btree ("parent_vendor_id","parent_order_id");--> statement-breakpoint
CREATE INDEX "payments_order" ON "payments" USING btree ("vendor_id","order_id","id");--> statement-breakpoint
CREATE INDEX "invoice_items_product" ON "invoice_items" USING btree ("vendor_id","product_id");--> statement-breakpoint
CREATE INDEX "invoice_items_price" ON "invoice_items" USING btree ("vendor_id","price_id");--> statement-breakpoint
CREATE INDEX "invoices_created" ON "invoices" USING btree ("vendor_id","created_at","id");--> statement-breakpoint
CREATE INDEX "invoices_status" ON "invoices" USING btree ("vendor_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "invoices_customer" ON "invoices" USING btree ("vendor_id","customer_id","created_at","id");--> statement-breakpoint
CREATE INDEX "invoices_order" ON "invoices" USING btree ("vendor_id","order_id");