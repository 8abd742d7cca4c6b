import { type CorefileDirective, isInZone, parseCorefile, type ServerBlock } from "@microremed/kube-rules";
import { parseGoDuration } from "@microremed/sim-time";
import { plugins } from "./plugins.ts";

/** What a name of the cluster's own zone has as addresses; empty: there is no such name. */
export type AskCluster = (name: string) => readonly string[];

/** What a CoreDNS does by its Corefile. */
export interface NameRules {
  /** Addresses of a whole name, in lower case without the final dot; empty: the answer has none, whatever its code. */
  answer(name: string, askCluster: AskCluster): readonly string[];
  /** Every name of the cluster's zone is answered by what the cluster says of it. */
  readonly isPlain: boolean;
  /** How often the file is read again, ms; undefined: never. */
  readonly reloadMs: number | undefined;
}

/** What asks the next plugin of a server block. */
export type Next = (name: string) => readonly string[];
/** A plugin with its arguments, between the plugin before it and the one behind it. */
export type Handler = (name: string, next: Next, askCluster: AskCluster) => readonly string[];

/** `reload` without an argument. */
const usualReloadMs = 30_000;

/**
 * The rules of a Corefile. Throws an Error in CoreDNS' words where it would not start: a brace that is missing, a directive that is
 * none, an argument that a plugin does not take. What is a plugin of CoreDNS, and is not carried out here, is refused too.
 */
export function compileCorefile(text: string): NameRules {
  const blocks = parseCorefile(text);
  for (const { zones, from } of blocks)
    for (const zone of zones)
      if (/^\(/.test(zone))
        throw new Error(`/etc/coredns/Corefile:${from + 1} - snippets such as ${zone} are not read here`);
  const servers = blocks.map((block) => ({ block, handlers: handlersOf(block) }));
  const reload = blocks.flatMap(({ directives }) => directives.filter(({ name }) => name === "reload"))[0];
  return {
    isPlain: blocks.every(isPlain),
    reloadMs: reload && (reload.args[0] === undefined ? usualReloadMs : parseGoDuration(reload.args[0])),
    answer(name, askCluster) {
      const zoned = servers.flatMap(({ block, handlers }) =>
        block.zones.filter((zone) => isInZone(name, zone)).map((zone) => ({ zone, handlers })),
      );
      const [closest] = zoned.toSorted((a, b) => b.zone.length - a.zone.length);
      // REFUSED: no server block has the zone.
      if (!closest) return [];
      const from =
        (at: number): Next =>
        (asked) =>
          closest.handlers[at]?.(asked, from(at + 1), askCluster) ?? [];
      return from(0)(name);
    },
  };
}

const order = Object.keys(plugins);

/** In the order in which CoreDNS is built, not in that of the file. */
function handlersOf({ zones, directives }: ServerBlock): Handler[] {
  const known = directives.map((directive) => {
    const plugin = plugins[directive.name];
    if (!plugin) throw refusal(directive, `Unknown directive '${directive.name}'`);
    return { directive, plugin };
  });
  return known
    .toSorted((a, b) => order.indexOf(a.directive.name) - order.indexOf(b.directive.name))
    .flatMap(({ directive, plugin }) => {
      try {
        return plugin(directive, zones) ?? [];
      } catch (thrown) {
        throw refusal(directive, thrown instanceof Error ? thrown.message : String(thrown));
      }
    });
}

const refusal = ({ from }: CorefileDirective, what: string): Error =>
  new Error(`/etc/coredns/Corefile:${from + 1} - Error during parsing: ${what}`);

const changing = new Set(["template", "rewrite", "hosts"]);

/** One block for everything that asks the cluster for all of its namespaces and changes no name. */
const isPlain = ({ zones, directives }: ServerBlock, _: number, all: readonly ServerBlock[]): boolean =>
  all.length === 1 &&
  zones.includes("") &&
  directives.every(({ name }) => !changing.has(name)) &&
  directives.some(
    ({ name, args, block }) =>
      name === "kubernetes" &&
      args.includes("cluster.local") &&
      block.every(([option]) => option !== "namespaces"),
  );
