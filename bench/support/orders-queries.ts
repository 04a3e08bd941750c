import { readFile } from "node:fs/promises";
import { Kind, parse, print, separateOperations, visit } from "graphql";
import { removeWireDirectives } from "../../rest-compat/binding/wire-directives.ts";
import { projectFile } from "../../src/kernel/project-files.ts";

/* Fifty orders with customer, lines, price plan and product, 64 leaves each: the same page for each contestant. */

export const recoupOrdersQuery = `{ orders(first: 50) { nodes {
  databaseId code type productName currency paidAmount returnedAmount createdAt
  customer { databaseId code name email phone }
  items { databaseId code type status quantity amount paidAmount
    price { databaseId code type price planName }
    product { databaseId code type status name } } } } }`;

export const postgraphileOrdersQuery = (vendorId: number): string => `{ orders: allOrders(
  condition: { vendorId: "${vendorId}" }, orderBy: [CREATED_AT_DESC, ROW_ID_DESC], first: 50) { nodes {
  rowId code type productName currency paidAmount returnedAmount createdAt
  customer: customerByVendorIdAndCustomerId { rowId code name email phone }
  items: orderItemsByVendorIdAndOrderId(orderBy: [POSITION_ASC]) { nodes {
    rowId code type status quantity amount paidAmount
    price: pricePlanByVendorIdAndPriceId { rowId code type price planName }
    product: productByVendorIdAndProductId { rowId code type status name } } } } } }`;

/** A stored operation of orders with its fragments, under the fields' own names: as a client would send it. */
async function storedOrdersQuery(name: string): Promise<string> {
  const document = removeWireDirectives(parse(await readFile(projectFile("rest-compat/orders.graphql"), "utf8")));
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const operation = document.definitions.find(
    (each) => each.kind === Kind.OPERATION_DEFINITION && each.name?.value === name,
  )!;
  const completeDocument = separateOperations({ kind: Kind.DOCUMENT, definitions: [operation, ...fragments] })[name]!;
  return print(visit(completeDocument, { Field: (node) => ({ ...node, alias: undefined }) }));
}

/** The operation behind GET /orders. */
export const restOrdersQuery = () => storedOrdersQuery("ListOrders");

/** The operation behind GET /orders/{idOrCode}. */
export const restOrderQuery = () => storedOrdersQuery("GetOrder");
