import type postgres from "postgres";

/** The code of the error of a statement that a replica does not get, because it is left alone. */
export const REPLICA_LEFT_ALONE = "REPLICA_LEFT_ALONE";

/**
 * A client whose statements fail at once while it is closed. An operation of several statements ends so at its next one, instead of
 * waiting for a server that hangs.
 */
export const withGate = (client: postgres.Sql, isOpen: () => boolean): postgres.Sql =>
  new Proxy(client, {
    get(target, key) {
      if ((key === "unsafe" || key === "begin") && !isOpen()) return () => Promise.reject(leftAlone());
      return Reflect.get(target, key, target) as unknown;
    },
  });

const leftAlone = (): Error => Object.assign(new Error("The replica is left alone."), { code: REPLICA_LEFT_ALONE });
