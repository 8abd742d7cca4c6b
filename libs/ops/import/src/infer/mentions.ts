import {
  type ContainerSpec,
  type EnvValue,
  variablesFrom,
  type WorkloadSpec,
} from "@microremed/catalogue/environment";
import type { Confidence } from "../marked.ts";
import type { System } from "../system.ts";
import { withoutComments } from "./comments.ts";
import { isInProse } from "./prose.ts";
import { filesThatCount, isScript } from "./scripts.ts";

/** A place where a workload names a Service. */
export interface Mention {
  readonly service: string;
  /** As it would be dialled, `cart:7070`; undefined: nothing says which port. */
  readonly address: string | undefined;
  /** Name of the variable that holds the address, alone or in a URL; undefined: it is elsewhere. */
  readonly variable?: string;
  /** `redis`, `http` ...; undefined: none is written. */
  readonly scheme: string | undefined;
  readonly confidence: Confidence;
  readonly why: string;
}

/** What programs are given to read: a variable, a command line, a file. */
export interface Text {
  /** Of a variable, or of a key in a file. */
  readonly key: string;
  readonly text: string;
  readonly isVariable: boolean;
  /** A variable, a command or a script, and no other configuration. */
  readonly isProgram: boolean;
  /** One of the variables that several workloads take as a whole: not each of them needs to use it. */
  readonly isShared?: boolean;
  readonly why: string;
}

const addressy =
  /(host(?:name)?|addr|address|url|uri|endpoint|server|servers|service|svc|broker|brokers|dsn|target|upstream|connection)s?$/i;
const ownName = /(^|_)(service_?name|name|app|component|namespace)$/i;

/** What is read of pods to find the Services that they name. */
export type Pods = Pick<WorkloadSpec, "containers" | "initContainers" | "volumes">;

/**
 * Where the programs of pods are given names of Services: variables, arguments, configuration files. `own`: the Services over them, which
 * do not count.
 */
export function mentionsOf(system: System, spec: Pods, own: ReadonlySet<string>): Mention[] {
  const texts = textsOfPods(system, spec);
  const found = texts.flatMap((text) => mentionsIn(system, text, texts));
  return found.filter(({ service }) => !own.has(service));
}

/** All that the programs of pods are given to read. */
export function textsOfPods(system: System, spec: Pods): Text[] {
  const containers = [...spec.containers, ...spec.initContainers];
  const files = Object.entries(spec.volumes).flatMap(([volume, from]) => {
    const [kind, objects] =
      from.type === "configMap"
        ? ["ConfigMap", system.configMaps]
        : from.type === "secret"
          ? ["Secret", system.secrets]
          : [];
    if (!("name" in from) || !objects) return [];
    const readers = containers.filter(({ volumeMounts }) => Object.values(volumeMounts).includes(volume));
    const commands = readers.flatMap(({ command = [], args = [] }) => [...command, ...args]).join(" ");
    return filesOf(filesThatCount(objects.get(from.name) ?? {}, commands), `${kind} ${from.name}`);
  });
  return [...containers.flatMap((container) => textsOf(system, container, files)), ...files];
}

type VariablesFrom = ContainerSpec["envFrom"][number];

const objectOf = (from: VariablesFrom): string =>
  "secret" in from ? `Secret ${from.secret}` : `ConfigMap ${from.configMap}`;

/** Whether several workloads take all variables of an object, whatever they call them. */
function isShared({ workloads, jobs }: System, from: VariablesFrom): boolean {
  const object = objectOf(from);
  const takers = [...workloads.values(), ...jobs.values()].filter(({ containers, initContainers }) =>
    [...containers, ...initContainers].some(({ envFrom }) => envFrom.some((one) => objectOf(one) === object)),
  );
  return takers.length > 1;
}

/** `files`: those that the container's program can read, such as its script. */
function textsOf(system: System, container: ContainerSpec, files: readonly Text[]): Text[] {
  const { configMaps, secrets } = system;
  const textOf = (value: EnvValue): string => {
    if (typeof value === "string") return value;
    if ("configMapKeyRef" in value)
      return configMaps.get(value.configMapKeyRef.name)?.[value.configMapKeyRef.key] ?? "";
    if ("secretKeyRef" in value) return secrets.get(value.secretKeyRef.name)?.[value.secretKeyRef.key] ?? "";
    return "";
  };
  const variable = (key: string, text: string): Text => ({
    key,
    text: ofScript(text),
    isVariable: true,
    isProgram: true,
    why: `variable ${key}`,
  });
  const valuesOf = (from: VariablesFrom) =>
    Object.entries(
      variablesFrom(from, "secret" in from ? secrets.get(from.secret) : configMaps.get(from.configMap)),
    );
  const own = Object.entries(container.env).map(([name, value]): [string, string] => [name, textOf(value)]);
  const words = [...(container.command ?? []), ...(container.args ?? [])].map(ofScript).join(" ");
  // A script names a variable as `$NAME`, `environ["NAME"]`, `process.env.NAME`.
  const used = new Set(
    [words, ...files.map(({ text }) => text), ...own.map(([, value]) => value)].flatMap(
      (text) => text.match(/\w+/g) ?? [],
    ),
  );
  return [
    ...container.envFrom.flatMap((from) => {
      const shared = isShared(system, from);
      return valuesOf(from).map(([name, value]) => ({
        ...variable(name, withVariables(value, own)),
        isShared: shared && !used.has(name),
      }));
    }),
    ...own.map(([name, value]) => variable(name, withVariables(value, own))),
    { key: "", text: withVariables(words, own), isVariable: false, isProgram: true, why: "its command" },
  ];
}

