import type postgres from "postgres";
import { withMigrationRetries } from "./migration-retries.ts";
import { buildIndex, parseIndexBuild, runWithoutLimit } from "./index-build.ts";
import { withoutComments } from "./migration-files.ts";
import type { MigrationPlace, WorkBesideLock } from "./migration-place.ts";

/** Nothing that such statements lock keeps requests waiting but a short moment at their beginning or end. */
const LOCK_TIMEOUT_MS = 500;

/**
 * Runs statements one by one, each committed by itself. A migrator that was killed between them is followed by one that runs all of them
 * again, so each is written so that this does no harm.
 */
export async function runOutsideOfTransaction(work: WorkBesideLock, statements: readonly string[]): Promise<void> {
  const { place, tag, requireHeld } = work;
  for (const statement of statements)
    await withMigrationRetries(
      () => {
        requireHeld();
        return runStatement(work, withoutComments(statement));
      },
      async () => place.report(`${tag} waits for locks: ${statement.slice(0, 100)}`),
    );
}

async function runStatement({ session, place, tag }: WorkBesideLock, statement: string): Promise<void> {
  const build = parseIndexBuild(statement);
  const [, dropped] = /^drop index concurrently if exists "(\w+)"$/i.exec(statement) ?? [];
  try {
    if (build) await buildIndex(session, place, build);
    else if (dropped !== undefined)
      await runWithoutLimit(session, place, `drop index concurrently if exists "${place.schema}"."${dropped}"`);
    else await runInTransaction(session, place, statement);
  } catch (error) {
    const isTimeout = (error as { code?: unknown }).code === "57014";
    if (!isTimeout || !place.isPooled) throw error;
    throw new Error(
      `The migration ${tag} needs longer than the statement_timeout of the database's role, which no session can change behind a transaction pooler. Migrate once past the pooler (DATABASE_URL=<address of the server> DATABASE_POOLER=none recoup cells migrate), or set a longer statement_timeout for the role meanwhile.`,
      { cause: error },
    );
  }
}

const runInTransaction = (session: postgres.Sql, { searchPath }: MigrationPlace, statement: string): Promise<unknown> =>
  session.begin(async (transaction) => {
    await transaction.unsafe(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await transaction.unsafe("set local statement_timeout = 0");
    if (searchPath !== undefined) await transaction.unsafe(`set local search_path = ${searchPath}`);
    await transaction.unsafe(statement);
  });
