import { shellCall } from "./evidence/common-calls.ts";
import type { EvidenceCall } from "./evidence/evidence.ts";
import type { FaultContext } from "./fault.ts";
import { kubectl, podSelector, type RemedyContext } from "./remedy.ts";
import { targetOf } from "./target.ts";
import { podsOf } from "./workload-pods.ts";

/** What is wrong with the account that the programs of a system use at their database. */
export type AccountTrouble = "no-account" | "locked" | "no-privileges" | "other-password";

/** A database server as seen from its container. */
export interface DatabaseCheck {
  readonly trouble: AccountTrouble | undefined;
  /** The account and its database, as the server's own variables name them. */
  readonly user: string;
  readonly database: string;
}

/**
 * Run in a MySQL server's container: the account that its variables declare, what the server has of it, and whether it can
 * log in as the system's programs do.
 */
const check = [
  'echo "declared: $MYSQL_USER $MYSQL_DATABASE"',
  'mysql -uroot -N -e "select user, host, account_locked from mysql.user"',
  'mysql -uroot -N -e "show grants for $MYSQL_USER"',
  'mysql -h $HOSTNAME -u$MYSQL_USER -p$MYSQL_PASSWORD -N -e "select 1" $MYSQL_DATABASE && echo "logged in"',
].join("; ");

/** Reads what the check printed. Undefined: it did not run, so nothing is known. */
function readDatabaseCheck(text: string): DatabaseCheck | undefined {
  const [, user, database = ""] = /^declared: (\S+) (\S*)$/m.exec(text) ?? [];
  if (user === undefined || !/^root\s/m.test(text)) return undefined;
  return { user, database, trouble: troubleIn(text, user, database) };
}

function troubleIn(text: string, user: string, database: string): AccountTrouble | undefined {
  const account = text
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .find(([name, host]) => name === user && host === "%");
  if (!account) return "no-account";
  if (account[2] === "Y") return "locked";
  const grants = text
    .split("\n")
    .filter((line) => line.startsWith("GRANT ") && line.includes(`\`${database}\``));
  const needed = ["SELECT", "INSERT", "UPDATE", "DELETE"];
  const isAllowed = grants.some(
    (line) => line.includes("ALL PRIVILEGES") || needed.every((one) => line.includes(one)),
  );
  if (!isAllowed) return "no-privileges";
  return /Access denied for user/.test(text) && !text.includes("logged in") ? "other-password" : undefined;
}

const listServers = `kubectl get pods -o jsonpath='{range .items[*]}{.metadata.name}={.metadata.ownerReferences[0].kind}/{.metadata.ownerReferences[0].name}={.spec.containers[0].name}{"\\n"}{end}' | grep =mysql$`;
const listAccounts =
  'env | grep ^MYSQL_; mysql -uroot -N -e "select user, host, account_locked from mysql.user"';

/** Every pod whose first container is named `mysql`: its variables and the accounts of its server. */
const accountsCall: EvidenceCall = shellCall(
  `for s in $(${listServers}); do s=\${s%=*}; p=\${s%=*}; echo "server: $p \${s#*=}"; kubectl exec "$p" -c mysql -- sh -c '${listAccounts}' 2>&1; done`,
);

