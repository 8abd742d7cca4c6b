import { isJsonObject, parseJson, shellWord } from "@microremed/core";
import { workloadInName } from "@microremed/kube-rules";
import { z } from "zod";
import type { Environment } from "./environment/environment.types.ts";
import { type MongoUserText, mongoMay, mongoUsersIn } from "./environment/mongo-users.ts";
import { selectorText } from "./environment/selectors.ts";
import { shellCall } from "./evidence/common-calls.ts";
import type { EvidenceCall } from "./evidence/evidence.ts";
import type { FaultContext } from "./fault.ts";
import { kubectl, type RemedyContext } from "./remedy.ts";
import { podsOf } from "./workload-pods.ts";

/** What is wrong with the user that a program has at its MongoDB server. */
export type MongoTrouble = "no-user" | "no-role";

/** Who uses a MongoDB server and who administers it, as its scripts and the programs' code have it. */
export interface MongoAccess {
  /** The workload whose program logs in. */
  readonly client: string;
  /** Its user, as the server's script makes it. */
  readonly user: MongoUserText;
  /** The database that it works with. */
  readonly database: string;
  readonly administrator: MongoUserText;
}

const scriptFolder = "/docker-entrypoint-initdb.d";

/** The access to the server in a workload; undefined: it is no such server, or no script of its own makes its users. */
export function mongoAccess(
  { workloads, configMaps, targets }: Environment,
  name: string,
): MongoAccess | undefined {
  const workload = workloads[name];
  const container = workload?.containers[0];
  if (container?.behaviour.runtime !== "mongodb") return undefined;
  const volume = workload?.volumes[container.volumeMounts[scriptFolder] ?? ""];
  const scripts = volume?.type === "configMap" ? Object.values(configMaps[volume.name] ?? {}) : [];
  const users = scripts.flatMap(mongoUsersIn);
  for (const [client, { calls }] of Object.entries(workloads)) {
    const call = calls.find(({ to, credentials, atStart }) => to === name && credentials && atStart);
    const user = users.find(({ user: known }) => known === call?.credentials?.user);
    const administrator = administratorIn(users.filter((one) => one !== user));
    if (call?.credentials && user && administrator && targets.includes(client))
      return { client, user, database: call.credentials.database, administrator };
  }
  return undefined;
}

const administratorIn = (users: readonly MongoUserText[]): MongoUserText | undefined =>
  users.find(({ roles }) => mongoMay(roles, "administer users", "admin"));

const shellOf = ({ user, pwd }: MongoUserText): string[] => [
  "mongo",
  "admin",
  "-u",
  user,
  "-p",
  pwd,
  "--quiet",
];

/** `db.createUser` of a user as it is declared. */
export const createStatement = ({ user, pwd, roles }: MongoUserText): string =>
  `db.createUser({user: '${user}', pwd: '${pwd}', roles: ${rolesText(roles)}})`;

/** Roles as the shell reads them. */
export const rolesText = (roles: MongoUserText["roles"]): string =>
  `[${roles.map(({ role, db }) => `{role: '${role}', db: '${db}'}`).join(", ")}]`;

/** Runs statements in the target's server as one of its users. Throws where it could not be asked. */
export async function inMongo(context: FaultContext, as: MongoUserText, script: string): Promise<string> {
  const { cluster, namespace, environment, target } = context;
  const workload = environment.workloads[target];
  let said = `${target} has no pods`;
  for (const { metadata } of await podsOf(context)) {
    const where = { namespace, pod: metadata.name, container: workload?.containers[0]?.name ?? "" };
    const command = [...shellOf(as), "--eval", script];
    const { exitCode, stdout, stderr } = await cluster.exec({ ...where, command, timeoutMs: 20_000 });
    if (exitCode === 0) return stdout;
    said = stderr || stdout;
  }
  throw new Error(`no replica of ${target} took the statement: ${said}`);
}

const Users = z.array(
  z.object({ user: z.string(), roles: z.array(z.object({ role: z.string(), db: z.string() })) }),
);

/** What is wrong with a user, by what `db.getUsers()` printed; undefined: nothing. */
export function troubleIn(printed: string, declared: MongoUserText): MongoTrouble | undefined {
  const users = Users.parse(JSON.parse(printed));
  const found = users.find(({ user }) => user === declared.user);
  if (!found) return "no-user";
  const has = declared.roles.every(({ role, db }) =>
    found.roles.some((one) => one.role === role && one.db === db),
  );
  return has ? undefined : "no-role";
}

