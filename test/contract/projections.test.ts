import { getNamedType, getNullableType, isListType, isObjectType, type GraphQLObjectType } from "graphql";
import { getMetadataStorage } from "type-graphql";
import { expect, test } from "vitest";
import { customerShape, paymentMethodShape } from "../../src/customers/customer.projection.ts";
import type { Edge, Part, Shape } from "../../src/database/projection.ts";
import { buildGatewaySchema } from "../../src/graphql/schema.ts";
import { invoiceShape } from "../../src/invoices/invoice.projection.ts";
import { orderItemShape, orderShape } from "../../src/orders/order.projection.ts";
import { ledgerShape } from "../../src/payments/ledger/ledger.projection.ts";
import { paymentShape } from "../../src/payments/payment.projection.ts";
import { pricePlanShape } from "../../src/products/price-plans/price-plan.projection.ts";
import { productSubmissionShape } from "../../src/products/product-submission.projection.ts";
import { productShape } from "../../src/products/product.projection.ts";
import { subscriptionShape } from "../../src/subscriptions/subscription.projection.ts";
import { childVendorShape, vendorShape } from "../../src/vendors/vendor.projection.ts";

/** The types that a shape reads, each with its shape; those below them are found by their edges. */
const roots: Readonly<Record<string, Shape>> = {
  Customer: customerShape,
  Product: productShape,
  ProductSubmission: productSubmissionShape,
  PricePlan: pricePlanShape,
  Order: orderShape,
  OrderItem: orderItemShape,
  Invoice: invoiceShape,
  Subscription: subscriptionShape,
  StoredPaymentMethod: paymentMethodShape,
  Payment: paymentShape,
  LedgerEntry: ledgerShape,
  Vendor: vendorShape,
  ChildVendor: childVendorShape,
};

/** Secrets are told by the mutation that makes them, and read by nothing. */
const shownOnce: ReadonlySet<string> = new Set([
  "Vendor.secretKey",
  "Vendor.paymentKey",
  "CmsIntegration.consumerSecret",
]);

const schema = buildGatewaySchema();

/** Fields that a resolver answers, as "Type.field". */
const resolved: ReadonlySet<string> = new Set(
  getMetadataStorage().fieldResolvers.flatMap((resolver) =>
    resolver.kind === "external" ? [`${nameOf(resolver.getObjectType!())}.${resolver.methodName}`] : [],
  ),
);

function nameOf(target: unknown): string {
  return getMetadataStorage().objectTypes.find((type) => type.target === target)?.name ?? "";
}

/** Fields of a type, and of the types below it, that neither a shape nor a resolver has a value for. */
class Gaps {
  private readonly known = new Set<string>();
  readonly found: string[] = [];

  of(type: GraphQLObjectType, shape: Shape): void {
    const { fields, parts = {}, one = {}, many = {} } = shape;
    this.look(type, [fields, parts, one, many], (name, below) => {
      const edge: Edge | undefined = one[name] ?? many[name];
      const key = `${below.name} ${name} of ${type.name}`;
      if (parts[name]) this.ofPart(below, parts[name]);
      else if (edge && !this.known.has(key)) {
        this.known.add(key);
        this.of(below, edge.shape());
      }
    });
  }

  private ofPart(type: GraphQLObjectType, { fields }: Part): void {
    this.look(type, [fields], () => undefined);
  }

  private look(
    type: GraphQLObjectType,
    places: readonly object[],
    descend: (name: string, below: GraphQLObjectType) => void,
  ): void {
    const fields = type.getFields();
    for (const [name, field] of Object.entries(fields)) {
      // The global id of a part follows from its number (graphql/global-ids.ts).
      if (name === "id" && "databaseId" in fields) continue;
      const below = getNamedType(field.type);
      if (places.some((place) => name in place)) {
        if (isObjectType(below)) descend(name, below);
      } else if (!resolved.has(`${type.name}.${name}`)) this.found.push(`${type.name}.${name}`);
    }
  }
}

test.each(Object.entries(roots))(
  "every field of %s, and of what lies below it, is in a shape or has a resolver",
  (name, shape) => {
    const gaps = new Gaps();
    gaps.of(schema.getType(name) as GraphQLObjectType, shape);
    expect(gaps.found.filter((field) => !shownOnce.has(field))).toEqual([]);
  },
);

test("every type whose lists are read by the selection is looked at", () => {
  const connections = Object.values(schema.getQueryType()!.getFields()).flatMap(({ name, type, args }) => {
    const connection = getNamedType(type);
    const isList = args.some((argument) => argument.name === "after") && isObjectType(connection);
    const nodes = isList ? getNullableType(connection.getFields()["nodes"]!.type) : undefined;
    return isListType(nodes) && !/^(?:cover|recovery)/.test(name) ? [String(getNamedType(nodes))] : [];
  });
  expect(connections.filter((name) => !(name in roots))).toEqual([]);
});

test("what a shape does not read is told", () => {
  const gaps = new Gaps();
  gaps.of(schema.getType("Customer") as GraphQLObjectType, { ...customerShape, fields: {} });
  expect(gaps.found).toContain("Customer.email");
});
