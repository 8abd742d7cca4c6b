import { fileAt, locate } from "./layers.ts";
import type { ContainerRuntime, Machine, PodSandbox } from "./machine.ts";
import { freshMysql, type MysqlState } from "./mysql-state.ts";
import { packState, unpackState } from "./packed-state.ts";

/** Settings of a running server: what its files say at its start, and `SET GLOBAL` until its end. */
export interface MysqlSettings {
  readonly type: "mysql";
  readonly variables: Readonly<Record<string, string>>;
}

/** A server as clients find it. */
export interface MysqlServer {
  readonly sandbox: PodSandbox;
  readonly container: ContainerRuntime;
  readonly state: MysqlState;
  readonly variables: Readonly<Record<string, string>>;
  /** It follows another one, and takes no writes. */
  readonly isReadOnly: boolean;
}

const dataFile = "/var/lib/mysql/ibdata1";
const configFolder = "/etc/mysql/conf.d";
const defaults: Readonly<Record<string, string>> = {
  max_connections: "151",
  wait_timeout: "28800",
  max_allowed_packet: "4194304",
  version: "5.7.34-37-log",
};

const placeOf = (sandbox: PodSandbox, container: ContainerRuntime) => locate(sandbox, container, dataFile);

/** The server in a container. Its data directory is made if it is empty. */
export function mysqlServer(machine: Machine, sandbox: PodSandbox, container: ContainerRuntime): MysqlServer {
  const place = placeOf(sandbox, container);
  const bytes = fileAt(place);
  const own = (bytes && unpackState<MysqlState>(bytes)) ?? freshMysql(container.env);
  const latest = membersOf(machine, sandbox)
    .map(stateOf)
    .reduce((best: MysqlState, one) => (one && one.position > best.position ? one : best), own);
  if (latest !== own || bytes === undefined) place.tree.set(place.key, packState(latest));
  return {
    sandbox,
    container,
    state: latest,
    variables: settingsOf(sandbox, container).variables,
    isReadOnly: hasXenon(sandbox) && sandbox.labels["role"] !== "leader",
  };
}

/** Writes what a statement made of the state, on the server and on those that follow it. */
export function writeMysql(
  machine: Machine,
  { sandbox, container, state }: MysqlServer,
  next: MysqlState,
): void {
  const bytes = packState({ ...next, position: state.position + 1 });
  const place = placeOf(sandbox, container);
  place.tree.set(place.key, bytes);
  for (const member of membersOf(machine, sandbox)) {
    const other = placeOf(member.sandbox, member.container);
    other.tree.set(other.key, bytes);
  }
}

/** `SET GLOBAL`: until the server ends. */
export function setMysqlVariable({ container, variables }: MysqlServer, name: string, value: string): void {
  container.datastore = { type: "mysql", variables: { ...variables, [name]: value } };
}

/** What changes whenever a server's data does. */
export const mysqlMark = (sandbox: PodSandbox, container: ContainerRuntime): Uint8Array | undefined =>
  fileAt(placeOf(sandbox, container));

interface Member {
  readonly sandbox: PodSandbox;
  readonly container: ContainerRuntime;
}

const hasXenon = ({ containers }: PodSandbox): boolean =>
  containers.values().some(({ behaviour }) => behaviour?.runtime === "xenon");

/** Name of the StatefulSet that a pod is of. */
const setOf = ({ name }: PodSandbox): string => name.replace(/-\d+$/, "");

/** The other members of its cluster that run. */
function membersOf(machine: Machine, sandbox: PodSandbox): Member[] {
  if (!hasXenon(sandbox)) return [];
  const set = setOf(sandbox);
  return [...machine.sandboxes.values()].flatMap((other) => {
    const isPeer =
      other !== sandbox && other.namespace === sandbox.namespace && setOf(other) === set && hasXenon(other);
    const container = isPeer
      ? other.containers.values().find(({ behaviour }) => behaviour?.runtime === "mysql")
      : undefined;
    return container ? [{ sandbox: other, container }] : [];
  });
}

function stateOf({ sandbox, container }: Member): MysqlState | undefined {
  const bytes = mysqlMark(sandbox, container);
  return bytes && unpackState<MysqlState>(bytes);
}

function settingsOf(sandbox: PodSandbox, container: ContainerRuntime): MysqlSettings {
  if (container.datastore?.type === "mysql") return container.datastore;
  const settings: MysqlSettings = {
    type: "mysql",
    variables: { ...defaults, ...fromFiles(sandbox, container) },
  };
  container.datastore = settings;
  return settings;
}

/** The lines of `[mysqld]` in the server's configuration. */
function fromFiles(sandbox: PodSandbox, container: ContainerRuntime): Record<string, string> {
  const { tree, key } = locate(sandbox, container, configFolder);
  const found: Record<string, string> = {};
  const prefix = key === "/" ? "" : key.replace(/^\//, "");
  for (const [name, content] of [...tree].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const path = name.replace(/^\//, "");
    if (!path.startsWith(prefix) || !path.endsWith(".cnf")) continue;
    let section = "";
    for (const line of Buffer.from(content).toString().split("\n")) {
      section = /^\s*\[(\w+)\]/.exec(line)?.[1] ?? section;
      const [, option, value] = /^\s*([\w-]+)\s*=\s*(\S+)/.exec(line) ?? [];
      if (section === "mysqld" && option !== undefined && value !== undefined)
        found[option.replaceAll("-", "_")] = value;
    }
  }
  return found;
}
