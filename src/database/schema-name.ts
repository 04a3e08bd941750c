/** Schemas that belong to PostgreSQL, to a distributed engine, or to parts of the home database. */
const TAKEN = /^(?:pg_.*|information_schema|citus|citus_internal|columnar|columnar_internal|drizzle|pgboss)$/;

/** Whether a text can name a schema of vendors' tables. It needs no quotes anywhere. */
export const isSchemaName = (text: string): boolean => /^[a-z][a-z0-9_]{0,62}$/.test(text) && !TAKEN.test(text);
