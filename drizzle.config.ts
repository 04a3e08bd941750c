import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: "./schema/tables/index.ts",
  out: "./schema/migrations",
});
