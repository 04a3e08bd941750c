import { getNamedType, getNullableType, isListType, isObjectType, type GraphQLObjectType } from "graphql";
import { getMetadataStorage } from "type-graphql";
import { expect, test } from "vitest";
import { customerProjection, paymentMethodProjection } from "../../src/customers/customer.projection.ts";
import type { ProjectedEdge, ProjectedObject, Projection } from "../../src/database/projection.ts";
import { buildGatewaySchema } from "../../src/graphql/schema.ts";
import { invoiceProjection } from "../../src/invoices/invoice.projection.ts";
import { orderItemProjection, orderProjection } from "../../src/orders/order.projection.ts";
import { ledgerProjection } from "../../src/payments/ledger/ledger.projection.ts";
import { paymentProjection } from "../../src/payments/payment.projection.ts";
import { pricePlanProjection } from "../../src/products/price-plans/price-plan.projection.ts";
import { productSubmissionProjection } from "../../src/products/product-submission.projection.ts";
import { productProjection } from "../../src/products/product.projection.ts";
import { subscriptionProjection } from "../../src/subscriptions/subscription.projection.ts";
import { childVendorProjection, vendorProjection } from "../../src/vendors/vendor.projection.ts";

/** The types that a projection reads, each with its projection; nested types are found by their edges. */
const roots: Readonly<Record<string, Projection>> = {
  Customer: customerProjection,
  Product: productProjection,
  ProductSubmission: productSubmissionProjection,
  PricePlan: pricePlanProjection,
  Order: orderProjection,
  OrderItem: orderItemProjection,
  Invoice: invoiceProjection,
  Subscription: subscriptionProjection,
  StoredPaymentMethod: paymentMethodProjection,
  Payment: paymentProjection,
  LedgerEntry: ledgerProjection,
  Vendor: vendorProjection,
  ChildVendor: childVendorProjection,
};

/** Secrets are answered by the mutation that creates them, and read by nothing. */
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

/** Fields of a type, and of its nested types, for which neither a projection nor a resolver has a value. */
class Gaps {
  private readonly known = new Set<string>();
  readonly found: string[] = [];

  of(type: GraphQLObjectType, shape: Projection): void {
    const { fields, objects = {}, one = {}, many = {} } = shape;
    this.look(type, [fields, objects, one, many], (name, below) => {
      const edge: ProjectedEdge | undefined = one[name] ?? many[name];
      const key = `${below.name} ${name} of ${type.name}`;
      if (objects[name]) this.ofPart(below, objects[name]);
      else if (edge && !this.known.has(key)) {
        this.known.add(key);
        this.of(below, edge.projection());
      }
    });
  }

  private ofPart(type: GraphQLObjectType, { fields }: ProjectedObject): void {
    this.look(type, [fields], () => undefined);
  }

  private look(
    type: GraphQLObjectType,
    places: readonly object[],
    descend: (name: string, below: GraphQLObjectType) => void,
  ): void {
    const fields = type.getFields();
    for (const [name, field] of Object.entries(fields)) {
      // The global id of a part follows from its number (graphql/global-id-fields.ts).
      if (name === "id" && "databaseId" in fields) continue;
      const below = getNamedType(field.type);
      if (places.some((place) => name in place)) {
        if (isObjectType(below)) descend(name, below);
      } else if (!resolved.has(`${type.name}.${name}`)) this.found.push(`${type.name}.${name}`);
    }
  }
}

test.each(Object.entries(roots))(
  "every field of %s, and of its nested types, is in a projection or has a resolver",
  (name, shape) => {
    const gaps = new Gaps();
    gaps.of(schema.getType(name) as GraphQLObjectType, shape);
    expect(gaps.found.filter((field) => !shownOnce.has(field))).toEqual([]);
  },
);

test("every type whose lists are read by the selection is checked", () => {
  const connections = Object.values(schema.getQueryType()!.getFields()).flatMap(({ name, type, args }) => {
    const connection = getNamedType(type);
    const isList = args.some((argument) => argument.name === "after") && isObjectType(connection);
    const nodes = isList ? getNullableType(connection.getFields()["nodes"]!.type) : undefined;
    return isListType(nodes) && !/^(?:cover|recovery|webhook|outbox$|events$|apiKeys$|people$)/.test(name)
      ? [String(getNamedType(nodes))]
      : [];
  });
  expect(connections.filter((name) => !(name in roots))).toEqual([]);
});

test("a field missing from a projection is reported", () => {
  const gaps = new Gaps();
  gaps.of(schema.getType("Customer") as GraphQLObjectType, { ...customerProjection, fields: {} });
  expect(gaps.found).toContain("Customer.email");
});
