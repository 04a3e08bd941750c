import { describe, expect, test } from "vitest";
import { startGateway } from "../../support/test-gateway.ts";
import { graphqlRefusalOf, TestCatalogue } from "../../support/test-catalogue.ts";

const gateway = await startGateway();
const catalogue = new TestCatalogue(gateway);

const groups = "optionGroups { databaseId name depth options { databaseId name price quantity parent } }";
const combinations = "status optionCombinations { optionIds status quantity price }";

const colours = { name: "Colour", options: [{ name: "Red" }, { name: "Blue", price: "500", quantity: 3 }] };
const sizes = { name: "Size", options: [{ name: "S" }, { name: "L", parent: "Blue" }] };
const twoByTwo = [
  { options: ["Red", "S"], quantity: 1 },
  { options: ["Blue", "S"], quantity: 0, price: "100" },
  { options: ["Blue", "L"] },
];

const send = (id: number, input: object) =>
  catalogue.sendMutation("updateProduct", { id: String(id), ...input }, "product { id }");

describe("groups of options", () => {
  test("are in the order of the choice, options under their parents", async () => {
    const { optionGroups } = await catalogue.createProduct({ optionGroups: [colours, sizes] }, groups);
    const [red, blue, small, large] = optionGroups.flatMap((group) => group.options);
    expect(optionGroups.map(({ options }) => options.length)).toEqual([2, 2]);
    expect(optionGroups.map(({ name, depth }) => [name, depth])).toEqual([
      ["Colour", 0],
      ["Size", 1],
    ]);
    expect(red).toMatchObject({ name: "Red", price: "0", quantity: null, parent: null });
    expect(blue).toMatchObject({ name: "Blue", price: "500", quantity: 3, parent: null });
    expect(small).toMatchObject({ name: "S", parent: null });
    expect(large).toMatchObject({ name: "L", parent: blue!.databaseId });
  });

  test("are replaced as a whole: those whose ids are sent stay, moved and renamed, all others are deleted", async () => {
    const created = await catalogue.createProduct({ optionGroups: [colours, sizes] }, `databaseId ${groups}`);
    const [colour, size] = created.optionGroups;
    const after = await catalogue.updateProduct(
      created.databaseId,
      {
        optionGroups: [
          {
            id: String(size!.databaseId),
            name: "Cup",
            options: [{ name: "M" }, { id: String(size!.options[1]!.databaseId), name: "XL" }],
          },
          {
            id: String(colour!.databaseId),
            name: "Colour",
            options: [
              { id: String(colour!.options[1]!.databaseId), name: "Navy", parent: "M" },
              { id: String(colour!.options[0]!.databaseId), name: "Red" },
            ],
          },
          { name: "Lid", options: [{ name: "Flat" }] },
        ],
      },
      groups,
    );
    const medium = after.optionGroups[0]!.options[0]!.databaseId;
    expect(after.optionGroups).toEqual([
      {
        databaseId: size!.databaseId,
        name: "Cup",
        depth: 0,
        options: [
          { databaseId: expect.any(Number), name: "M", price: "0", quantity: null, parent: null },
          { databaseId: size!.options[1]!.databaseId, name: "XL", price: "0", quantity: null, parent: null },
        ],
      },
      {
        databaseId: colour!.databaseId,
        name: "Colour",
        depth: 1,
        options: [
          { databaseId: colour!.options[1]!.databaseId, name: "Navy", price: "0", quantity: null, parent: medium },
          { databaseId: colour!.options[0]!.databaseId, name: "Red", price: "0", quantity: null, parent: null },
        ],
      },
      { databaseId: expect.any(Number), name: "Lid", depth: 2, options: [expect.objectContaining({ name: "Flat" })] },
    ]);
    expect(await catalogue.updateProduct(created.databaseId, { optionGroups: [] }, groups)).toEqual({
      optionGroups: [],
    });
  });

  test.each([
    [
      "an option twice",
      [{ name: "Colour", options: [{ name: "Red" }, { name: "Red" }] }],
      "[0].options[1].name INVALID_VALUE",
    ],
    ["no option", [{ name: "Colour", options: [] }], "[0].options INVALID_VALUE"],
    [
      "a parent of no group",
      [{ name: "Colour", options: [{ name: "Red", parent: "S" }] }],
      "[0].options[0].parent INVALID_VALUE",
    ],
    [
      "a parent of its own group",
      [colours, { name: "Size", options: [{ name: "S" }, { name: "M", parent: "S" }] }],
      "[1].options[1].parent INVALID_VALUE",
    ],
    ["too many groups", Array(11).fill(colours), " INVALID_VALUE"],
  ])("are refused with %s", async (_, optionGroups, fault) => {
    expect(await catalogue.refusalOfProduct({ optionGroups })).toEqual(["INVALID_ARGUMENT", `optionGroups${fault}`]);
  });

  test.each([
    ["a group", [{ id: "4000000", ...colours }], "optionGroups[0].id NOT_FOUND"],
    [
      "an option",
      [{ name: "Size", options: [{ id: "4000000", name: "S" }] }],
      "optionGroups[0].options[0].id NOT_FOUND",
    ],
  ])("are refused with an unknown id of %s", async (_, optionGroups, fault) => {
    const { databaseId } = await catalogue.createProduct();
    expect(graphqlRefusalOf(await send(databaseId, { optionGroups }))).toEqual(["INVALID_ARGUMENT", fault]);
  });

  test("accept neither the options of another product, nor one option twice", async () => {
    const { optionGroups } = await catalogue.createProduct({ optionGroups: [colours] }, groups);
    const [group] = optionGroups;
    const other = await catalogue.createProduct({ optionGroups: [colours] }, `databaseId ${groups}`);
    expect(
      graphqlRefusalOf(await send(other.databaseId, { optionGroups: [{ ...colours, id: String(group!.databaseId) }] })),
    ).toEqual(["INVALID_ARGUMENT", "optionGroups[0].id NOT_FOUND"]);
    const own = String(other.optionGroups[0]!.databaseId);
    const red = String(other.optionGroups[0]!.options[0]!.databaseId);
    const twice = [
      {
        id: own,
        name: "Colour",
        options: [
          { id: red, name: "Red" },
          { id: red, name: "Rose" },
        ],
      },
      { id: own, name: "Colour again", options: [{ name: "Red" }] },
    ];
    expect(graphqlRefusalOf(await send(other.databaseId, { optionGroups: twice }))).toEqual([
      "INVALID_ARGUMENT",
      "optionGroups[1].id INVALID_VALUE",
      "optionGroups[0].options[1].id INVALID_VALUE",
    ]);
  });
});