/** A server of an answer of `accountsCall`; of each workload one. */
interface SeenServer {
  readonly pod: string;
  readonly kind: string;
  readonly name: string;
  /** Its variables with the account that it should have. */
  readonly variables: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A server whose account was checked with the tools of an agent. */
export type CheckedServer = DatabaseCheck & Pick<SeenServer, "kind" | "name">;

/**
 * How an account is checked with the tools that read: the accounts of each server, then what it grants them and whether they
 * can log in. The next call, or what was found.
 */
export function checkServers(answers: readonly string[]): EvidenceCall | readonly CheckedServer[] {
  const [listed, checked] = answers;
  if (listed === undefined) return accountsCall;
  const servers = serversIn(listed).filter(({ variables }) => variables["MYSQL_USER"] !== undefined);
  if (servers.length === 0) return [];
  if (checked === undefined) return shellCall(servers.map(loginScript).join("; "));
  const parts = checked.split(/^server: /m).slice(1);
  return servers.flatMap(({ kind, name, text, variables }, index) => {
    const declared = `declared: ${variables["MYSQL_USER"]} ${variables["MYSQL_DATABASE"] ?? ""}`;
    const read = readDatabaseCheck(`${declared}\n${text}\n${parts[index] ?? ""}`);
    return read ? [{ kind, name, ...read }] : [];
  });
}

function serversIn(text: string): SeenServer[] {
  const found = text.split(/^server: /m).flatMap((part) => {
    const [, pod, kind, name] = /^(\S+) (\w+)\/(\S+)\n/.exec(part) ?? [];
    if (pod === undefined || kind === undefined || name === undefined) return [];
    const variables = Object.fromEntries(
      [...part.matchAll(/^(MYSQL_\w+)=(.*)$/gm)].map(([, key = "", value = ""]) => [key, value]),
    );
    return [{ pod, kind, name, variables, text: part }];
  });
  const byName = new Map<string, SeenServer>();
  for (const one of found)
    if (!byName.has(`${one.kind}/${one.name}`)) byName.set(`${one.kind}/${one.name}`, one);
  return [...byName.values()];
}

function loginScript({ pod, variables }: SeenServer): string {
  const { MYSQL_USER: user = "", MYSQL_DATABASE: database = "", MYSQL_PASSWORD: password = "" } = variables;
  const inPod = `kubectl exec ${pod} -c mysql -- mysql`;
  const login = `-h ${pod} '-u${user}' '-p${password.replaceAll("'", `'\\''`)}'`;
  return [
    `echo "server: ${pod}"`,
    `${inPod} -uroot -N -e "show grants for '${user}'@'%'" 2>&1`,
    `${inPod} ${login} -N -e "select 'logged in'" ${database} 2>&1`,
  ].join("; ");
}

/** Runs a script in the target's server: in the first of its replicas in which it succeeds, the one that takes writes. */
export async function inDatabase(context: FaultContext, script: string) {
  const { cluster, namespace, environment, target } = context;
  const place = targetOf(environment, target);
  if (!place) throw new Error(`${environment.name} has no workload for ${target}`);
  let said = `${place.name} has no pods`;
  for (const { metadata } of await podsOf(context)) {
    const where = { namespace, pod: metadata.name, container: place.container.name };
    const result = await cluster.exec({ ...where, command: ["sh", "-c", script], timeoutMs: 20_000 });
    if (result.exitCode === 0) return result;
    said = result.stderr;
  }
  throw new Error(`no replica of ${place.name} took the statement: ${said}`);
}

/** The target's server, checked. Undefined: it could not be asked. */
export async function checkDatabase(context: FaultContext): Promise<DatabaseCheck | undefined> {
  try {
    const { stdout, stderr } = await inDatabase(context, `{ ${check}; } 2>&1; true`);
    return readDatabaseCheck(`${stdout}\n${stderr}`);
  } catch {
    return undefined;
  }
}

/** A script that runs a statement; it may use the server's variables, such as `$MYSQL_USER`. */
export const statement = (sql: string): string => `mysql -uroot -e "${sql}"`;

/** The same as a person runs it with kubectl, in the replica that takes writes. `pods`: a command that lists them. */
export const inEachPod = (namespace: string, pods: string, container: string, sql: string): string =>
  `for p in $(${pods}); do if kubectl -n ${namespace} exec $p -c ${container} -- sh -c '${statement(sql).replaceAll("'", `'\\''`)}'; then break; fi; done`;

/** The command of a remedy that runs a statement in the target's server. */
export const runStatement = (context: RemedyContext, sql: string): string =>
  inEachPod(
    context.namespace,
    `${kubectl(context)} get pods -l ${podSelector(context)} -o name`,
    context.container,
    sql,
  );
