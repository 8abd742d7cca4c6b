import { type CorefileDirective, isInZone, namePattern } from "@microremed/kube-rules";
import type { Handler } from "./compile-corefile.ts";

/** A directive's handler; undefined: it answers and changes no name. Throws an Error where CoreDNS takes no such argument. */
type Plugin = (directive: CorefileDirective, zones: readonly string[]) => Handler | undefined;

const nothing: Plugin = () => undefined;
const nowhere: readonly string[] = [];

const zoneOf = (word: string): string => word.replace(/\.$/, "").toLowerCase();

/** Whether a name goes to the next plugin, by `fallthrough [zones]`. */
function fallsThrough(block: CorefileDirective["block"], name: string): boolean {
  const line = block.find(([option]) => option === "fallthrough");
  if (!line) return false;
  const zones = line.slice(1).map(zoneOf);
  return zones.length === 0 || zones.some((zone) => isInZone(name, zone));
}

function onlyOptions({ name, block }: CorefileDirective, known: readonly string[]): void {
  for (const [option = ""] of block)
    if (!known.includes(option)) throw new Error(`plugin/${name}: unknown property '${option}'`);
}

/** `template IN A shop.svc.cluster.local { match ..., answer ..., rcode ... }` */
const template: Plugin = (directive, serverZones) => {
  const { args, block } = directive;
  const [of, type, ...given] = args;
  if (of === undefined || type === undefined)
    throw new Error("Wrong argument count or unexpected line ending");
  if (!["IN", "ANY"].includes(of.toUpperCase())) throw new Error(`plugin/template: invalid RR class ${of}`);
  onlyOptions(directive, [
    "match",
    "answer",
    "additional",
    "authority",
    "rcode",
    "ederror",
    "fallthrough",
    "upstream",
  ]);
  const zones = given.length > 0 ? given.map(zoneOf) : serverZones;
  const patterns = block.flatMap(([option, ...words]) => (option === "match" ? words.map(namePattern) : []));
  const addresses = block.flatMap(([option, text = ""]) =>
    option === "answer" ? (/\bIN\s+A\s+(\d+(?:\.\d+){3})\s*$/.exec(text)?.[1] ?? []) : [],
  );
  // Programs here ask for IPv4 addresses.
  const isAsked = ["A", "ANY"].includes(type.toUpperCase());
  return (name, next) => {
    if (!isAsked || !zones.some((zone) => isInZone(name, zone))) return next(name);
    const isMatched = patterns.length === 0 || patterns.some((pattern) => pattern.groupsIn(`${name}.`));
    if (isMatched) return addresses;
    return fallsThrough(block, name) ? next(name) : nowhere;
  };
};

/** `rewrite [continue|stop] name [exact|prefix|suffix|substring|regex] from to` */
const rewrite: Plugin = ({ args }) => {
  const rest = ["continue", "stop"].includes(args[0] ?? "") ? args.slice(1) : args;
  if (rest[0] !== "name") throw new Error(`plugin/rewrite: only names can be rewritten here, not ${rest[0]}`);
  const isKind = rest[1] !== undefined && rest[1] in renames;
  const kind = (isKind ? rest[1] : "exact") as keyof typeof renames;
  const [from, to] = rest.slice(isKind ? 2 : 1);
  if (from === undefined || to === undefined)
    throw new Error(`plugin/rewrite: too few arguments for a name rule`);
  const rename = renames[kind](from, to);
  return (name, next) => next(zoneOf(rename(`${name}.`)));
};

const whole = (name: string): string => (name.endsWith(".") ? name : `${name}.`);
type Rename = (from: string, to: string) => (name: string) => string;
const renames = {
  exact: (from, to) => (name) => (name === whole(from) ? to : name),
  prefix: (from, to) => (name) => (name.startsWith(from) ? to + name.slice(from.length) : name),
  suffix: (from, to) => (name) => {
    const end = whole(from);
    return name.endsWith(end) ? name.slice(0, name.length - end.length) + to : name;
  },
  substring: (from, to) => (name) => name.replace(from, () => to),
  regex: (from, to) => {
    const pattern = namePattern(from);
    return (name) => {
      const found = pattern.groupsIn(name);
      return found ? to.replace(/\{(\d+)\}/g, (_, group: string) => found[Number(group)] ?? "") : name;
    };
  },
} as const satisfies Record<string, Rename>;

/** `hosts { 10.0.0.1 name ... }`: a file of the image, which has none, and lines of the Corefile. */
const hosts: Plugin = ({ args, block }, serverZones) => {
  const given = args.slice(1).map(zoneOf);
  const zones = given.length > 0 ? given : serverZones;
  const named = block.filter(([first = ""]) => /^\d+(\.\d+){3}$/.test(first));
  return (name, next) => {
    if (!zones.some((zone) => isInZone(name, zone))) return next(name);
    const found = named.filter(([, ...names]) => names.some((one) => zoneOf(one) === name));
    if (found.length > 0) return found.map(([address = ""]) => address);
    return fallsThrough(block, name) ? next(name) : nowhere;
  };
};

const kubernetesOptions = [
  ...["endpoint", "tls", "kubeconfig", "namespaces", "labels", "pods", "endpoint_pod_names", "ttl"],
  ...["noendpoints", "fallthrough", "ignore", "namespace_labels", "startup_timeout", "apiserver_qps"],
];

const kubernetes: Plugin = (directive, serverZones) => {
  const { args, block } = directive;
  onlyOptions(directive, kubernetesOptions);
  const zones = args.length > 0 ? args.map(zoneOf) : serverZones;
  const only = block.find(([option]) => option === "namespaces")?.slice(1);
  return (name, next, askCluster) => {
    const zone = zones.find((one) => isInZone(name, one));
    if (zone === undefined) return next(name);
    const namespace = /([^.]+)\.svc$/.exec(name.slice(0, -zone.length - 1))?.[1];
    const isServed = only === undefined || (namespace !== undefined && only.includes(namespace));
    // What is called by its zone alone is known to the cluster as cluster.local.
    const found = isServed ? askCluster(`${name.slice(0, name.length - zone.length)}cluster.local`) : nowhere;
    return found.length > 0 || !fallsThrough(block, name) ? found : next(name);
  };
};

/** Name servers outside know no name of a cluster. */
const forward: Plugin = ({ args }) => {
  if (args.length < 2) throw new Error("Wrong argument count or unexpected line ending");
  const zone = zoneOf(args[0] ?? "");
  return (name, next) => (isInZone(name, zone) ? nowhere : next(name));
};

/** What is carried out here of CoreDNS' plugins, in its order (`plugin.cfg`); a cache holds nothing here. */
export const plugins: Readonly<Record<string, Plugin>> = {
  reload: nothing,
  ready: nothing,
  health: nothing,
  prometheus: nothing,
  errors: nothing,
  log: nothing,
  loadbalance: nothing,
  cache: nothing,
  rewrite,
  template,
  hosts,
  kubernetes,
  loop: nothing,
  forward,
};
