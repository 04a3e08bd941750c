import graphql from "@graphql-eslint/eslint-plugin";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

/* Rules find bugs here. What a line looks like is Prettier's, what a folder may import is .dependency-cruiser.cjs's. */

/** Rules of eslint itself that TypeScript does not make needless. */
const core = [
  "array-callback-return",
  "no-async-promise-executor",
  "no-case-declarations",
  "no-cond-assign",
  "no-console",
  "no-constant-binary-expression",
  "no-constant-condition",
  "no-debugger",
  "no-dupe-else-if",
  "no-duplicate-case",
  "no-empty",
  "no-empty-character-class",
  "no-empty-pattern",
  "no-fallthrough",
  "no-invalid-regexp",
  "no-irregular-whitespace",
  "no-loss-of-precision",
  "no-misleading-character-class",
  "no-prototype-builtins",
  "no-regex-spaces",
  "no-self-assign",
  "no-self-compare",
  "no-sparse-arrays",
  "no-template-curly-in-string",
  "no-unmodified-loop-condition",
  "no-unreachable-loop",
  "no-unsafe-finally",
  "no-unsafe-optional-chaining",
  "no-unused-labels",
  "no-useless-assignment",
  "no-useless-backreference",
  "no-useless-catch",
  "no-useless-escape",
  "preserve-caught-error",
  "require-yield",
  "use-isnan",
];

/** What must not slip into a text: it would read "undefined", "null" or "[object Object]". */
const strictText = { allowAny: false, allowBoolean: false, allowNullish: false, allowRegExp: false };

/** Casts that make any value of any type: `as never`, `as unknown as`. */
const uncheckedCasts = [
  {
    selector: "TSAsExpression > TSNeverKeyword",
    message: "A cast to never switches the check off. Use a generic, an overload, a type guard, or parse the value.",
  },
  {
    selector: "TSAsExpression > TSAsExpression > TSUnknownKeyword.typeAnnotation",
    message: "A cast by way of unknown is not checked. Use a generic, an overload, a type guard, or parse the value.",
  },
];

export default defineConfig(
  { ignores: ["dist/", ".data/", "test/generated/", "src/console/generated/"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: ["**/*.ts", "**/*.tsx", "**/*.js", "**/*.cjs", "**/*.mjs"],
    rules: Object.fromEntries(core.map((rule) => [rule, "error"])),
  },
  {
    files: ["**/*.ts", "**/*.tsx"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ["./tsconfig.test.json", "./src/console/tsconfig.json"],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "@typescript-eslint/consistent-type-exports": "error",
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      // A module of which only types are wanted is not loaded; import cycles between types would crash otherwise.
      "@typescript-eslint/no-import-type-side-effects": "error",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { args: "all", argsIgnorePattern: "^_", varsIgnorePattern: "^_", caughtErrorsIgnorePattern: "^_" },
      ],
      // Drizzle's own types need this one where the table is generic; the rule does not see it.
      "@typescript-eslint/no-unnecessary-type-assertion": ["error", { typesToIgnore: ["PgTable"] }],
      "@typescript-eslint/restrict-plus-operands": ["error", { ...strictText, allowNumberAndString: true }],
      "@typescript-eslint/restrict-template-expressions": ["error", { ...strictText, allowNumber: true }],
      "@typescript-eslint/return-await": ["error", "error-handling-correctness-only"],
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],

      // Decorated classes may be empty, and an input's fields are spread on purpose.
      "@typescript-eslint/no-extraneous-class": ["error", { allowWithDecorator: true }],
      "@typescript-eslint/no-misused-spread": "off",
      // Interfaces of libraries ask for promises where nothing is awaited.
      "@typescript-eslint/require-await": "off",
      // A matter of taste.
      "@typescript-eslint/no-confusing-void-expression": "off",
      "@typescript-eslint/no-unnecessary-type-arguments": "off",
      // Overflows the stack on a JSON value, whose type names itself (8.73).
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
    },
  },
  {
    // A cast that no check supports hides a wrong value. Parse what comes from outside, and type what is ours.
    files: ["src/**/*.ts", "src/**/*.tsx", "schema/**/*.ts", "rest-compat/**/*.ts"],
    rules: {
      "no-restricted-syntax": ["error", ...uncheckedCasts],
      "no-restricted-properties": [
        "error",
        {
          object: "URL",
          property: "canParse",
          message: "It is wrong on Node 20; use parseUrl of src/kernel/parsed-url.ts.",
        },
      ],
    },
  },
  {
    // A value that is put together at run time is RawData (test/support/raw-data.ts); its parts have no types either.
    files: ["test/**/*.ts", "bench/**/*.ts"],
    rules: {
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
      // What is not there fails the test at that line.
      "@typescript-eslint/no-non-null-assertion": "off",
      // A test takes a gateway apart (`{ server, close }`); its methods need no `this`.
      "@typescript-eslint/unbound-method": "off",
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { ...strictText, allowAny: true, allowNumber: true },
      ],
    },
  },
  { files: ["bench/**/*.ts", "docs/**/*.mjs"], rules: { "no-console": "off" } },
  {
    files: ["schema/schema.graphql"],
    plugins: { "@graphql-eslint": graphql },
    languageOptions: { parser: graphql.parser, parserOptions: { graphQLConfig: { schema: "schema/schema.graphql" } } },
    rules: {
      ...graphql.configs["flat/schema-recommended"].rules,
      ...graphql.configs["flat/schema-relay"].rules,
      // What is known only as a part of something else (an attempt, a line, an event) has no id: it is no node.
      "@graphql-eslint/strict-id-in-types": "off",
      // Fields have the names of the contract, which says `orderLogs` of an order and `paymentDate` of a payment.
      "@graphql-eslint/no-typename-prefix": "off",
      // What has no id is no node, and yet an edge may lead to it. Connections have `nodes` besides `edges`, as clients ask for,
      // and lists that are short by nature are plain lists.
      "@graphql-eslint/relay-edge-types": [
        "error",
        { withEdgeSuffix: true, shouldImplementNode: false, listTypeCanWrapOnlyEdgeType: false },
      ],
    },
  },
);
