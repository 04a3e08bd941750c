import type { CodegenConfig } from "@graphql-codegen/cli";

/*
 * TypeScript types and typed documents for a dashboard, by graphql-codegen. Copy this file into the dashboard's project:
 *
 *   npm install --save-dev @graphql-codegen/cli @graphql-codegen/client-preset
 *   npx graphql-codegen --config codegen.ts
 *
 * docs/scalars.md says what each scalar is. `strictScalars` stops the generator at one that is not listed here.
 */
const config: CodegenConfig = {
  schema: "schema.graphql",
  documents: ["src/**/*.{graphql,ts,tsx}"],
  generates: {
    "src/graphql/": {
      preset: "client",
      presetConfig: { fragmentMasking: false },
      config: {
        documentMode: "string",
        enumsAsTypes: true,
        useTypeImports: true,
        strictScalars: true,
        scalars: {
          BigInt: "number",
          CountryCode: "string",
          Credential: "string",
          Currency: "string",
          CurrencyAmounts: { input: "Record<string, string | number>", output: "Record<string, string>" },
          DateTime: "string",
          Decimal: { input: "string | number", output: "string" },
          Duration: "string",
          Email: "string",
          ID: { input: "string | number", output: "string" },
          JSONObject: "Record<string, unknown>",
          Keyword: "string",
          Label: "string",
          Line: "string",
          Link: "string",
          Name: "string",
          NonNegativeInt: "number",
          PartnerId: "string",
          Password: "string",
          Phone: "string",
          PositiveInt: "number",
          Rate: { input: "string | number", output: "string" },
          RegionCode: "string",
          ReturnUrl: "string",
          Text: "string",
          TimeZone: "string",
          UUID: "string",
        },
      },
    },
  },
};

export default config;
