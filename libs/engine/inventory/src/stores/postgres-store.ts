import { type StoreKind, sectionOf } from "./store-state.ts";

/** As the superuser that the image's variables declare, by the server's socket. */
const ask = (sql: string): string =>
  `psql -p $PORT -U "\${POSTGRES_USER:-postgres}" -d postgres -X -t -A -F ' ' -c "${sql}" 2>&1`;
/** The client's words where no server takes its connection. */
const isAway = /could not connect|No such file or directory|Connection (refused|timed out)/;
/** Of the server's own making. */
const own = /^(pg_\w+|template[01]|postgres)$/;

/** PostgreSQL 10 and later. What tables hold is not asked for. */
export const postgresStore: StoreKind = {
  usualPort: 5432,
  varies: /^(data_directory|config_file|hba_file|ident_file|external_pid_file|in_hot_standby|.*_directory)$/,
  observes: /^(log_.*|debug_.*|track_.*|client_min_messages)$/,
  room: /^(max_connections|shared_buffers|work_mem|.*_timeout)$/,
  unlimited: /_timeout$/,
  script: [
    `echo @settings; ${ask("SELECT name, setting FROM pg_settings")}`,
    `echo @databases; ${ask("SELECT datname FROM pg_database")}`,
    `echo @accounts; ${ask("SELECT rolname, rolcanlogin, rolsuper, rolpassword FROM pg_authid")}`,
  ].join("; "),
  read(printed) {
    const pairs = sectionOf(printed, "settings").map((line) => line.split(/ (.*)/s));
    const settings = Object.fromEntries(pairs.map(([name = "", value = ""]) => [name, value]));
    const accounts = sectionOf(printed, "accounts")
      .map((line) => line.split(" "))
      .filter(([name = ""]) => name !== "" && !name.startsWith("pg_"));
    const refusal = printed.split(/\r?\n/).find((line) => line.startsWith("psql: error"));
    if (refusal !== undefined) return isAway.test(refusal) ? undefined : { refused: refusal.slice(0, 120) };
    if (settings["max_connections"] === undefined || accounts.length === 0) return undefined;
    return {
      settings,
      logins: Object.fromEntries(
        accounts.map(([name = "", canLogIn = "", , secret = ""]) => [name, `${canLogIn} ${secret}`]),
      ),
      rights: Object.fromEntries(
        accounts.map(([name = "", , isSuperuser]) => [name, isSuperuser === "t" ? ["SUPERUSER"] : []]),
      ),
      databases: sectionOf(printed, "databases").filter((name) => name !== "" && !own.test(name)),
    };
  },
};