/** The command of a remedy that runs a statement in the target's server as its administrator. */
export function runInMongo(context: RemedyContext, access: MongoAccess, script: string): string {
  const selector = context.environment.workloads[context.target]?.selector ?? {};
  const pods = `${kubectl(context)} get pods -l ${selectorText(selector)} -o name`;
  const words = [...shellOf(access.administrator), "--eval", script].map(shellWord).join(" ");
  return `for p in $(${pods}); do ${kubectl(context)} exec $p -- ${words}; done`;
}

const servers = `kubectl get pods -o jsonpath='{range .items[*]}server: {.metadata.name}{range .spec.volumes[*]} {.configMap.name}{end} {.spec.containers[0].image}{"\\n"}{end}' | grep -E '[ /]mongo:'`;
const scripts = `kubectl get configmaps -o jsonpath='{range .items[*]}{.metadata.name} {.data}{"\\n"}{end}' | grep createUser`;
/** Each MongoDB server with the ConfigMaps that it mounts, and each ConfigMap that makes users. */
const scriptsCall: EvidenceCall = shellCall(`${servers}; ${scripts}`);

/** A server whose users were compared with what its scripts make. */
export interface CheckedMongo {
  readonly kind: "Deployment";
  readonly name: string;
  readonly trouble: MongoTrouble | undefined;
}

/** How the users of servers are checked with the tools that read. The next call, or what was found. */
export function checkMongo(answers: readonly string[]): EvidenceCall | readonly CheckedMongo[] {
  const [listed, asked] = answers;
  if (listed === undefined) return scriptsCall;
  const servers = serversIn(listed).flatMap(({ pod, users }) => {
    const administrator = administratorIn(users.toReversed());
    return administrator ? [{ pod, users, administrator }] : [];
  });
  if (servers.length === 0) return [];
  if (asked === undefined)
    return shellCall(
      servers
        .map(({ pod, administrator }) => {
          const words = [...shellOf(administrator), "--eval", "db.getUsers()"].map(shellWord).join(" ");
          return `echo "server: ${pod}"; kubectl exec ${pod} -- ${words} | tr -d '\\n\\t'; echo`;
        })
        .join("; "),
    );
  const printed = new Map(partsOf(asked).map(({ pod, text }) => [pod, text.trim()]));
  return servers.flatMap(({ pod, users }) => {
    const name = workloadInName(pod);
    const text = printed.get(pod) ?? "";
    if (!text.startsWith("[")) return [];
    const [trouble] = users.flatMap((user) => troubleIn(text, user) ?? []);
    return [{ kind: "Deployment", name, trouble }];
  });
}

/** The servers in an answer of `scriptsCall`, with the users that their scripts make. */
function serversIn(listed: string): { pod: string; users: MongoUserText[] }[] {
  const scripts = new Map(
    [...listed.matchAll(/^([a-z0-9.-]+) (\{.*\})$/gm)].map(([, name, data = ""]) => [name, textsIn(data)]),
  );
  return [...listed.matchAll(/^server: (\S+) (.*)$/gm)].map(([, pod = "", mounted = ""]) => ({
    pod,
    users: mounted.split(" ").flatMap((name) => mongoUsersIn(scripts.get(name) ?? "")),
  }));
}

/** What a ConfigMap's files say. */
const textsIn = (data: string): string => {
  const files = parseJson(data);
  return isJsonObject(files) ? Object.values(files).join("\n") : "";
};

const partsOf = (text: string): { pod: string; text: string }[] =>
  text
    .split(/^server: /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf("\n");
      return { pod: part.slice(0, end), text: part.slice(end + 1) };
    });

/** In a server's container: makes each user of its scripts, and gives it its roles again. */
export const mendAll = [
  `made=$(cat ${scriptFolder}/* | grep -o "createUser({.*})")`,
  `admin=$(echo "$made" | grep AnyDatabase | tail -n 1)`,
  `name=$(echo "$admin" | sed "s/.*user: '\\([^']*\\)'.*/\\1/")`,
  `pass=$(echo "$admin" | sed "s/.*pwd: '\\([^']*\\)'.*/\\1/")`,
  `echo "$made" | while read -r one; do`,
  `  user=$(echo "$one" | sed "s/.*user: '\\([^']*\\)'.*/\\1/")`,
  `  roles=$(echo "$one" | sed "s/.*roles: \\(\\[.*\\]\\).*/\\1/")`,
  `  mongo admin -u "$name" -p "$pass" --quiet --eval "db.$one" </dev/null || true`,
  `  mongo admin -u "$name" -p "$pass" --quiet --eval "db.grantRolesToUser('$user', $roles)" </dev/null`,
  "done",
].join("\n");
