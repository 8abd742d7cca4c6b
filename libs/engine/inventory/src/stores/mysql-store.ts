import { type StoreKind, sectionOf } from "./store-state.ts";

/** As root of the container, with the password that its image's variables declare. */
const ask = (sql: string): string => `MYSQL_PWD="$MYSQL_ROOT_PASSWORD" mysql -uroot -N -B -e "${sql}" 2>&1`;
/** The client's words where no server takes its connection. */
const isAway = /^ERROR 20\d\d /;
/** Accounts of more than this have no use for a system; each is asked for its rights. */
const mostAccounts = 50;

/** MySQL 5.7 and later, and those that speak as it does. What tables hold is not asked for. */
export const mysqlStore: StoreKind = {
  usualPort: 3306,
  varies:
    /^(gtid_.*|hostname|server_id|server_uuid|report_.*|.*read_only|rpl_.*|timestamp|.*_(file|basename|index|dir|log|error)|.*dir|innodb_buffer_pool_.*|pseudo_.*|last_insert_id|insert_id|rand_seed\d|.*_directory|socket|pid_file)$/,
  observes: /^(long_query_time|slow_query_log|general_log|log_.*|performance_schema.*)$/,
  room: /^(max_connections|max_user_connections|max_allowed_packet|wait_timeout|interactive_timeout|table_open_cache|thread_cache_size)$/,
  unlimited: /^max_user_connections$/,
  script: [
    `echo @settings; ${ask("SHOW GLOBAL VARIABLES")}`,
    `echo @databases; ${ask("SHOW DATABASES")}`,
    `echo @accounts; ${ask("SELECT user, host, account_locked, authentication_string FROM mysql.user")}`,
  ].join("; "),
  further(printed) {
    const named = accountsIn(printed).filter(({ user, host }) => isPlain(user) && isPlain(host));
    if (named.length === 0) return undefined;
    return named
      .map(
        ({ user, host }) =>
          `echo @grants; echo ${user}@${host}; ${ask(`SHOW GRANTS FOR '${user}'@'${host}'`)}`,
      )
      .join("; ");
  },
  read(printed) {
    const settings = Object.fromEntries(
      sectionOf(printed, "settings").flatMap((line) => {
        const [name = "", ...value] = line.split("\t");
        return value.length === 0 ? [] : [[name, value.join("\t")]];
      }),
    );
    const accounts = accountsIn(printed);
    const first = [...sectionOf(printed, "settings"), ...sectionOf(printed, "accounts")].find((line) =>
      line.startsWith("ERROR "),
    );
    if (first !== undefined) return isAway.test(first) ? undefined : { refused: first.slice(0, 120) };
    if (settings["max_connections"] === undefined || accounts.length === 0) return undefined;
    return {
      settings,
      logins: Object.fromEntries(
        accounts.map(({ user, host, login }) => [`${user}@${host}`, login] as const),
      ),
      rights: rightsIn(printed),
      databases: sectionOf(printed, "databases").filter((line) => line !== ""),
    };
  },
};

/** Without what a shell or a statement would read. */
const isPlain = (word: string): boolean => /^[\w.%:-]*$/.test(word);

function accountsIn(
  printed: string,
): { readonly user: string; readonly host: string; readonly login: string }[] {
  return sectionOf(printed, "accounts")
    .map((line) => line.split("\t"))
    .filter((fields) => fields.length >= 3)
    .slice(0, mostAccounts)
    .map(([user = "", host = "", locked = "", secret = ""]) => ({
      user,
      host,
      login: `${locked} ${secret}`,
    }));
}

/** The privileges of each account, one by one: `SELECT ON shop.*`. */
function rightsIn(printed: string): Record<string, string[]> {
  const parts = printed.split(/^@grants\r?\n/m).slice(1);
  return Object.fromEntries(
    parts.map((part) => {
      const [account = "", ...lines] = part.split(/\r?\n/);
      const rights = lines.flatMap((line) => {
        const [, list = "", on = ""] = /^GRANT (.+?) ON (\S+) TO /.exec(line) ?? [];
        const also = line.includes("WITH GRANT OPTION") ? ["GRANT OPTION"] : [];
        return list === ""
          ? []
          : [...list.split(/,\s*/), ...also]
              .filter((privilege) => privilege !== "USAGE")
              .map((privilege) => `${privilege} ON ${on.replaceAll("`", "")}`);
      });
      return [account, rights.sort()] as const;
    }),
  );
}
