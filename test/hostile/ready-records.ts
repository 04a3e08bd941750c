import type { TestGateway, TestVendor } from "../support/test-gateway.ts";
import { queryRows } from "./query-rows.ts";
import type { RecordFixtures } from "./record-fixtures.ts";

/** Brings a vendor's records into the state that an operation needs, by its name: `Mutation.payOrder`. */
export async function makeReady(
  gateway: TestGateway,
  name: string,
  own: RecordFixtures,
  vendor: TestVendor,
): Promise<void> {
  if (name.startsWith("Mutation.setCoverOrderStatus"))
    await gateway.sendRest("PATCH", `/cover/order/success/${own.orderId}`, undefined, vendor);
  if (name.startsWith("Mutation.submitProduct"))
    await queryRows(
      gateway,
      `update products set type = 'DRAFT', draft_of = 'BOX', status = 'UNSOLD' where id = ${own.billingProductId}`,
    );
  if (name.startsWith("Mutation.reportInvoiceUndelivered"))
    await queryRows(gateway, `update invoices set status = 'SENT' where id = ${own.billingInvoiceId}`);
  if (/^Mutation[.](?:start|promote)RecoveryExperiment/.test(name))
    await queryRows(
      gateway,
      `update recovery_experiments set state = 'STOPPED', stopped_at = now(), covers_in_progress = 'KEEP_POLICY'
        where vendor_id = ${vendor.id} and state = 'RUNNING'`,
    );
  if (name.startsWith("Mutation.promoteRecoveryExperimentArm"))
    await queryRows(
      gateway,
      `update recovery_experiments set state = 'RUNNING', stopped_at = null, covers_in_progress = null
        where id = ${own.experimentId}`,
    );
  if (/^Mutation[.](?:resendInvitation|changePersonRole|removePerson|resetSecondFactor)/.test(name))
    await queryRows(
      gateway,
      `with invited as (update password_links set created_at = '2020-01-01' where vendor_id = ${vendor.id})
        update managers set enabled = true, role = 'FINANCE', password_hash = 'none'
        where vendor_id = ${vendor.id} and id = ${own.personId}`,
    );
  if (/^Mutation[.].*ApiKey/.test(name))
    await queryRows(
      gateway,
      `update api_keys set revoked_at = null, rotated_at = null, expires_at = null
        where vendor_id = ${vendor.id} and id = ${own.apiKeyId}`,
    );
  if (/^Mutation[.].*Webhook/.test(name))
    await queryRows(
      gateway,
      `update webhook_endpoints set enabled = true, disabled_reason = null, disabled_at = null, deleted_at = null
        where vendor_id = ${vendor.id} and id = ${own.webhookEndpointId}`,
    );
  const pay = (method: string) =>
    gateway.queryData(
      "mutation ($input: PayOrderInput!) { payOrder(input: $input) { payment { state } } }",
      { input: { orderId: String(own.billingOrderId), method } },
      vendor,
    );
  if (name.startsWith("Mutation.confirmDeposit")) await pay("BANK");
  if (name.startsWith("Mutation.refundOrder")) await pay("SIMPLE_PAY");
  if (name.startsWith("Mutation.activateSubscription"))
    await queryRows(gateway, `update subscriptions set status = 'PAUSE' where id = ${own.billingSubscriptionId}`);
  if (name.startsWith("Mutation.setSubscriptionUnits"))
    await queryRows(
      gateway,
      `update price_plans set type = 'UNIT_BASED' where id = (select price_id from subscription_items where code = '${own.billingSubscriptionItemCode}')`,
    );
  // The customer that is erased has the code of the sample, and nothing open.
  if (name.startsWith("Mutation.eraseCustomer"))
    for (const statement of [
      `update customers set code = 'customer_' || id where vendor_id = ${vendor.id} and code = 'customer_toerase1'`,
      `update customers set code = 'customer_toerase1' where id = ${own.billingCustomerId}`,
      `update subscriptions set status = 'EXPIRED' where customer_id = ${own.billingCustomerId}`,
      `update order_items set status = 'CANCELLED' where order_id = ${own.billingOrderId}`,
    ])
      await queryRows(gateway, statement);
  // The sample's plan must be one that the item could have: its own.
  if (name.startsWith("Mutation.changeSubscriptionPlan"))
    await queryRows(
      gateway,
      `update subscription_items set product_id = ${own.billingProductId}, price_id = ${own.billingPriceId}
        where code = '${own.billingSubscriptionItemCode}'`,
    );
  // The sample takes the first trigger of the enum: a request to cancel what is paid.
  if (name.startsWith("Mutation.moveOrderItems"))
    await queryRows(gateway, `update order_items set status = 'PAID' where id = ${own.billingItemId} returning id`);
}