describe("combinations", () => {
  const combined = { optionGroups: [colours, sizes], useCombination: true, optionCombinations: twoByTwo };

  test("have a stock, a price and a state of their own; the last one in stock leaves the product on sale", async () => {
    const product = await catalogue.createProduct(combined, `databaseId ${groups} ${combinations}`);
    const [red, blue, small, large] = product.optionGroups.flatMap((group) =>
      group.options.map((option) => option.databaseId),
    );
    expect(product.status).toBe("SALE");
    expect(product.optionCombinations).toEqual([
      { optionIds: [red, small], status: "SALE", quantity: 1, price: "0" },
      { optionIds: [blue, small], status: "OUT_OF_STOCK", quantity: 0, price: "100" },
      { optionIds: [blue, large], status: "SALE", quantity: null, price: "0" },
    ]);
    const none = twoByTwo.map((combination) => ({ ...combination, quantity: 0 }));
    expect((await catalogue.updateProduct(product.databaseId, { optionCombinations: none }, "status")).status).toBe(
      "OUT_OF_STOCK",
    );
    expect((await catalogue.updateProduct(product.databaseId, { optionCombinations: twoByTwo }, "status")).status).toBe(
      "SALE",
    );
    const without = await catalogue.updateProduct(product.databaseId, { useCombination: false }, combinations);
    expect(without).toEqual({ status: "SALE", optionCombinations: [] });
  });

  test.each([
    ["not used", { ...combined, useCombination: false }, "optionCombinations INVALID_VALUE"],
    ["used, and not given", { ...combined, optionCombinations: undefined }, "optionCombinations REQUIRED"],
    ["none", { ...combined, optionCombinations: [] }, "optionCombinations INVALID_VALUE"],
    [
      "not of each group",
      { ...combined, optionCombinations: [{ options: ["Red"] }] },
      "optionCombinations[0].options INVALID_VALUE",
    ],
    [
      "of an unknown option",
      { ...combined, optionCombinations: [{ options: ["Red", "M"] }] },
      "optionCombinations[0].options INVALID_VALUE",
    ],
    [
      "of an option under another",
      { ...combined, optionCombinations: [{ options: ["Red", "L"] }] },
      "optionCombinations[0].options INVALID_VALUE",
    ],
    [
      "listed twice",
      { ...combined, optionCombinations: [twoByTwo[0], twoByTwo[0]] },
      "optionCombinations[1].options INVALID_VALUE",
    ],
  ])("are refused when they are %s", async (_, input, fault) => {
    expect(await catalogue.refusalOfProduct(input)).toEqual(["INVALID_ARGUMENT", fault]);
  });

  test("must be sent again with new groups, since they refer to their options", async () => {
    const { databaseId } = await catalogue.createProduct(combined);
    expect(graphqlRefusalOf(await send(databaseId, { optionGroups: [colours] }))).toEqual([
      "INVALID_ARGUMENT",
      "optionCombinations REQUIRED",
    ]);
    const after = await catalogue.updateProduct(
      databaseId,
      { optionGroups: [colours], optionCombinations: [{ options: ["Blue"], price: "5" }] },
      combinations,
    );
    expect(after.optionCombinations).toEqual([
      { optionIds: [expect.any(Number)], status: "SALE", quantity: null, price: "5" },
    ]);
  });
});