/** A text of several lines is a file, though it is given in a word. */
const ofScript = (text: string): string => (text.includes("\n") ? withoutComments("", text) : text);

/** `$(NAME)` as a kubelet fills it in, `${NAME}` as most programs do. */
const withVariables = (text: string, all: readonly (readonly [string, string])[]): string =>
  text.replace(/\$[({](\w+)[)}]/g, (whole, name: string) => all.find(([one]) => one === name)?.[1] ?? whole);

/** A configuration file longer than this is not read. */
const longestFile = 200_000;

const filesOf = (files: readonly (readonly [string, string])[], where: string): Text[] =>
  files
    .filter(([, text]) => text.length <= longestFile)
    .map(([key, text]) => ({
      ...{ key: "", text: withoutComments(key, text), isVariable: false, isProgram: isScript(key, text) },
      why: `${key} of ${where}`,
    }));

/** Places in a text where a Service's name is read at most. */
const mostPlaces = 100;

function mentionsIn(system: System, text: Text, variables: readonly Text[]): Mention[] {
  // A name stands between characters that are in no name.
  const words = new Set(text.text.toLowerCase().match(/[\w-]+/g));
  return [...system.services].flatMap(([service, { ports }]) => {
    if (!words.has(service.toLowerCase())) return [];
    const place = bestPlace(text.text, patternOf(service, system.namespace));
    if (!place) return [];
    const { groups, isProse } = place;
    const scheme = groups["scheme"]?.toLowerCase();
    const written = groups["port"];
    const isBare = written === undefined && scheme === undefined;
    if (isBare && !saysAddress(text)) return [];
    const [only, ...others] = ports;
    const beside = isBare ? portBeside(text, variables) : undefined;
    const port = written ?? beside ?? (others.length === 0 ? only?.port : undefined) ?? only?.port;
    return [
      {
        service,
        address: port === undefined ? undefined : `${service}:${port}`,
        ...(text.isVariable && isWholeAddress(text.text) && { variable: text.key }),
        scheme,
        confidence: isProse ? "guess" : confidenceIn(text, written),
        why: text.why,
      } satisfies Mention,
    ];
  });
}

interface Place {
  readonly groups: Readonly<Record<string, string | undefined>>;
  /** Whether it is within a sentence for people. */
  readonly isProse: boolean;
}

/**
 * The place that says most of how a Service is called. `upstream api { server api:80; }` and a path such as `location /cart/` name it before
 * the address, and a sentence names it anywhere.
 */
function bestPlace(text: string, pattern: RegExp): Place | undefined {
  const places = [...text.matchAll(pattern)].slice(0, mostPlaces).map((match) => {
    const { 0: whole, index, groups = {} } = match;
    const isProse = isInProse(text, index, index + whole.length);
    const isAddress = (groups["port"] ?? groups["scheme"]) !== undefined;
    const worth = (isAddress ? 4 : 0) + (isProse ? 0 : 2) + (groups["port"] === undefined ? 0 : 1);
    return { groups, isProse, worth };
  });
  return places.toSorted((a, b) => b.worth - a.worth)[0];
}

function confidenceIn({ isVariable, isShared }: Text, port: string | undefined): Confidence {
  if (isShared) return "guess";
  return port === undefined || !isVariable ? "likely" : "sure";
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const patterns = new Map<string, RegExp>();

/** A host name that is the Service's, short or full, after a scheme and before a port if there are any. */
function patternOf(service: string, namespace: string): RegExp {
  const key = `${namespace}/${service}`;
  const known = patterns.get(key);
  if (known) return known;
  const host = `${escaped(service)}(?:\\.(?:${escaped(namespace)}|\\$\\{?\\w+\\}?))?(?:\\.svc(?:\\.[\\w.-]+)?)?`;
  const made = new RegExp(
    `(?:^|[\\s"'=,;(\\[{@/])(?:(?<scheme>[a-z][a-z0-9+.-]*):\\/\\/(?:[^\\s@/]*@)?)?(?:[\\w-]+\\.(?=${escaped(service)}[.:]))?${host}(?::(?<port>\\d+))?(?=$|[\\s"'/,;)\\]}?])`,
    "gi",
  );
  if (patterns.size > 5_000) patterns.clear();
  patterns.set(key, made);
  return made;
}

/** Whether a bare word is an address: in a variable that is called as one, or where a file says so. */
const saysAddress = ({ key, text, isVariable }: Text): boolean =>
  isVariable && addressy.test(key) && !ownName.test(key) && !/\s/.test(text.trim());

/** `REDIS_HOST=redis` has its port in `REDIS_PORT`. */
function portBeside({ key }: Text, variables: readonly Text[]): string | undefined {
  const stem = key.replace(addressy, "");
  const found = variables.find((one) => one.isVariable && one.key === `${stem}PORT`);
  return found && /^\d+$/.test(found.text) ? found.text : undefined;
}

/** What a program can connect to as it stands: no list in a longer text. */
const isWholeAddress = (text: string): boolean => !/\s/.test(text.trim()) && !/^[{[]/.test(text.trim());
