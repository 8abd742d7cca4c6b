import {
  type Environment,
  type KubeObject,
  kinds,
  type Manifest,
  manifestOf,
  shellWord,
} from "@microremed/catalogue";

/** The variable with the password in the pods of the datastore, and the key of the Secret. */
export const passwordKey = "STORE_PASSWORD";
const inShell = `$(${passwordKey})`;

/** A datastore that has an account for one of its clients. */
export interface StoreWithAccounts {
  /** The client's connection string with the account. */
  connection(declared: string, user: string, password: string): string;
  /** Objects beside the Deployment of the datastore that make the account whenever it starts without data. */
  objects(environment: Environment, user: string): readonly KubeObject[];
  /** Arguments that do. */
  args(user: string): readonly string[];
  /** A script in the datastore's container that gives the account a password. */
  set(user: string, password: string): string;
  /** One that succeeds if the account has it. */
  check(user: string, password: string): string;
}

/** Redis: a user of its access control lists. */
const redis: StoreWithAccounts = {
  connection: (declared, user, password) => `${declared},user=${user},password=${password}`,
  objects: () => [],
  args: (user) => ["--user", user, "on", `>${inShell}`, "~*", "&*", "+@all"],
  set: (user, password) => `redis-cli ACL SETUSER ${user} resetpass ${shellWord(`>${password}`)}`,
  check: (user, password) =>
    `redis-cli --user ${user} --pass ${shellWord(password)} ACL WHOAMI | grep -qx ${user}`,
};

const scripts = "postgresql-init";

/** PostgreSQL: a role with the rights of the one that its declared clients use. */
const postgresql: StoreWithAccounts = {
  connection: (declared, user, password) =>
    declared
      .replace(/(?<=:\/\/)[^:@/]+:[^@/]+(?=@)/, `${user}:${password}`)
      .replace(/\b(user(?:name)?)=\w+/i, `$1=${user}`)
      .replace(/\b(password)=\w+/i, `$1=${password}`),
  objects(environment, user) {
    const declared = manifestOf(environment, kinds.configMap, scripts) as
      | (Manifest & { readonly data: Readonly<Record<string, string>> })
      | undefined;
    if (!declared) throw new Error(`there is no ConfigMap ${scripts}`);
    const [, group = ""] = /CREATE USER (\w+)/.exec(Object.values(declared.data).join("\n")) ?? [];
    const script = [
      "#!/bin/bash",
      `psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<-EOSQL`,
      `  CREATE USER ${user} WITH PASSWORD '$${passwordKey}';`,
      `  GRANT ${group} TO ${user};`,
      "EOSQL",
      "",
    ].join("\n");
    return [{ ...declared, data: { ...declared.data, "users.sh": script } } as unknown as KubeObject];
  },
  args: () => [],
  set: (user, password) => asOwner(`ALTER USER ${user} WITH PASSWORD '${password}'`),
  check: (user, password) =>
    `PGPASSWORD=${shellWord(password)} psql -h "$HOSTNAME" -U ${user} -d "$POSTGRES_DB" -c 'SELECT 1'`,
};

const asOwner = (sql: string): string => `psql -U "$POSTGRES_USER" -d "$POSTGRES_DB" -c "${sql}"`;

/** By the runtime of the model. */
export const stores: Readonly<Record<string, StoreWithAccounts>> = { redis, postgresql };
