import type { CodegenConfig } from "@graphql-codegen/cli";
import example from "../../docs/codegen.ts";

const { "src/graphql/": output } = example.generates;

/** The scalars that every client of the API can use. */
const scalars: unknown = output && "config" in output ? output.config?.["scalars"] : undefined;

/** Types of the console's operations. `npm run answers` runs it. */
const config: CodegenConfig = {
  schema: "schema/schema.graphql",
  documents: ["src/console/**/*.{ts,tsx}", "!src/console/generated/**"],
  generates: {
    "src/console/generated/operations.ts": {
      plugins: ["typescript-operations"],
      config: { enumsAsTypes: true, skipTypename: true, strictScalars: true, scalars },
    },
  },
};

export default config;
