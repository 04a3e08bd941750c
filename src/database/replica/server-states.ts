import type { WalPosition } from "./replica-lag.ts";

/* The questions about the state of both servers. Any role may ask them. */

export interface PositionRow {
  position: string;
}

/** What identifies a server's write-ahead log and the database. */
interface IdentityRow {
  system: string;
  database: string;
  timeline: number;
}

export interface PrimaryRow extends PositionRow, IdentityRow {
  isDistributed: boolean;
}

export interface ReplicaRow extends PositionRow, IdentityRow {
  isStandby: boolean;
}

/**
 * The position up to which the primary has flushed its log: a commit is acknowledged when it is flushed, and only what is flushed is
 * sent to replicas. Where commits do not wait for that, the position of the last record.
 */
const PRIMARY_POSITION = `case current_setting('synchronous_commit')
  when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end`;

const toBytes = (position: string): string => `((${position}) - '0/0'::pg_lsn)::text as position`;

const IDENTITY = `(select system_identifier::text from pg_control_system()) as system,
  (select oid::text from pg_database where datname = current_database()) as database`;

export const PRIMARY_POSITION_QUERY = `select ${toBytes(PRIMARY_POSITION)}`;

export const REPLAY_POSITION_QUERY = `select ${toBytes("pg_last_wal_replay_lsn()")}`;

/** The name of the current file of the log begins with its timeline. */
export const PRIMARY_STATE_QUERY = `select ${toBytes(PRIMARY_POSITION)}, ${IDENTITY},
  ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline,
  exists (select from pg_extension where extname = 'citus') as "isDistributed"`;

/** A replica that follows a new primary writes its timeline down at its next restart point. */
export const REPLICA_STATE_QUERY = `select ${toBytes("pg_last_wal_replay_lsn()")}, ${IDENTITY},
  greatest((select timeline_id from pg_control_checkpoint()), (select min_recovery_end_timeline from pg_control_recovery())) as timeline,
  pg_is_in_recovery() as "isStandby"`;

export const positionOf = ({ position }: PositionRow): WalPosition => BigInt(position);

/** Why a server must not be read in place of the primary; undefined if it may. */
export function findMismatch(primary: PrimaryRow, replica: ReplicaRow): string | undefined {
  if (primary.isDistributed) return "the database is distributed by Citus, whose nodes have positions of their own";
  if (!replica.isStandby) return "it is not a standby";
  if (replica.system !== primary.system) return "it is a standby of another server";
  if (replica.database !== primary.database) return "its address names another database";
  if (replica.timeline !== primary.timeline) return "it does not follow the primary's timeline yet";
  return undefined;
}
